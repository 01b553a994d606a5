import type { INodeParameters } from 'n8n-workflow';
import { MemoryHost } from '../../host/memoryHost';
import type { ForcedAnswer, JsonValue } from '../../reference-service';

/** Anything that JSON can hold by name. */
export type Row = Record<string, unknown>;

export interface AnsweredReading {
	records: Row[];
	requests: number;
	/** The hint, and whether it is a warning. */
	message: string;
	warning: boolean;
}

/** What a service refuses. */
export class Refused extends Error {
	constructor(readonly status: number) {
		super(`Refused with status ${status}.`);
	}
}

export interface Wish extends INodeParameters {
	pageSize?: number;
	concurrency?: number;
	limit?: number;
	page?: number;
	maxPages?: number;
	untilStable?: boolean;
	idPath?: string;
}

/** The body for a page; `asked` counts the requests before this one. */
export type AnswerOf = (page: number, pageSize: number, asked: number) => unknown;

/**
 * Lists the users of a service of which every answer is said, for habits that no service should
 * have.
 *
 * @throws Error that the node ends with
 */
export async function readAnswers(
	answer: AnswerOf,
	{ limit, page = 0, ...options }: Wish = {},
): Promise<AnsweredReading> {
	const answeredBy = (asked: number, query: Record<string, string>): ForcedAnswer => {
		try {
			const body = answer(Number(query.page), Number(query.pageSize), asked);
			return { status: 200, body: body as JsonValue };
		} catch (error) {
			if (error instanceof Refused) return { status: error.status, body: { message: 'No.' } };
			throw error;
		}
	};
	let requests = 0;
	const host = new MemoryHost({
		switches: { list: { answeredBy: ({ query }) => answeredBy(requests++, query) } },
	});
	const run = await host.execute({
		resource: 'user',
		operation: 'list',
		...(limit === undefined ? { returnAll: true } : { returnAll: false, limit, page }),
		options: { pageSize: 10, concurrency: 1, maxRetries: 0, ...options },
	});
	if (run.error !== undefined) throw run.error;
	const { message = '', type } = run.hints[0] ?? {};
	return { records: run.items, requests, message, warning: type === 'warning' };
}

/** A page of a list, as a service should cut it. */
export function cut<T>(records: readonly T[], page: number, pageSize: number): T[] {
	return records.slice(page * pageSize, (page + 1) * pageSize);
}

/** Pages of a list, which say this too. */
export const pagesOf =
	(records: readonly Row[], said: Row | ((page: number, pageSize: number) => Row) = {}): AnswerOf =>
	(page, pageSize) => ({
		data: cut(records, page, pageSize),
		...(typeof said === 'function' ? said(page, pageSize) : said),
	});

/** Answers in another way when it is asked for this page for the first time. */
export function onceAt(page: number, odd: AnswerOf, usual: AnswerOf): AnswerOf {
	let isOdd = true;
	return (number, ...asked) => {
		if (!isOdd || number !== page) return usual(number, ...asked);
		isOdd = false;
		return odd(number, ...asked);
	};
}

/** What a record holds beside its ID. */
export const named = (place: number): Row => ({ name: `User ${place}`, floor: place % 4 });

/** Records with an ID, and the same ones without. */
export const KINDS: ReadonlyArray<[string, (place: number) => Row]> = [
	['with IDs', (place) => ({ id: `user-${place}`, ...named(place) })],
	['without IDs', named],
];

export const listOf = (count: number, record: (place: number) => Row): Row[] =>
	Array.from({ length: count }, (_, place) => record(place));
