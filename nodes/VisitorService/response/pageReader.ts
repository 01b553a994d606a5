import { ServiceFailure, TokenFailure } from '../failure/serviceFailure';
import type { HttpResponse } from '../http/message';
import type { Records } from '../values/json';
import { redactPath } from '../values/serverText';
import { isBodyError } from './errorBody';
import { type PagingMetadata, readPagingMetadata } from './paging';
import { findRecords, keyPathsOf, type ListShape, type ListTarget } from './records';

/**
 * @param trialTimeoutMs if the list can be read without this page: then it is requested only once
 * @throws ServiceFailure for everything but status 2xx other than 202
 */
export type FetchPage = (
	page: number,
	pageSize: number,
	trialTimeoutMs?: number,
) => Promise<HttpResponse>;

/** What the request for a page returned. */
export type Page = PageOutcome & {
	/** At least one for `records`, none for any other kind. */
	records: Records;
	metadata: PagingMetadata;
	durationMs: number;
	/** Dot path of the list; undefined if the response only says that it is empty. */
	path?: string;
};

type PageOutcome =
	| { kind: 'records' }
	/** A list that is explicitly empty. */
	| { kind: 'empty' }
	/** Neither a list nor anything else: `null`, `{}`, 204. */
	| { kind: 'noList' }
	/** By its status or text there is no such page, or not in that size. */
	| { kind: 'outOfRange'; failure: ServiceFailure }
	/** A response with a success status that is not a page. */
	| { kind: 'invalid'; failure: ServiceFailure };

const NONE: Omit<Page, 'kind'> = { records: [], metadata: {}, durationMs: 0 };

/** Stands for a page that does not exist. */
export const EMPTY_PAGE: Page = { ...NONE, kind: 'empty' };

export function pageOutOfRange(failure: ServiceFailure): Page {
	return { ...NONE, kind: 'outOfRange', failure };
}

/** Bad Request, Not Found, Gone, Range Not Satisfiable, Unprocessable Content (RFC 9110 §15.5). */
const OUT_OF_RANGE_STATUSES: ReadonlySet<number> = new Set([400, 404, 410, 416, 422]);

/** Reads the pages of one list. The first page with records shows where all have them. */
export class PageReader {
	/** Names of fields whose numbers are returned as text, because they are too long to be exact. */
	readonly longIntegers = new Set<string>();

	/** Shape of the first page with records, or the last page before it. Undefined at first. */
	private listShape?: ListShape & { otherPaths: readonly string[] };

	constructor(
		private readonly fetchPage: FetchPage,
		private readonly target: ListTarget,
	) {}

	/**
	 * Once a page was read, path and parameters are right, so a later error means that the page is
	 * out of range, or its size.
	 */
	async read(page: number, pageSize: number, trialTimeoutMs?: number): Promise<Page> {
		return await this.fetchPage(page, pageSize, trialTimeoutMs).then(
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
				otherPaths: hasRecords ? otherPaths : [],
			};
		}
		const metadata = readPagingMetadata(response.body, response.headers);
		const { durationMs = 0 } = response;
		return { kind: hasRecords ? 'records' : kindIfEmpty, records, metadata, durationMs, path };
	}

	/** Lets the next page have another form than earlier ones. @returns a function that undoes it */
	releaseForm(): () => void {
		const { listShape } = this;
		this.listShape = undefined;
		return () => {
			this.listShape = listShape;
		};
	}

	/** Dot path of the list; undefined until a page had records. */
	get itemsPath(): string | undefined {
		return this.listShape?.path;
	}

	/** Dot paths of other lists on the page that showed where the list is. */
	get otherPaths(): readonly string[] {
		return this.listShape?.otherPaths ?? [];
	}
}

export function isPageOutOfRange(error: unknown): error is ServiceFailure {
	return isOutOfRangeStatus(statusOf(error));
}

/** Whether the request for page 0 may have failed because the service counts from 1. */
export function mayCountFromOne(error: unknown): error is ServiceFailure {
	return isPageOutOfRange(error) || statusOf(error) === 500;
}

/** Whether a service may respond with this status if there is no such page. */
export function isOutOfRangeStatus(statusCode: number): boolean {
	return OUT_OF_RANGE_STATUSES.has(statusCode);
}

/** Whether the service failed, as some services do for a page after the end. */
export function isServerError(error: unknown): boolean {
	return statusOf(error) >= 500;
}

/** Status of the response to the request for a page; 0 without a response. */
function statusOf(error: unknown): number {
	if (!(error instanceof ServiceFailure) || error instanceof TokenFailure) return 0;
	return error.statusCode ?? 0;
}
