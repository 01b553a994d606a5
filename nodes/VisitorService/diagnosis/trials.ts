import { LISTED_RESOURCES } from '../answer/resources';
import { ServiceFailure } from '../failure/serviceFailure';
import type { HttpAnswer } from '../http/message';
import { type ListingReport, listRecords } from '../listing/listRecords';
import { USUAL_PAGE_SIZE } from '../listing/pageSize';
import { type Conversation, requireFailure } from './conversation';
import type { Values } from './finding';
import type { Users } from './users';

/** What List Users does with some settings. */
export type Trial =
	| {
			kind: 'read';
			/** What tells the records apart, in their order. */
			keys: readonly string[];
			requests: number;
			/** Whether the list was read to its end. */
			whole: boolean;
			report: ListingReport;
	  }
	/** It ends in this error. */
	| { kind: 'failed'; failure: ServiceFailure }
	/** It could not be tried: the tenant did not answer, or must not be asked any more. */
	| { kind: 'unclear' };

const MAX_PAGES = 3;

/** Requests beyond its pages that a listing may need to be sure of the end of a list. */
const MAX_QUESTIONS = 3;

/** Failures that say something about the settings, not about the state of the service. */
const TELLING = new Set(['badRequest', 'notFound', 'answer', 'noList', 'permission']);

/** Lists users as the node does, some pages only. */
export class Trials {
	readonly done: Trial[] = [];

	constructor(
		private readonly conversation: Conversation,
		private readonly users: Users,
	) {}

	/**
	 * @param values parameters and options of List Users; Return All is on if it is not among them
	 * @param isNew whether pages are asked for that were read before
	 */
	async list(values: Values, isNew = false): Promise<Trial> {
		const trial = await this.run(values, new Map(isNew ? [] : this.users.answers));
		this.done.push(trial);
		return trial;
	}

	private async run(values: Values, known: Map<string, HttpAnswer>): Promise<Trial> {
		const { name, keys } = LISTED_RESOURCES.user;
		const { returnAll, page, limit, pageSize, itemsPath, maxPages } = values;
		let requests = 0;
		try {
			const { records, report } = await listRecords({
				resource: name,
				keys,
				itemsPath: typeof itemsPath === 'string' ? itemsPath : '',
				limit: returnAll === false ? Number(limit) : undefined,
				firstPage: returnAll === false ? Number(page) : 0,
				mayBeginAfterEnd: returnAll === false,
				pageSize: Number(pageSize ?? USUAL_PAGE_SIZE),
				concurrency: 1,
				maxPages: Number(maxPages ?? MAX_PAGES),
				untilStable: false,
				keepAs: this.users.keyOf,
				fetchPage: async (number, size) => {
					if (++requests > MAX_PAGES + MAX_QUESTIONS) throw tooLong();
					const query = { page: number, pageSize: size };
					const key = JSON.stringify(query);
					const answer = known.get(key);
					// Asked for again, it is to show whether it stays so.
					known.delete(key);
					return answer ?? (await this.users.fetch(query));
				},
			});
			const whole = maxPages !== undefined || report.endedBy !== 'maxPages';
			return { kind: 'read', keys: records, requests, whole, report };
		} catch (error) {
			const failure = requireFailure(error);
			const isTelling = TELLING.has(failure.kind) && this.conversation.stopReason === undefined;
			return isTelling ? { kind: 'failed', failure } : { kind: 'unclear' };
		}
	}
}

function tooLong(): ServiceFailure {
	const what = 'The list took too many requests to be tried.';
	return new ServiceFailure(what, '', { kind: 'service' });
}

/** How many of these records a reading lacks. */
export function missingIn(trial: Trial, keys: readonly string[]): number {
	if (trial.kind !== 'read') return keys.length;
	const read = new Set(trial.keys);
	return keys.filter((key) => !read.has(key)).length;
}
