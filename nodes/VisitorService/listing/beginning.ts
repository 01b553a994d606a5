import type { Page } from '../answer/pageReader';
import type { PagingMetadata } from '../answer/paging';
import type { JsonObject } from '../values/json';
import { pageIgnored } from './failures';
import { askForFirstNumber } from './numbering';
import { isAsLongAsAsked, isShorterThanAsked } from './pageLength';
import { type Continuation, longer, type PageSource } from './pageSize';
import { agree, areInBoth, beginsLike, type FingerprintsOf } from './sameRecords';

/** Pages, of which some were read already. */
export interface BeginningSource extends PageSource {
	/** Asks for a page once more. */
	readAgain: (page: number, pageSize: number) => Promise<Page>;
	/** The ID of a record, if records seem to have one: of other records it is another one. */
	idOf?: FingerprintsOf;
}

/** The page a reading is to begin with, and what it states. */
export interface LaterPage {
	number: number;
	pageSize: number;
	records: readonly JsonObject[];
	metadata: PagingMetadata;
}

export interface ListBeginning {
	/** Undefined if the reading begins with the page that was set. */
	at?: Continuation;
	/** Whether records are left out of pages, so that it may begin with another record. */
	isGuess: boolean;
}

const AS_SET: ListBeginning = { isGuess: false };

/**
 * Where a reading begins that does not begin with the first page. Its offset is the number of the
 * page times the size asked for, so that Page 0, 1, 2 join, even if the service sends longer or
 * shorter pages than it is asked for.
 *
 * @throws ServiceFailure if that page is the first one again, as it is whatever its number and size
 */
export async function findBeginning(
	later: LaterPage,
	source: BeginningSource,
): Promise<ListBeginning> {
	const { number, pageSize, records } = later;
	const { read, fingerprintsOf } = source;
	if (number === 0 || isLastAtItsOffset(later)) return AS_SET;
	// If it is the last page, the pages before it may be longer.
	const next = records.length === pageSize ? await read(number + 1, pageSize) : undefined;
	const isMore = isNotLonger(next, pageSize);
	if (next !== undefined && isMore && !(await isSamePage(next, later, source))) return AS_SET;
	// Only the first page shows how long pages are: this one may be the last one, or one after the
	// end.
	const zero = await readPageZero(pageSize, later, source);
	// A service that counts from 1 may return page 1 as page 0, and no later one.
	const isLater = number > 1 || isMore;
	const doDiffer = records.slice(1).some((one) => !agree([one], [one], records, fingerprintsOf));
	const isFirst = zero.records.length === records.length && beginsWith(zero, later, source);
	if (isLater && doDiffer && isFirst) {
		const whole = { read, fingerprintsOf: (record: JsonObject) => [JSON.stringify(record)] };
		if ((await askForFirstNumber(zero.records, whole)) === undefined) throw pageIgnored();
	}
	// Of longer pages, one from which records are left out, or that was cut short once, may be as
	// long as was asked for.
	const before = next ? [] : await pageBefore(later, source);
	const after = next ? [next] : [];
	const isLonger = [...before, later, ...after].some((one) => one.records.length > pageSize);
	if (zero.records.length === pageSize && !isLonger) return AS_SET;
	const second = await read(1, pageSize);
	const first = zero.records.length > 0 ? await readPageZero(pageSize, second, source) : zero;
	const shift = (await isFirstAgain(first, second, pageSize, source)) ? 1 : 0;
	const between = [...(number > 2 ? before : []), ...(number > 1 ? [later] : [])];
	const begin = shift === 0 ? [first, second] : [second];
	const size = lengthOfPages([...begin, ...between, ...after], pageSize);
	const length = { asked: pageSize, came: size.longest };
	if (size.longest === 0) return AS_SET;
	if (isAsLongAsAsked(length)) return { isGuess: size.isGuess };
	// After the end of shorter pages it is after the end of pages of the size asked for, too.
	if (isShorterThanAsked(length) && records.length === 0 && later.metadata.more !== true) {
		return AS_SET;
	}
	const sameNumber = await read(number, size.longest);
	const readAgain = async () => await source.readAgain(number, pageSize);
	const isSame = await areInBoth({ records, readAgain }, sameNumber.records, fingerprintsOf);
	// If that were how long pages are, they would be the same ones.
	if (!isSame) return { isGuess: true };
	const offset = (number - shift) * pageSize;
	const page = Math.floor(offset / size.longest) + shift;
	const at = { page, pageSize: size.longest, overlap: offset % size.longest };
	// The first page begins where it does, however long it is.
	return { at: { ...at, seen: page < number ? records : [] }, isGuess: size.isGuess && offset > 0 };
}

