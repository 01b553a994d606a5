import { type Finding, failed, ok, unknown, warning } from './finding';
import { locatePage, type PagePosition } from './pagePosition';
import { bringsOthers, noteRecords, type PagingFacts } from './pagingFacts';
import { type PageReading, reasonOf, type UserPages } from './userPages';

const LARGEST_LIMIT = 1_000_000_000;
const TOO_SHORT = 'The list is too short to show it.';
const UNSTABLE = 'The order of the list changes from one request to the next.';

/** What `page` and `pageSize` do: at most three questions for pages that lie within what is known of the list. */
export async function checkNumbering(pages: UserPages, facts: PagingFacts): Promise<Finding[]> {
	if (facts.incomparable !== undefined) {
		return [
			...unknownNumbering(facts.incomparable),
			unknown('pageSizeHonoured', facts.incomparable),
		];
	}
	const probe = new PageProbe(pages, facts);
	const numbering = await judgePageOne(probe, facts);
	return [...numbering, describePageSize(probe.pageSize, facts)];
}

/** Asks for small pages and notes what they show of the page size. */
class PageProbe {
	/** Three pages of this size lie within what is known, wherever the numbering starts. */
	readonly pageSize: number;

	constructor(
		private readonly pages: UserPages,
		private readonly facts: PagingFacts,
	) {
		const { first, largest } = facts;
		const shorter = largest.kind === 'page' ? largest.page.keys.length : Infinity;
		this.pageSize = Math.max(1, Math.floor(Math.min(first.keys.length, shorter) / 3));
	}

	/** Whether the known part of the list is longer than one small page. */
	get severalPages(): boolean {
		return this.facts.pageSizeHonoured === true && this.facts.keys.length > this.pageSize;
	}

	/** @param page undefined = leave the parameter out */
	async ask(page?: number): Promise<PagePosition | 'refused' | { reason: string }> {
		const { pageSize, facts } = this;
		const reading = await this.pages.read({ ...(page !== undefined && { page }), pageSize });
		this.learnFrom(reading);
		if (reading.kind === 'unclear') return { reason: reasonOf(reading) };
		if (reading.kind === 'refused') return 'refused';
		const fullPages = [facts.first.keys.length, facts.keys.length];
		return locatePage(reading.page.keys, facts.keys, pageSize, fullPages);
	}

	/** A page was asked for that is smaller than the default one, so what comes says how `pageSize` is taken. */
	private learnFrom(reading: PageReading): void {
		const { facts, pageSize } = this;
		const standard = facts.first.keys.length;
		if (reading.kind !== 'page' || reading.page.keys.length === 0 || standard <= pageSize) return;
		const { keys, statedSize } = reading.page;
		noteRecords(facts, keys);
		// Of two records both may come because a page begins with the end of the page before.
		if (keys.length > pageSize && standard <= 2 * pageSize) return;
		facts.pageSizeHonoured = keys.length < standard && !bringsOthers(keys, facts.keys);
		if (!facts.pageSizeHonoured) return;
		facts.acceptedPageSize = pageSize;
		facts.shortPages = facts.shortPages === true || keys.length < pageSize;
		if (statedSize === pageSize) facts.statesPageSize = true;
	}
}

async function judgePageOne(probe: PageProbe, facts: PagingFacts): Promise<Finding[]> {
	const one = await probe.ask(1);
	if (typeof one === 'object') return unknownNumbering(one.reason);
	switch (one) {
		case 'nextPage':
			return startsAtZero(facts);
		case 'empty':
		case 'refused':
			// Were it the first page, or "page" ignored, it would have brought records.
			if (facts.first.keys.length <= probe.pageSize) return startsAtZero(facts);
			await probe.ask();
			if (facts.pageSizeHonoured === false) return startsAtZero(facts);
			facts.shortPages ||= one === 'empty';
			return unknownNumbering('Page 1 brought nothing although the list is longer than one page.');
		case 'firstPage':
			// A page that is the whole of two records may be one that begins with the end of the page before.
			if (facts.keys.length === 2 && facts.pageSizeHonoured === undefined)
				return unknownNumbering(TOO_SHORT);
			return await judgePageTwo(probe, facts);
		case 'offset':
			return [
				unknown('firstPageNumber', 'The service reads "page" as a number of records to skip.'),
				failed(
					'pageHonoured',
					false,
					'Page 1 begins at the second record: the service reads "page" as a number of records to skip.',
				),
			];
		case 'elsewhere':
			return unknownNumbering(UNSTABLE);
	}
}

