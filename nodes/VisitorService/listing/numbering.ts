import type { JsonObject } from '../values/json';
import type { PageSource } from './pageSize';
import { areSame, isOneOf } from './sameRecords';
import type { EqualPages } from './situation';

/**
 * Asks for page 1 at half the size: it begins in the middle of the first page, unless pages are
 * counted from 1. A page of a single record has no half: two records are asked for.
 */
export async function askForSecondPage(
	firstRecords: readonly JsonObject[],
	{ read, fingerprintsOf }: PageSource,
): Promise<EqualPages> {
	const [first] = firstRecords;
	if (first === undefined) return 'unclear';
	if (firstRecords.length === 1) {
		const [one, other] = (await read(0, 2)).records;
		if (one === undefined || other === undefined) return 'unclear';
		return areSame(one, other, fingerprintsOf) ? 'equalRecords' : 'firstPageAgain';
	}
	const half = Math.floor(firstRecords.length / 2);
	const { records } = await read(1, half);
	const [begin] = records;
	if (begin === undefined || records.length > half) return 'unclear';
	return areSame(begin, first, fingerprintsOf) ? 'firstPageAgain' : 'equalRecords';
}

/**
 * The number of the first page, if a page with a later number is like page 0. Undefined if pages of
 * half the size do not show it, because they are all alike.
 */
export async function askForFirstNumber(
	firstRecords: readonly JsonObject[],
	source: PageSource,
): Promise<0 | 1 | undefined> {
	const [first] = firstRecords;
	if (first === undefined) return undefined;
	const second = await askForSecondPage(firstRecords, source);
	if (second === 'equalRecords') return 0;
	if (second === 'unclear') return undefined;
	const { records } = await source.read(2, Math.max(1, Math.floor(firstRecords.length / 2)));
	const [begin] = records;
	return begin === undefined || areSame(begin, first, source.fingerprintsOf) ? undefined : 1;
}

/**
 * What it means that every page is like the first one. Of a list that fits on one page, a later
 * page of half the size begins elsewhere, even if a number after the end stands for the last page
 * or starts over. If it holds none of the first page, the list is longer, and a later page only
 * came as the first one.
 */
export async function askForLaterPage(
	firstPage: number,
	firstRecords: readonly JsonObject[],
	{ read, fingerprintsOf }: PageSource,
): Promise<EqualPages> {
	const [first] = firstRecords;
	if (first === undefined) return 'pageIgnored';
	if (firstRecords.length === 1) {
		const [one, other] = (await read(firstPage, 2)).records;
		if (one === undefined || other === undefined) return 'singlePage';
		return areSame(one, other, fingerprintsOf) ? 'equalRecords' : 'pageIgnored';
	}
	const later = await read(firstPage + 3, Math.ceil(firstRecords.length / 2));
	const [begin] = later.records;
	if (begin === undefined || areSame(begin, first, fingerprintsOf)) return 'pageIgnored';
	return later.records.some(isOneOf(firstRecords, fingerprintsOf)) ? 'singlePage' : 'longer';
}
