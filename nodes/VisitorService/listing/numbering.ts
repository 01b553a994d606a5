import type { JsonObject } from '../values/json';
import { pageIgnored } from './failures';
import { areSame, type Questions } from './pageSize';

/** What page 1 is, if its records equal those of page 0 and they have no ID. */
export type SecondPage = 'firstPageAgain' | 'equalRecords' | 'unknown';

/**
 * Asks for page 1 at half the size: it begins in the middle of the first page, unless pages are counted from 1. A
 * page of a single record has no half: two records are asked for.
 */
export async function askForSecondPage(
	firstRecords: readonly JsonObject[],
	{ read, tracesOf }: Questions,
): Promise<SecondPage> {
	const [first] = firstRecords;
	if (first === undefined) return 'unknown';
	if (firstRecords.length === 1) {
		const [one, other] = (await read(0, 2)).records;
		if (one === undefined || other === undefined) return 'unknown';
		return areSame(one, other, tracesOf) ? 'equalRecords' : 'firstPageAgain';
	}
	const half = Math.floor(firstRecords.length / 2);
	const { records } = await read(1, half);
	const [begin] = records;
	if (begin === undefined || records.length > half) return 'unknown';
	return areSame(begin, first, tracesOf) ? 'firstPageAgain' : 'equalRecords';
}

/**
 * What it means that every page is like the first one. Of a list that fits on one page, a later page of half the
 * size begins elsewhere, even if a number after the end stands for the last page or starts over.
 *
 * @throws ServiceFailure if `page` is ignored
 */
export async function askForSinglePage(
	firstPage: number,
	firstRecords: readonly JsonObject[],
	{ read, tracesOf }: Questions,
): Promise<'singlePage' | 'equalRecords'> {
	const [first] = firstRecords;
	if (first === undefined) throw pageIgnored();
	if (firstRecords.length === 1) {
		const [one, other] = (await read(firstPage, 2)).records;
		if (one === undefined || other === undefined) return 'singlePage';
		if (areSame(one, other, tracesOf)) return 'equalRecords';
		throw pageIgnored();
	}
	const later = await read(firstPage + 3, Math.ceil(firstRecords.length / 2));
	const [begin] = later.records;
	if (begin === undefined || areSame(begin, first, tracesOf)) throw pageIgnored();
	return 'singlePage';
}
