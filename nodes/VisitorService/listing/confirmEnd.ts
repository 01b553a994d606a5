import { ServiceFailure } from '../transport/serviceFailure';
import type { JsonObject } from './findRecords';
import type { Doubt } from './pageProgress';
import type { Page } from './pageReader';

export interface ReadSoFar {
	firstPage: number;
	firstRecords: readonly JsonObject[];
	/** Size of the pages that were read last. */
	pageSize: number;
	hasIds: boolean;
	/** Resolves with a page without records where the service refuses it. */
	read: (page: number, pageSize: number) => Promise<Page>;
	/** Equal for records that are the same. */
	keyOf: (record: JsonObject) => string | number;
	/** Whether the record was read already. */
	isKnown: (record: JsonObject) => boolean;
}

/**
 * Asks the one question that tells whether the list was read to its end, where its pages alone do not.
 *
 * @throws ServiceFailure where it was not
 */
export async function confirmEnd(doubt: Doubt, soFar: ReadSoFar): Promise<void> {
	if (doubt.kind === 'samePage') await confirmSinglePage(soFar);
	else await confirmRefusal(doubt, soFar);
}

/** Of a list that fits on one page, a later page of half the size begins elsewhere; unless `page` is ignored. */
async function confirmSinglePage(soFar: ReadSoFar): Promise<void> {
	const { firstPage, firstRecords, hasIds, read, keyOf } = soFar;
	const [first] = firstRecords;
	if (!hasIds || first === undefined) throw pageIgnored();
	if (firstRecords.length === 1) {
		const larger = await read(firstPage, 2);
		if (larger.records.length > 1) throw pageIgnored();
		return;
	}
	// Of two pages the second, also where a number behind the end stands for the last page or starts over.
	const later = await read(firstPage + 3, Math.ceil(firstRecords.length / 2));
	const [begin] = later.records;
	if (begin === undefined || keyOf(begin) === keyOf(first)) throw pageIgnored();
}

/** Reads the last known record and the one that should follow it on one small page. */
async function confirmRefusal(
	{ page, shift, failure }: Extract<Doubt, { kind: 'refusal' }>,
	{ pageSize, hasIds, read, isKnown }: ReadSoFar,
): Promise<void> {
	const place = (page - shift) * pageSize;
	let size = Math.min(2, pageSize);
	while (size < pageSize && place % size === 0) size++;
	const { records, refusal } = await read(Math.floor(place / size) + shift, size);
	const goesOn = hasIds
		? records.some((record) => !isKnown(record))
		: records.length > place % size;
	if (goesOn) throw pageLost(page, failure);
	if (refusal === undefined) return;

	// Refused as well. 404 and 410 say that there is no such page, unless there is none at all any more.
	const saysThereIsNone = failure.statusCode === 404 || failure.statusCode === 410;
	const before = await read(page - 1, pageSize);
	if (!saysThereIsNone || before.records.length === 0) throw pageLost(page, failure);
}

function pageLost(page: number, { statusCode, serverText }: ServiceFailure): ServiceFailure {
	return new ServiceFailure(
		`The service refused page ${page} (status ${statusCode ?? 0}), although the list seems to go on there.`,
		`Run the workflow again; if it stays so, set Max Pages, where the node has it, to ${page} to read what comes before.`,
		{ kind: 'service', statusCode, serverText },
	);
}

function pageIgnored(): ServiceFailure {
	return new ServiceFailure(
		'The service sends the same records again for every page: it ignores the parameter "page".',
		'Set Max Pages, where the node has it, to 1 to read what one page holds, and ask the operator of the service how its lists are paged.',
		{ kind: 'answer' },
	);
}
