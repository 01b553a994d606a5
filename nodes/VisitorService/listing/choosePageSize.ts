import type { JsonObject } from './findRecords';
import type { Page } from './pageReader';

/** How to read on behind the first page. */
export interface Continuation {
	page: number;
	pageSize: number;
	/** Records the first page already held that this page may begin with. */
	overlap: number;
	/** The page itself, where finding out took reading it. */
	read?: Page;
}

export interface FirstPage {
	number: number;
	pageSize: number;
	records: readonly JsonObject[];
}

export interface Probing {
	/** Resolves with a page without records where the service refuses it. */
	read: (page: number, pageSize: number) => Promise<Page>;
	/** Whether equal records are the same one. */
	hasIds: boolean;
	/** Equal for records that are the same, as far as can be told. */
	keyOf: (record: JsonObject) => string | number;
}

/**
 * Finds the page size to read on with where the first page held more or fewer records than were asked for. The
 * service clamps or ignores `pageSize`: then the size that came is right, and only that one where the offset is
 * still computed from the size asked for. Or it filters after paging: then only the size asked for is right.
 * Or the list ends here. Three requests at most, and mostly one, which the listing has to send anyway.
 */
export async function choosePageSize(first: FirstPage, probing: Probing): Promise<Continuation> {
	const came = first.records.length;
	if (came === 0 || came === first.pageSize) {
		return { page: first.number + 1, pageSize: first.pageSize, overlap: 0 };
	}
	return first.number === 0 ? await fromTheStart(first, probing) : await fromWithin(first, probing);
}

async function fromTheStart(first: FirstPage, probing: Probing): Promise<Continuation> {
	const { read, keyOf, hasIds } = probing;
	const asked = first.pageSize;
	const came = first.records.length;
	const next = await read(1, came);
	const atSizeThatCame = { page: 1, pageSize: came, overlap: 0, read: next };

	const known = new Set(first.records.map(keyOf));
	const isKnown = (record: JsonObject) => known.has(keyOf(record));
	// A full page of other records: a filtered first page would have left a gap or an overlap.
	if (next.records.length >= came && !next.records.some(isKnown)) return atSizeThatCame;
	if (next.records.length === 0 && came > asked) return atSizeThatCame;

	// Where numbering starts at 1, this was the first page again, and says nothing.
	const isFirstAgain = next.records.length > 0 && next.records.every(isKnown);
	if (!isFirstAgain) {
		// A filter leaves out what is not on the pages of full size either; a clamped size leaves a gap between them.
		const full = await read(1, asked);
		for (const record of full.records) known.add(keyOf(record));
		if (!next.records.every(isKnown)) return atSizeThatCame;
		// Without ids, equal records may have hidden the gap.
		const isCertain = hasIds || next.records.length === 0;
		if (isCertain) return { page: 1, pageSize: asked, overlap: 0, read: full };
	}
	// Asked for just as many as came, only a filter sends fewer.
	const again = await read(0, came);
	if (again.records.length >= came) return atSizeThatCame;
	return { page: 1, pageSize: asked, overlap: 0 };
}

/** Where the first page is a later one, it has to be found out first what lies before it. */
async function fromWithin(first: FirstPage, { read, keyOf }: Probing): Promise<Continuation> {
	const { number, pageSize: asked } = first;
	const came = first.records.length;
	const keys = first.records.map(keyOf);
	const startsLikeFirst = ({ records }: Page, skip: number) =>
		records.length >= came &&
		keys.slice(0, came - skip).every((key, place) => {
			const record = records[place + skip];
			return record !== undefined && keyOf(record) === key;
		});

	if (startsLikeFirst(await read(number, came), 0)) {
		return { page: number + 1, pageSize: came, overlap: 0 };
	}
	// The offset is that of the size asked for: in pages of the size that came, this one lies elsewhere.
	const offset = number * asked;
	const page = Math.floor(offset / came);
	const overlap = offset % came;
	if (startsLikeFirst(await read(page, came), overlap)) {
		return { page: page + 1, pageSize: came, overlap };
	}
	return { page: number + 1, pageSize: asked, overlap: 0 };
}
