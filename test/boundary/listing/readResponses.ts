import type { INodeParameters } from 'n8n-workflow';
import type { JsonValue } from '../../reference-service';
import { cut, hostWith, list, stated } from '../listedHost';

/** Anything that JSON can hold by name. */
export type Row = Record<string, unknown>;

export interface Reading {
	records: Row[];
	requests: number;
	/** The hint, and whether it is a warning. */
	message: string;
	warning: boolean;
}

/** What a service rejects. */
export class Rejected extends Error {
	constructor(readonly status: number) {
		super(`Rejected with status ${status}.`);
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
export type ResponseOf = (page: number, pageSize: number, requestIndex: number) => unknown;

/**
 * Lists the users of a service of which every response is said, for habits that no service should
 * have.
 *
 * @throws Error that the node ends with
 */
export async function readResponses(
	response: ResponseOf,
	{ limit, page = 0, ...options }: Wish = {},
): Promise<Reading> {
	let requests = 0;
	const responses = stated((...requested) => {
		requests++;
		try {
			return { status: 200, body: response(...requested) as JsonValue };
		} catch (error) {
			if (error instanceof Rejected) return { status: error.status, body: { message: 'No.' } };
			throw error;
		}
	});
	const host = await hostWith({}, { switches: { list: responses } });
	const run = await list(host, {
		...(limit !== undefined && { returnAll: false, limit, page }),
		options: { pageSize: 10, concurrency: 1, maxRetries: 0, ...options },
	});
	if (run.error !== undefined) throw run.error;
	const { message = '', type } = run.hints[0] ?? {};
	return { records: run.items, requests, message, warning: type === 'warning' };
}

/** Pages of a list, which say this too. */
export const pagesOf =
	(
		records: readonly Row[],
		stated: Row | ((page: number, pageSize: number) => Row) = {},
	): ResponseOf =>
	(page, pageSize) => ({
		data: cut(records, page, pageSize),
		...(typeof stated === 'function' ? stated(page, pageSize) : stated),
	});

/** Responds in another way when it is asked for this page for the first time. */
export function onceAt(page: number, odd: ResponseOf, usual: ResponseOf): ResponseOf {
	let isOdd = true;
	return (number, ...requestIndex) => {
		if (!isOdd || number !== page) return usual(number, ...requestIndex);
		isOdd = false;
		return odd(number, ...requestIndex);
	};
}

/** What a record holds beside its ID. */
export const named = (index: number): Row => ({ name: `User ${index}`, floor: index % 4 });

/** Records with an ID, and the same ones without. */
export const KINDS: ReadonlyArray<[string, (index: number) => Row]> = [
	['with IDs', (index) => ({ id: `user-${index}`, ...named(index) })],
	['without IDs', named],
];
