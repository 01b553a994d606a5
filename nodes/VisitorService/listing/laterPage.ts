import { isRefusal, isServerError, type Page, type PageReader } from '../answer/pageReader';
import { ServiceFailure } from '../failure/serviceFailure';
import type { JsonObject } from '../values/json';
import { otherPageSize, pageIgnored } from './failures';
import type { Memory } from './memory';

/** Where a listing begins if it does not begin with the first page. */
interface LaterPage {
	number: number;
	pageSize: number;
}

interface Surroundings {
	reader: PageReader;
	memory: Memory<unknown>;
	/** The page after it. */
	next: () => Promise<Page>;
}

/** Whether the page to begin with is an earlier one again, so that it is after the end. */
export type Repeats = 'no' | 'afterEnd' | 'unclear';

/** @throws what `read` throws, unless it is a page after the end that is refused */
export async function readLaterPage(
	{ number, pageSize }: LaterPage,
	reader: PageReader,
	mayBeAfterEnd: boolean,
): Promise<Page> {
	return await reader.read(number, pageSize).catch(async (error: unknown) => {
		if (!mayBeAfterEnd || !isRefusal(error)) throw error;
		const first = await reader.read(0, pageSize).catch(() => undefined);
		// The list can be read, and does not say that it reaches so far.
		if (first === undefined || (first.metadata.total ?? 0) > number * pageSize) throw error;
		return { kind: 'refused', records: [], metadata: {}, failure: error };
	});
}

/**
 * Looks whether a page is at its offset, so that Page 0, 1, 2 join, and not an earlier one again,
 * as services repeat their last page.
 *
 * @throws ServiceFailure if pages are of another size than asked for, or all the first one
 */
export async function checkLaterPage(
	{ number, pageSize, ...page }: LaterPage & Page,
	{ reader, memory, next }: Surroundings,
): Promise<Repeats> {
	const came = page.records.length;
	// Of a service that counts from 1, page 0 may be an error.
	const readPlace = async (place: number) =>
		(await reader.read(place, pageSize).catch(unlessItFails))?.records ?? [];
	if (came > pageSize) {
		const first = await readPlace(0);
		throw otherPageSize(number, pageSize, Math.max(came, first.length));
	}
	const isSame = (records: readonly JsonObject[]) =>
		memory.areAlike(records, page.records) && doMostlyAgree(records, page.records);
	const { more, total = 0, totalPages } = page.metadata;
	// The last page, and as many records as there should be are before it.
	const isLast = more === false || totalPages === number + 1;
	if (came > 0 && isLast && total === number * pageSize + came) return 'no';
	const isAfterTotal = total > 0 && total !== came && total <= number * pageSize;
	if (came === pageSize && !isAfterTotal) {
		const { records } = await next();
		// The page after it shows that it is not the last one, which services repeat.
		memory.begin(page.records);
		if (records.length > 0 && records.length <= pageSize && !isSame(records)) return 'no';
	}
	const before = await readPlace(came === 0 ? 0 : number - 1);
	const length = before.length;
	if (length > pageSize) throw otherPageSize(number, pageSize, length);
	if (came === 0) return 'no';
	memory.begin(before);
	if (isSame(before)) {
		const other = await readPlace(number === 1 ? 2 : 0);
		// Page 1 is page 0 if the service counts from 1.
		if (number === 1 && !isSame(other)) return 'no';
		const isTold = memory.areTold(page.records);
		if (isTold && isSame(other) && came === pageSize && came !== page.metadata.total)
			throw pageIgnored();
		return isTold ? 'afterEnd' : 'unclear';
	}
	// A list that starts over after its end has there the page that is as far from its beginning.
	if (isAfterTotal) {
		const pages = Math.ceil(total / pageSize);
		if (isSame(await readPlace(number % pages))) return 'afterEnd';
	}
	// The last page is short as well, but not the one before it.
	if (length > 0 && length < pageSize && came <= length)
		throw otherPageSize(number, pageSize, length);
	return 'no';
}

function unlessItFails(error: unknown): undefined {
	if (!isRefusal(error) && !isServerError(error) && !isForbidden(error)) throw error;
}

function isForbidden(error: unknown): boolean {
	return error instanceof ServiceFailure && error.statusCode === 403;
}

/** What looks like an ID may be none, and some fields differ in each answer. */
function doMostlyAgree(some: readonly JsonObject[], others: readonly JsonObject[]): boolean {
	return some.every((record, place) => {
		const fields = Object.keys(record);
		const agree = fields.filter(
			(field) => JSON.stringify(record[field]) === JSON.stringify(others[place]?.[field]),
		);
		return 2 * agree.length >= fields.length;
	});
}
