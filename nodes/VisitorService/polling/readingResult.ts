import { type FailureKind, ServiceFailure } from '../failure/serviceFailure';
import type { FirstPageNumber } from '../listing/firstPage';
import { AUTOMATIC_PAGE_SIZE } from '../listing/largerPage';
import type { EarlierReading } from '../listing/listFacts';
import { isPageOutOfRange } from '../response/pageReader';

/** Where a reading begins, or is resumed by the next poll. */
export interface ResumePoint {
	/** Its number, as the service counts. */
	page: number;
	pageSize: number;
	/** The number of the first page, `firstPageNumber` elsewhere, if that is 1. */
	first?: FirstPageNumber;
}

/** How a reading ended. */
export type ReadingResult = {
	requestCount: number;
} /** All records were received, as far as the service shows. */ & (
	| { kind: 'complete'; total?: number; earlier: EarlierReading }
	/** Records moved between pages meanwhile, so that others may have been missed. */
	| { kind: 'moved' }
	/** The same, although the total did not change. */
	| { kind: 'unordered' }
	/** The list ended, but there may be more records. */
	| { kind: 'uncertain' }
	/** A failure ended it. The next poll resumes it there. */
	| { kind: 'interrupted'; resumePoint: ResumePoint }
);

export interface ReadingProgress {
	/** The size each page was requested in, and the ID of its first record; empty if it has none. */
	receivedPages: Map<number, { pageSize: number; id: string }>;
	/** The page size from the second page of the reading on. */
	laterPageSize: number;
	requestCount: number;
	receivedCount: number;
}

/** @throws the error, if it concerns the whole list, or the reading got no further than before */
export function resultOfInterrupted(
	failure: unknown,
	from: ResumePoint,
	read: ReadingProgress,
): ReadingResult {
	if (!(failure instanceof ServiceFailure)) throw failure;
	const { requestCount } = read;
	// If the list has become shorter, pages after its end are out of range, or repeated.
	const isRepeated = failure.kind === 'pageIgnored' || failure.kind === 'endless';
	if (from.page > 0 && (read.receivedPages.size === 0 ? isPageOutOfRange(failure) : isRepeated))
		return { requestCount, kind: 'uncertain' };
	const resumePoint = findResumePoint(from, read);
	// Any other failure concerns a page, which the next poll requests again.
	const startPage = Math.max(from.page, resumePoint.first ?? 0);
	if (isRepeated || failure.kind === 'configuration' || resumePoint.page === startPage)
		throw failure;
	return { requestCount, kind: 'interrupted', resumePoint };
}

/** Leaves the rest to the next poll, from the same record on; undefined if pages are small. */
export function inSmallerPages(
	from: ResumePoint,
	read: ReadingProgress,
): ReadingResult | undefined {
	const { requestCount } = read;
	const { first = 0, page, pageSize } = findResumePoint(from, read);
	const smaller = AUTOMATIC_PAGE_SIZE.first;
	if (pageSize <= smaller) return undefined;
	const resumePage = first + Math.floor(((page - first) * pageSize) / smaller);
	const resumePoint = { first, page: resumePage, pageSize: smaller };
	return { requestCount, kind: 'interrupted', resumePoint };
}

/** The first page that was not received. */
function findResumePoint(
	from: ResumePoint,
	{ receivedPages, laterPageSize }: ReadingProgress,
): ResumePoint {
	const [zero, one] = [receivedPages.get(0)?.id, receivedPages.get(1)?.id];
	// Page 1 is the first one if page 0 is empty, or the same.
	const countsFromOne = zero === '' || (zero !== undefined && zero === one);
	const first = from.first ?? (countsFromOne ? 1 : 0);
	let page = Math.max(from.page, first);
	while (
		page <= first ? receivedPages.has(page) : receivedPages.get(page)?.pageSize === laterPageSize
	)
		page++;
	return { page, pageSize: laterPageSize, ...(first > 0 && { first }) };
}

export function isFailureOfKind(error: unknown, kind: FailureKind): boolean {
	return error instanceof ServiceFailure && error.kind === kind;
}
