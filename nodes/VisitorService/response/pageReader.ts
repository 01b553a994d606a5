import { ServiceFailure, TokenFailure } from '../failure/serviceFailure';
import type { HttpResponse } from '../http/message';
import type { JsonObject } from '../values/json';
import { redactPath } from '../values/serverText';
import { isBodyError } from './errorBody';
import { type PagingMetadata, readPagingMetadata } from './paging';
import { findRecords, keyPathsOf, type ListShape, type ListTarget } from './records';

/** @throws ServiceFailure for everything but status 2xx other than 202 */
export type FetchPage = (page: number, pageSize: number) => Promise<HttpResponse>;

/** What the request for a page returned. */
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
	| { kind: 'noList' }
	/** A status or a text says: no such page, or not in that size. */
	| { kind: 'outOfRange'; failure: ServiceFailure }
	/** A response with a status of success that is not a page. */
	| { kind: 'invalid'; failure: ServiceFailure };

const NONE: Omit<Page, 'kind'> = { records: [], metadata: {} };

/** In place of a page that does not exist. */
export const EMPTY_PAGE: Page = { ...NONE, kind: 'empty' };

export function pageOutOfRange(failure: ServiceFailure): Page {
	return { ...NONE, kind: 'outOfRange', failure };
}

/** Bad Request, Not Found, Gone, Range Not Satisfiable, Unprocessable Content (RFC 9110 §15.5). */
const OUT_OF_RANGE_STATUSES: ReadonlySet<number> = new Set([400, 404, 410, 416, 422]);

/** Reads the pages of one list. The first page with records shows where they stand in all. */
export class PageReader {
	/** Dot paths of other lists of the page that showed where the list is. */
	otherPaths: readonly string[] = [];

	/** Names of the fields with numbers that are text, because they are too long to be exact. */
	readonly longIntegers = new Set<string>();

	/** Of the first page with records, or the last page before it; undefined until one was read. */
	private listShape?: ListShape;

	constructor(
		private readonly fetchPage: FetchPage,
		private readonly target: ListTarget,
	) {}

	/**
	 * Once a page was read, path and parameters are right: a later error is about the number of the
	 * page or its size.
	 */
	async read(page: number, pageSize: number): Promise<Page> {
		return await this.fetchPage(page, pageSize).then(
			(response) => this.readResponse(response),
			(error: unknown): Page => {
				if (this.listShape === undefined || !isPageOutOfRange(error)) throw error;
				return pageOutOfRange(error);
			},
		);
	}

	private readResponse(response: HttpResponse): Page {
		for (const name of response.longIntegers ?? []) this.longIntegers.add(redactPath(name));
		const result = findRecords(response, this.target, this.listShape);
		if (isBodyError(result)) {
			if (this.listShape === undefined) throw result.failure;
			const kind = result.kind === 'noData' ? 'outOfRange' : 'invalid';
			return { ...NONE, kind, failure: result.failure };
		}
		const { otherPaths, path, records } = result;
		const hasRecords = records.length > 0;
		const kindIfEmpty = result.kind === 'noList' ? 'noList' : 'empty';
		if (this.itemsPath === undefined) {
			this.listShape = {
				path: hasRecords ? path : undefined,
				keyPaths: keyPathsOf(response.body, path),
			};
			if (hasRecords) this.otherPaths = otherPaths;
		}
		const metadata = readPagingMetadata(response.body, response.headers);
		return { kind: hasRecords ? 'records' : kindIfEmpty, records, metadata };
	}

	/** From now on a page may have another form than those before it. @returns what undoes that */
	releaseForm(): () => void {
		const { listShape, otherPaths } = this;
		this.listShape = undefined;
		return () => {
			this.listShape = listShape;
			this.otherPaths = otherPaths;
		};
	}

	/** Dot path of the list; undefined until a page had records. */
	get itemsPath(): string | undefined {
		return this.listShape?.path;
	}
}

export function isPageOutOfRange(error: unknown): error is ServiceFailure {
	return isOutOfRangeStatus(statusOf(error));
}

/** Whether it is the status with which a service may say that there is no such page. */
export function isOutOfRangeStatus(statusCode: number): boolean {
	return OUT_OF_RANGE_STATUSES.has(statusCode);
}

/** Whether the service failed, as some do at a page after the end. */
export function isServerError(error: unknown): boolean {
	return statusOf(error) >= 500;
}

/** That of the response to the request for a page; 0 without a response. */
function statusOf(error: unknown): number {
	if (!(error instanceof ServiceFailure) || error instanceof TokenFailure) return 0;
	return error.statusCode ?? 0;
}