/**
 * The page before a short one, unless the total says that it is the last of its size: whether that
 * is repeated is asked in any case.
 */
async function pageBefore(later: LaterPage, { read }: BeginningSource): Promise<Page[]> {
	const { number, pageSize, records } = later;
	const isShort = records.length > 0 && records.length < pageSize;
	if (number === 1 || !isShort || reachesTotal(later)) return [];
	return [await read(number - 1, pageSize)];
}

/** Whether the total is reached with the page, if all pages before it are as long as asked for. */
export function reachesTotal({ number, pageSize, records, metadata }: LaterPage): boolean {
	return metadata.total === number * pageSize + records.length;
}

/** Whether it is the last page, and as many records as there should be are before it. */
export function isLastAtItsOffset(later: LaterPage): boolean {
	const { number, pageSize, records, metadata } = later;
	const isLast = metadata.more === false || metadata.totalPages === number + 1;
	// A longer page than asked for begins elsewhere, whatever the numbers come to.
	return records.length > 0 && records.length <= pageSize && isLast && reachesTotal(later);
}

function isNotLonger(page: Page | undefined, pageSize: number): boolean {
	const came = page?.records.length ?? 0;
	return came > 0 && came <= pageSize;
}

/**
 * The first page, asked for again if it is shorter than a later one: it was cut short once, or
 * records are left out of it.
 */
async function readPageZero(
	pageSize: number,
	{ records }: Pick<LaterPage, 'records'>,
	{ read, readAgain }: BeginningSource,
): Promise<Page> {
	const first = await read(0, pageSize);
	return first.records.length < records.length
		? longer(first, await readAgain(0, pageSize))
		: first;
}

/**
 * Whether page 1 is page 0 once more, as far as the shorter answer reaches, or page 0 is empty: the
 * service counts from 1.
 */
async function isFirstAgain(
	first: Page,
	second: Page,
	pageSize: number,
	{ readAgain, fingerprintsOf }: BeginningSource,
): Promise<boolean> {
	if (second.records.length === 0) return false;
	const records = first.records.slice(0, second.records.length);
	const begin = { records, readAgain: async () => await readAgain(0, pageSize) };
	return records.length === 0 || (await areInBoth(begin, second.records, fingerprintsOf));
}

/** Whether a page holds the records of the later one again, whatever differs in each answer. */
async function isSamePage(
	{ records }: Page,
	later: LaterPage,
	{ readAgain, fingerprintsOf, idOf = fingerprintsOf }: BeginningSource,
): Promise<boolean> {
	if (!beginsLike(records, later.records, idOf)) return false;
	const begin = {
		records: later.records.slice(0, records.length),
		readAgain: async () => await readAgain(later.number, later.pageSize),
	};
	return await areInBoth(begin, records, fingerprintsOf);
}

/** Whether a page begins with all of another one. */
function beginsWith(
	one: Pick<LaterPage, 'records'>,
	other: Pick<LaterPage, 'records'>,
	{ fingerprintsOf }: BeginningSource,
): boolean {
	return agree(one.records, one.records, other.records, fingerprintsOf);
}

/** How long pages are, by some of them in their order. */
function lengthOfPages(
	pages: ReadonlyArray<Pick<LaterPage, 'records' | 'metadata'>>,
	asked: number,
) {
	const longest = Math.max(0, ...pages.map(({ records }) => records.length));
	const isFull = ({ records, metadata: { pageSize = 0 } }: (typeof pages)[number]) =>
		records.length === longest && records.length >= pageSize;
	const last = pages.map(({ records }) => records.length > 0).lastIndexOf(true);
	// The last one is short because it is the last. A maximum shows on two pages.
	const isGuess =
		!pages.slice(0, Math.max(0, last)).every(isFull) ||
		(longest < asked && pages.filter(isFull).length < 2);
	return { longest, isGuess };
}
