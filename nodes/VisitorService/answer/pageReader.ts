import { ServiceFailure, TokenFailure } from '../failure/serviceFailure';
import type { HttpAnswer } from '../http/message';
import type { JsonObject } from '../values/json';
import { shownPath } from './fieldNames';
import { type PagingMetadata, readPagingMetadata } from './paging';
import { findRecords, type KnownList, type RecordsSought, shapeOf } from './records';

/** @throws ServiceFailure for everything but status 2xx other than 202 */
export type FetchPage = (page: number, pageSize: number) => Promise<HttpAnswer>;

/** What came when a page was asked for. */
export type Page = PageOutcome & {
	/** One or more for `records`, none for everything else. */
	records: JsonObject[];
	metadata: PagingMetadata;
};

type PageOutcome =
	| { kind: 'records' }
	/** A list that is explicitly empty. */
	| { kind: 'empty' }
	/** No list and nothing in its place: `null`, `{}`, 204. */
	| { kind: 'nothing' }
	/** A status or text says: no such page. Or an answer with success that is not a page. */
	| { kind: 'refused' | 'fault'; failure: ServiceFailure };

export type PageArrived = (page: number, pageSize: number, read: Page) => void;

const NONE: Omit<Page, 'kind'> = { records: [], metadata: {} };

/** Bad Request, Not Found, Gone, Range Not Satisfiable, Unprocessable Content (RFC 9110 §15.5). */
const PAGE_REFUSALS: ReadonlySet<number> = new Set([400, 404, 410, 416, 422]);

/** Reads the pages of one list; knows from the first page with records where they stand. */
export class PageReader {
	/** Dot paths of other lists of the page that showed where the list is. */
	otherPaths: readonly string[] = [];

	/** Names of the fields with numbers that are text, because they are too long to be exact. */
	readonly longIntegers = new Set<string>();

	/** Of the first page with records, or of the last one before it; undefined until a page came. */
	private known?: KnownList;

	constructor(
		private readonly fetchPage: FetchPage,
		private readonly sought: RecordsSought,
		private readonly pageArrived?: PageArrived,
	) {}

	/**
	 * Once a page was read, path and parameters are known to be right: what the service refuses after
	 * that is the number of the page or its size.
	 */
	async read(page: number, pageSize: number): Promise<Page> {
		const answer = await this.fetchPage(page, pageSize).catch((error: unknown) => {
			if (this.known !== undefined && isRefusal(error)) return error;
			throw error;
		});
		if (answer instanceof ServiceFailure) return { ...NONE, kind: 'refused', failure: answer };
		for (const name of answer.longIntegers ?? []) this.longIntegers.add(shownPath(name));
		const reading = findRecords(answer, this.sought, this.known);
		if ('failure' in reading) {
			if (this.known === undefined) throw reading.failure;
			const kind = reading.kind === 'noData' ? 'refused' : 'fault';
			return { ...NONE, kind, failure: reading.failure };
		}
		const { otherPaths, path, records } = reading;
		const isSome = records.length > 0;
		if (this.itemsPath === undefined) {
			this.known = { path: isSome ? path : undefined, shape: shapeOf(answer.body, path) };
			if (isSome) this.otherPaths = otherPaths;
		}
		const none = reading.kind === 'nothing' ? 'nothing' : 'empty';
		const metadata = readPagingMetadata(answer.body, answer.headers);
		const read: Page = { kind: isSome ? 'records' : none, records, metadata };
		this.pageArrived?.(page, pageSize, read);
		return read;
	}

	/** Dot path of the list; undefined until a page had records. */
	get itemsPath(): string | undefined {
		return this.known?.path;
	}
}

export function isRefusal(error: unknown): error is ServiceFailure {
	return PAGE_REFUSALS.has(statusOf(error));
}

/** Whether the service failed, as some do at a page after the end. */
export function isServerError(error: unknown): boolean {
	return statusOf(error) >= 500;
}

/** That of the answer to the request for a page; 0 if none came. */
function statusOf(error: unknown): number {
	if (!(error instanceof ServiceFailure) || error instanceof TokenFailure) return 0;
	return error.statusCode ?? 0;
}