/** Page 1 was the first page: numbering starts at 1, or every page is the first one. */
async function judgePageTwo(probe: PageProbe, facts: PagingFacts): Promise<Finding[]> {
	const two = await probe.ask(2);
	if (typeof two === 'object') return unknownNumbering(two.reason);
	const isBehindEnd = two === 'empty' || two === 'refused';
	if (two === 'nextPage' || (isBehindEnd && !probe.severalPages)) {
		return await startsAtOne(probe, facts);
	}
	if (two !== 'firstPage') return unknownNumbering(UNSTABLE);
	if (probe.severalPages || facts.first.metadata.more === true) {
		if ((await probe.ask(3)) !== 'firstPage') return unknownNumbering(UNSTABLE);
		return [
			unknown('firstPageNumber', 'The service ignores "page".'),
			failed(
				'pageHonoured',
				false,
				'Every page brings the same records: the service ignores "page", and only what one page holds can be read.',
				{ maxPages: 1, ...(facts.largest.kind === 'page' && { pageSize: 1000 }) },
			),
		];
	}
	return unknownNumbering(
		'Pages 1 and 2 both bring the first page; the list is too short to show whether "page" is ignored or the last page is repeated.',
	);
}

function startsAtZero(facts: PagingFacts): Finding[] {
	facts.firstPageNumber = 0;
	return [
		ok('firstPageNumber', 0, 'Page 1 is the second page, as published.'),
		ok('pageHonoured', true, 'Another page number brings other records.'),
	];
}

async function startsAtOne(probe: PageProbe, facts: PagingFacts): Promise<Finding[]> {
	facts.firstPageNumber = 1;
	const honoured = ok('pageHonoured', true, 'Another page number brings other records.');
	const zero = await probe.ask(0);
	if (typeof zero === 'object') {
		const meaning = `Numbering starts at 1. What page 0 brings is not known. ${zero.reason}`;
		return [warning('firstPageNumber', 1, meaning), honoured];
	}
	if (zero === 'firstPage') {
		const meaning =
			'Numbering starts at 1, and page 0 brings the first page too, which Return All copes with.';
		return [warning('firstPageNumber', 1, meaning), honoured];
	}
	const meaning = `Numbering starts at 1, and page 0 ${zero === 'refused' ? 'is refused' : 'brings nothing'}. Return All begins there: switch it off, set Page to 1, and Limit to more than there are.`;
	const setting = { returnAll: false, page: 1, limit: LARGEST_LIMIT };
	return [warning('firstPageNumber', 1, meaning, setting), honoured];
}

function unknownNumbering(reason: string): Finding[] {
	return [unknown('firstPageNumber', reason), unknown('pageHonoured', reason)];
}

function describePageSize(pageSize: number, { first, pageSizeHonoured }: PagingFacts): Finding {
	if (pageSizeHonoured === true)
		return ok('pageSizeHonoured', true, 'Pages come at the size asked for.');
	if (pageSizeHonoured === false) {
		return warning(
			'pageSizeHonoured',
			false,
			`The service ignores "pageSize": pages come with up to ${first.keys.length} records, and the listing goes on at the size that comes.`,
		);
	}
	return unknown(
		'pageSizeHonoured',
		first.keys.length <= pageSize ? TOO_SHORT : 'No page came that was asked for with a page size.',
	);
}
