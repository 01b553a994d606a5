import {
	type AnswerShape,
	findRecords,
	type JsonObject,
	readRecords,
	shapeOf,
} from '../listing/findRecords';
import { type PagingMetadata, readPagingMetadata } from '../listing/pagingMetadata';
import { findIdentity, type RecordIdentity } from '../listing/recordIdentity';
import { LISTED_RESOURCES } from '../listing/resources';
import { cleanServerText } from '../transport/cleanServerText';
import type { HttpAnswer } from '../transport/httpMessage';
import { type Conversation, failureOf, isAnswered, type Query } from './conversation';
import { readStatedPageSize } from './statedPageSize';

export interface UserPage {
	records: JsonObject[];
	/** What tells the records apart, in the order of the page. */
	keys: string[];
	metadata: PagingMetadata;
	/** Records per page, as the service says it. */
	statedSize?: number;
}

/** What one question to the users list brought. */
export type PageReading =
	| { kind: 'page'; page: UserPage }
	/** The service does not want the parameters. */
	| { kind: 'refused'; statusCode: number; text?: string }
	| { kind: 'unclear'; reason: string };

/** Statuses by which services refuse parameters, and a page behind the end of the list. */
const PARAMETER_REFUSALS = new Set([400, 416, 422]);
const PAGE_REFUSALS = new Set([...PARAMETER_REFUSALS, 404, 410]);

/** Why a question brought nothing. */
export function reasonOf(reading: PageReading): string {
	if (reading.kind === 'unclear') return reading.reason;
	if (reading.kind === 'page') return 'The answer was unexpected.';
	const said = reading.text === undefined ? '' : `: "${reading.text}"`;
	return `The service answered ${reading.statusCode}${said}.`;
}

/** The users list, once its first answer has shown where the records are and what identifies them. */
export class UserPages {
	private readonly identify: RecordIdentity;

	private readonly shape: AnswerShape;

	readonly first: UserPage;

	constructor(
		private readonly conversation: Conversation,
		firstAnswer: HttpAnswer,
		readonly path: string,
		records: JsonObject[],
	) {
		const { name } = LISTED_RESOURCES.user;
		this.identify = findIdentity(records, name)?.identify ?? JSON.stringify;
		this.shape = shapeOf(firstAnswer.body);
		this.first = this.pageOf(firstAnswer, records);
	}

	async read(query: Query): Promise<PageReading> {
		const reply = await this.conversation.ask(LISTED_RESOURCES.user.segment, query);
		if (!isAnswered(reply)) return { kind: 'unclear', reason: reply.reason };
		const { statusCode, body } = reply.answer;
		if (statusCode >= 300) {
			const refusals = query.page === undefined ? PARAMETER_REFUSALS : PAGE_REFUSALS;
			return refusals.has(statusCode)
				? { kind: 'refused', statusCode, text: cleanServerText(body, this.conversation.secrets) }
				: { kind: 'unclear', reason: `The service answered ${statusCode}.` };
		}
		try {
			const records = statusCode === 204 ? [] : readRecords(body, this.path, this.shape);
			return { kind: 'page', page: this.pageOf(reply.answer, records) };
		} catch (error) {
			return { kind: 'unclear', reason: failureOf(error).message };
		}
	}

	private pageOf({ body, headers }: HttpAnswer, records: JsonObject[]): UserPage {
		return {
			records,
			keys: records.map((record) => JSON.stringify(this.identify(record) ?? record)),
			metadata: readPagingMetadata(body, headers),
			statedSize: readStatedPageSize(body),
		};
	}
}

/**
 * The list in an answer of status 2xx.
 *
 * @param keys the list may have by the name of its resource
 * @returns the reason where there is none, and whether the answer may all the same be a list, an empty one for example
 */
export function findList(
	answer: HttpAnswer,
	keys: readonly string[],
): { records: JsonObject[]; path?: string } | { reason: string; mayBeList: boolean } {
	if (answer.statusCode === 204) return { records: [] };
	if (answer.body === '')
		return { reason: 'The service answered without a body.', mayBeList: true };
	try {
		return findRecords(answer.body, { keys, itemsPath: '' });
	} catch (error) {
		const { message, kind } = failureOf(error);
		return { reason: message, mayBeList: kind === 'noList' };
	}
}
