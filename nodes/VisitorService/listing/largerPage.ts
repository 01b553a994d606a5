import { type FailureKind, ServiceFailure, TokenFailure } from '../failure/serviceFailure';
import { EMPTY_PAGE, type Page, type PageReader } from '../response/pageReader';
import type { RecordCollector } from './recordCollector';

/** The size that services are most likely to return. */
export const DEFAULT_PAGE_SIZE = 100;

/**
 * Page Size if it is not set. `first`: of the first page, which every service is likely to return;
 * `max`: of larger pages. Most services return that many; others as many as they allow, or an
 * error.
 */
export const AUTOMATIC_PAGE_SIZE = { first: DEFAULT_PAGE_SIZE, max: 1_000 };

/** How many times as long as the first page a larger one may take, plus a tolerance. */
const MAX_SLOWDOWN = 2;
const TOLERANCE_MS = 100;

/**
 * Whether to try larger pages than this one: if it is full, if more records remain than another
 * page of its size holds, and if an ID shows which records were received, should larger pages fail
 * later.
 */
export function isWorthEnlarging(
	{ metadata, records }: Page,
	{ pageSize, largerPageSize = 0 }: { pageSize: number; largerPageSize?: number },
	{ keys, selection }: RecordCollector,
): boolean {
	const { length } = records;
	const recordsLeft = Math.min(largerPageSize, metadata.total ?? Infinity) - length;
	if (length !== pageSize || recordsLeft <= pageSize || metadata.more === false) return false;
	return keys.hasIds && selection.remainingWith(records) > 0;
}

/**
 * Requests the first page once more, in a larger size. It is better if it begins with the same
 * records and is longer, but not slower for its length. If it is not, the first page is used.
 */
export async function tryLargerPage(
	first: Page,
	request: { pageNumber: number; pageSize: number },
	collector: RecordCollector,
	reader: PageReader,
): Promise<Page | undefined> {
	const { durationMs, records } = first;
	const allowedMs = (growth: number) => TOLERANCE_MS + durationMs * Math.min(growth, MAX_SLOWDOWN);
	const { pageNumber, pageSize } = request;
	const page = await reader
		.read(pageNumber, pageSize, allowedMs(MAX_SLOWDOWN))
		.catch(() => EMPTY_PAGE);
	const { length } = page.records;
	const isLonger = length > records.length && length <= pageSize;
	const isFast = page.durationMs <= allowedMs(length / records.length);
	if (isLonger && isFast && collector.keys.areContinued(records, page.records)) return page;
	collector.noteReceived(page);
	return undefined;
}

/** Failures that smaller pages would not avoid. */
const UNRELATED_KINDS: readonly FailureKind[] = [
	'authorization',
	'blocked',
	'cancelled',
	'configuration',
	'endless',
	'outOfTime',
	'permission',
	'rateLimit',
];

/** Whether smaller pages may be readable after a larger one failed. */
export function mayBeOfPageSize(error: unknown): boolean {
	if (!(error instanceof ServiceFailure) || error instanceof TokenFailure) return false;
	return !UNRELATED_KINDS.includes(error.kind);
}
