import type { Page } from '../answer/pageReader';
import type { JsonObject } from '../values/json';
import {
	isAsLongAsAsked,
	isCutShort,
	isLongerThanAsked,
	isShorterThanAsked,
	lengthOf,
	mayBeMaximum,
} from './pageLength';
import {
	areAlike,
	areInBoth,
	beginsLike,
	type FingerprintsOf,
	fieldsAsText,
	isOneOf,
} from './sameRecords';

/** How to read on after the first page. */
export interface Continuation {
	page: number;
	pageSize: number;
	/** Records the first page already held that this page may begin with. */
	overlap: number;
	/** The page itself, if finding out took reading it. */
	read?: Page;
	/** Records that were seen on other pages, and have to come still. */
	seen: readonly JsonObject[];
	/** Whether the page before it may have been cut short, so that records may be missing. */
	mayMiss?: boolean;
	/** Whether answers contradict each other, and only an ID shows whether this is right. */
	isGuess?: boolean;
}

export interface FirstPage {
	number: number;
	pageSize: number;
	records: readonly JsonObject[];
	/** Whether the service speaks of records after this page. */
	isMoreKnown: boolean;
}

export interface PageSource {
	/** Resolves with a page without records if the service refuses it. */
	read: (page: number, pageSize: number) => Promise<Page>;
	/** Two records of which a fingerprint is equal are the same, as far as can be told. */
	fingerprintsOf: FingerprintsOf;
}

/** Page Size if it is not set; as the editor shows it. */
export const USUAL_PAGE_SIZE = 100;

/**
 * Finds the page size to read on with if the first page held more or fewer records than were asked
 * for. A service may have a maximum, ignore `pageSize`, leave records out of its pages, or have
 * come to its end. Pages of the returned size join without a gap, even if offsets are computed from
 * the size asked for; only if records are left out, pages of the size asked for do.
 *
 * A list that ends with its first page takes one request to see that.
 */
export async function settlePageSize(first: FirstPage, source: PageSource): Promise<Continuation> {
	const length = { asked: first.pageSize, came: first.records.length };
	if (length.came === 0 || isAsLongAsAsked(length)) return nextPage(first.number, length.asked);
	return first.number === 0 ? await fromStart(first, source) : await fromWithin(first, source);
}

/** The page after this one, of the size asked for. */
export function nextPage(number: number, pageSize: number): Continuation {
	return { page: number + 1, pageSize, overlap: 0, seen: [] };
}

async function fromStart(
	{ records, pageSize, isMoreKnown }: FirstPage,
	{ read, fingerprintsOf }: PageSource,
): Promise<Continuation> {
	const came = records.length;
	const isKnown = isOneOf(records, fingerprintsOf);
	const goOn = (size: number, page: Page, ...seen: Page[]): Continuation => ({
		page: 1,
		pageSize: size,
		overlap: 0,
		read: page,
		mayMiss: size === came && seen.some((other) => other.records.length > came),
		seen: seen.flatMap((other) => other.records),
	});

	let next: Page | undefined;
	let full: Page | undefined;
	if (!isMoreKnown) {
		const size = sizeThatTells(came, pageSize);
		const second = await read(1, size);
		// It may be the size that is refused, and not the page.
		const isRefused = second.kind === 'refused' && size !== pageSize;
		if (isRefused) full = await read(1, pageSize);
		const other = full ?? second;
		if (other.records.length === 0) return goOn(pageSize, other);
		if (size === came && !isRefused) next = second;
		if (size === pageSize) full = second;
	}
	next ??= await read(1, came);
	const overlaps = next.records.some(isKnown);
	const isNextShort = isShorterThanAsked(lengthOf(next, came));
	if (!isNextShort && !overlaps) return goOn(came, next, ...(full ? [full] : []));
	if (overlaps) {
		// Asked for just as many as came, only a service that leaves records out sends fewer.
		const again = await read(0, came);
		const same = lengthOf(again, came);
		const isGuess = isLongerThanAsked(same) || !beginsLike(again.records, records, fingerprintsOf);
		if (!isCutShort(same, came)) return { ...goOn(came, next), isGuess };
	}
	full ??= await read(1, pageSize);
	if (full.records.length === 0) return { ...goOn(came, next), isGuess: overlaps };
	const others: Page[] = [];
	if (isNextShort) {
		const again = await read(1, came);
		others.push(next, again);
		next = longer(next, again);
	}
	const isClamped = next.records.length > 0 && areAlike(next.records, full.records, fingerprintsOf);
	// If it clamps the size as well, there is a gap between pages of the size asked for.
	const isOnFull = isOneOf(full.records, fingerprintsOf);
	const hasGap = !next.records.every((record) => isKnown(record) || isOnFull(record));
	if (!isClamped && !hasGap) return { ...goOn(pageSize, full, next, ...others), isGuess: overlaps };
	// Of one size, pages of one number are the same; of two, they have nothing in common.
	const contradict = !isClamped && next.records.some(isOnFull);
	const continuation = goOn(came, next, full, ...others);
	return { ...continuation, isGuess: overlaps, mayMiss: continuation.mayMiss || contradict };
}

/** At which size page 1 tells a whole list from the first of several pages. */
function sizeThatTells(came: number, asked: number): number {
	// It reaches the next page of the size asked for, and leaves out what was returned at most.
	if (2 * came > asked) return came;
	if (2 * came === asked) return came + 1;
	return mayBeMaximum({ asked, came }) ? came : asked;
}

export function longer(one: Page, other: Page): Page {
	return other.records.length > one.records.length ? other : one;
}

/** If the first page is a later one, it has to be found out first what lies before it. */
async function fromWithin(
	{ number, pageSize, records }: FirstPage,
	{ read }: PageSource,
): Promise<Continuation> {
	const came = records.length;
	const readAgain = async () => await read(number, pageSize);
	const goOn = (page: number, size: number, overlap = 0): Continuation => ({
		page,
		pageSize: size,
		overlap,
		seen: [],
	});
	const beginsAt = async (page: number, skip: number) => {
		const { records: others } = await read(page, came);
		if (others.length < came) return false;
		const mine = { records: records.slice(0, came - skip), readAgain };
		return await areInBoth(mine, others.slice(skip), fieldsAsText);
	};

	if (await beginsAt(number, 0)) return goOn(number + 1, came);
	// The offset is that of the size asked for: in pages of the returned size, this one has another
	// number.
	const offset = number * pageSize;
	const page = Math.floor(offset / came);
	const overlap = offset % came;
	return (await beginsAt(page, overlap))
		? goOn(page + 1, came, overlap)
		: { ...goOn(number + 1, pageSize), mayMiss: true };
}
