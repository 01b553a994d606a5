import { findIdentity } from '../listing/recordIdentity';
import { LISTED_RESOURCES } from '../listing/resources';
import { type Finding, ok, unknown, warning } from './finding';
import type { PagingFacts } from './pagingFacts';
import { describeTimes, findUpdateTimes, type UpdateTimes } from './updateTimes';

export interface RecordFacts {
	idField?: string;
	updateTimes?: UpdateTimes;
}

/** What identifies the records known, and when they were changed. */
export function gatherRecordFacts({ records }: PagingFacts): RecordFacts {
	return {
		idField: findIdentity(records, LISTED_RESOURCES.user.name)?.field,
		updateTimes: findUpdateTimes(records),
	};
}

export function checkIdField({ idField }: RecordFacts, { records }: PagingFacts): Finding {
	if (records.length === 0) return unknown('idField', 'The list is empty.');
	if (idField === undefined) {
		return unknown(
			'idField',
			'No field with a usual name has another value in every record. Where there is one, set it as ID Path.',
		);
	}
	return ok('idField', idField, `"${idField}" identifies the ${count(records.length)} seen.`, {
		idPath: idField,
	});
}

export function checkUpdatedAtField(
	{ updateTimes }: RecordFacts,
	{ records }: PagingFacts,
): Finding {
	if (records.length === 0) return unknown('updatedAtField', 'The list is empty.');
	if (updateTimes === undefined) {
		return unknown(
			'updatedAtField',
			'No field with a usual name holds a time of change that can be read. Where there is one, set it as Updated At Path.',
		);
	}
	return ok('updatedAtField', updateTimes.path, describeTimes(updateTimes), {
		updatedAtPath: updateTimes.path,
	});
}

/** What the first answer says about the list, held against what is known of it. */
export function checkMetadata(facts: PagingFacts): Finding {
	const { total, totalPages, more } = facts.first.metadata;
	const named: Array<[name: string, meaning: string]> = [];
	if (total !== undefined) named.push(['total', `a total of ${total}`]);
	if (totalPages !== undefined) named.push(['totalPages', `${totalPages} pages`]);
	if (more !== undefined) named.push(['more', more ? 'that pages follow' : 'that no page follows']);

	if (named.length === 0) {
		return facts.first.keys.length === 0
			? unknown('pagingMetadata', 'The list is empty.')
			: ok(
					'pagingMetadata',
					'none',
					'The answer says nothing about further pages. The listing reads on until a page is empty.',
				);
	}
	const observed = named.map(([name]) => name).join(', ');
	const doubt = contradiction(facts);
	if (doubt !== undefined) {
		return warning(
			'pagingMetadata',
			observed,
			`${doubt} The listing reads on until a page is empty.`,
		);
	}
	const meaning = named.map(([, text]) => text).join(', ');
	return ok('pagingMetadata', observed, `The first page names ${meaning}.`);
}

/** How what the first page says disagrees with the records that can be read. */
function contradiction({ first, keys, more: recordsFollow }: PagingFacts): string | undefined {
	const { total, more } = first.metadata;
	const known = keys.length;
	if (total !== undefined && recordsFollow === false && total !== known) {
		return `The total is ${total}, but ${count(known)} can be read: it lags behind, or counts what this client may not see.`;
	}
	if (total !== undefined && total < known) {
		return `The total is ${total}, but at least ${count(known)} can be read: it lags behind.`;
	}
	const pagesFollow = recordsFollow === true || known > first.keys.length;
	return more === false && pagesFollow
		? 'The first page says that it is the last one, but more records follow.'
		: undefined;
}

function count(records: number): string {
	return records === 1 ? '1 record' : `${records} records`;
}
