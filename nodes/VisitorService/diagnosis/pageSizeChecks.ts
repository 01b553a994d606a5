import { type Finding, ok, type Setting, unknown } from './finding';
import { searchPageSize } from './pageSizeSearch';
import { bringsOthers, LARGEST_SIZE_ASKED, type PagingFacts, readFirstPage } from './pagingFacts';
import { reasonOf, type UserPages } from './userPages';

/**
 * The largest page size that is honoured. A number of records that came is a limit only where nothing else can have
 * shortened the page: the end of the list, or records left out for lack of permission.
 */
export async function checkMaxPageSize(pages: UserPages, facts: PagingFacts): Promise<Finding> {
	const { largest, pageSizeHonoured } = facts;
	if (facts.incomparable !== undefined) return unknown('maxPageSize', facts.incomparable);
	if (pageSizeHonoured === false) return unknown('maxPageSize', 'The service ignores "pageSize".');
	if (largest.kind === 'unclear') return unknown('maxPageSize', largest.reason);
	if (largest.kind === 'refused') {
		const accepted = facts.acceptedPageSize ?? 0;
		return await search(pages, facts, accepted, 'A larger page size is refused.');
	}
	const came = largest.page.keys.length;
	if (came >= LARGEST_SIZE_ASKED) {
		return unknown(
			'maxPageSize',
			`A page of ${came} records came in full; larger ones were not asked for.`,
			recommend(came),
		);
	}
	if (pageSizeHonoured === undefined || facts.firstPageNumber === undefined) {
		return unknown(
			'maxPageSize',
			'The list is too short to show it, or its pages cannot be told apart.',
		);
	}
	return await judgeShortened(pages, facts, came, facts.firstPageNumber + 1);
}

/** The number of records that come without a page size. Asks one question at most, where earlier ones do not show it. */
export async function checkDefaultPageSize(pages: UserPages, facts: PagingFacts): Promise<Finding> {
	const { first, keys, incomparable, pageSizeHonoured } = facts;
	const came = first.keys.length;
	if (incomparable !== undefined) return unknown('defaultPageSize', incomparable);
	const stated = statedDefault(facts);
	if (stated !== undefined)
		return ok('defaultPageSize', stated, 'The service names it in its answer.');
	if (facts.more !== true && keys.length <= came) {
		return unknown(
			'defaultPageSize',
			`All that is known of the list, ${came} records, came without a page size.`,
		);
	}
	// Where no size can be asked for, none shows whether records were left out of the page.
	const mayBeWhole = pageSizeHonoured === true && facts.shortPages !== true && isUsualSize(came);
	if (mayBeWhole && facts.fullPage < came) await readFirstPage(pages, facts, came);
	if (mayBeWhole && facts.fullPage >= came) {
		return ok('defaultPageSize', came, 'So many records come without a page size.');
	}
	return unknown(
		'defaultPageSize',
		`${came} records came without a page size, but records may have been left out of the page.`,
	);
}

/** The default size as the answer itself names it. */
function statedDefault({
	first,
	statesPageSize,
	pageSizeHonoured,
}: PagingFacts): number | undefined {
	const { statedSize, keys } = first;
	if (statedSize === undefined) return undefined;
	if (statesPageSize && statedSize >= keys.length) return statedSize;
	return pageSizeHonoured === false && statedSize === keys.length ? statedSize : undefined;
}

/** Fewer records came than were asked for. */
async function judgeShortened(
	pages: UserPages,
	facts: PagingFacts,
	came: number,
	nextPage: number,
): Promise<Finding> {
	const next = await pages.read({ page: nextPage, pageSize: came });
	if (next.kind === 'unclear') return unknown('maxPageSize', next.reason);
	facts.more = next.kind === 'page' && bringsOthers(next.page.keys, facts.keys);
	const stated = statedLimit(facts);
	if (stated !== undefined) {
		return limit(
			facts,
			stated,
			`The service names ${stated} as its page size where more is asked for.`,
		);
	}
	if (!facts.more) {
		return unknown(
			'maxPageSize',
			`The whole list, ${came} records, fits on one page, so no limit shows.`,
		);
	}
	if (came === facts.first.keys.length) {
		// As many as without a page size: the limit, or what comes for any size beyond it.
		const larger = await readFirstPage(pages, facts, came + 1);
		if (larger.kind !== 'page') return unknown('maxPageSize', reasonOf(larger));
		if (larger.page.keys.length > came) {
			return await search(
				pages,
				facts,
				came + 1,
				`A larger page size is answered with the default one, ${came}.`,
			);
		}
	}
	if (await isLimit(pages, facts, came)) {
		return limit(
			facts,
			came,
			`A larger page size is cut to ${came}, and the service does not say so.`,
		);
	}
	facts.shortPages = true;
	return unknown(
		'maxPageSize',
		`Of a page of ${LARGEST_SIZE_ASKED} only ${came} records came, but records may have been left out, for example for lack of permission. The size of the default page is a safe one.`,
		recommend(facts.first.keys.length),
	);
}

/** The limit as the answer itself names it; the default size may be one, or what comes for a size beyond it. */
function statedLimit({ statesPageSize, first, largest }: PagingFacts): number | undefined {
	const stated = largest.kind === 'page' ? largest.page.statedSize : undefined;
	if (!statesPageSize || stated === undefined || stated === first.statedSize) return undefined;
	return stated < LARGEST_SIZE_ASKED ? stated : undefined;
}

/** Whether the number of records that came is the size of the page, and not what was left of a larger one. */
async function isLimit(pages: UserPages, facts: PagingFacts, came: number): Promise<boolean> {
	if (facts.shortPages === true || !isUsualSize(came)) return false;
	if (facts.fullPage < came) await readFirstPage(pages, facts, came);
	return facts.fullPage >= came;
}

async function search(
	pages: UserPages,
	facts: PagingFacts,
	accepted: number,
	beyond: string,
): Promise<Finding> {
	const { low, high, reason } = await searchPageSize(pages, facts, accepted);
	if (low > 0) facts.acceptedPageSize = low;
	if (low > 0 && high - low === 1) return limit(facts, low, beyond);
	return unknown(
		'maxPageSize',
		reason ??
			`A page size of ${high} is not honoured${low > 0 ? `, one of ${low} is` : ''}; the limit was not searched further.`,
		low > 0 ? recommend(low) : null,
	);
}

function limit(facts: PagingFacts, size: number, beyond: string): Finding {
	facts.maxPageSize = size;
	return ok('maxPageSize', size, beyond, recommend(size));
}

/** Sizes are round in one way or the other; what is left of a page after leaving records out seldom is. */
function isUsualSize(size: number): boolean {
	return size % 5 === 0 || Number.isInteger(Math.log2(size));
}

function recommend(size: number): Setting {
	return { pageSize: Math.min(size, LARGEST_SIZE_ASKED - 1) };
}
