import { readDotPath } from '../json/dotPath';
import type { JsonObject } from '../listing/findRecords';
import type { Query } from './conversation';
import { type Finding, ok, unknown, warning } from './finding';
import { honouredSize, type PagingFacts } from './pagingFacts';
import type { RecordFacts } from './recordChecks';
import {
	findSortableField,
	isSorted,
	readSortableField,
	type SortableField,
} from './sortableField';
import type { PageReading, UserPages } from './userPages';

interface Spelling {
	name: string;
	descending: (field: string) => string;
	ascending: (field: string) => string;
}

const SPELLINGS: readonly Spelling[] = [
	{
		name: 'field,desc',
		descending: (field) => `${field},desc`,
		ascending: (field) => `${field},asc`,
	},
	{ name: '-field', descending: (field) => `-${field}`, ascending: (field) => field },
	{
		name: 'field:desc',
		descending: (field) => `${field}:desc`,
		ascending: (field) => `${field}:asc`,
	},
	{
		name: 'field desc',
		descending: (field) => `${field} desc`,
		ascending: (field) => `${field} asc`,
	},
];

type Verdict = 'works' | 'is refused' | 'has no effect' | 'was not clear';

const PAGE_SIZE = 20;

/** Which spellings of `sort` change the order, and a sort order that is safe to page through: at most five questions. */
export async function checkSort(
	pages: UserPages,
	facts: PagingFacts,
	{ idField, updateTimes }: RecordFacts,
): Promise<Finding> {
	if (facts.incomparable !== undefined) return unknown('sortFormat', facts.incomparable);
	const pageSize = honouredSize(facts, PAGE_SIZE);
	const size: Query = pageSize === undefined ? {} : { pageSize };
	const preferred = [idField, updateTimes?.path].filter((field) => field !== undefined);
	const field = findSortableField(facts.records, preferred, pageSize ?? facts.first.keys.length);
	if (field === undefined) {
		return unknown(
			'sortFormat',
			'No field of the records would show another order if it were sorted by.',
		);
	}
	const judged: Array<{ spelling: Spelling; verdict: Verdict; reason?: string }> = [];
	for (const spelling of SPELLINGS) {
		const reading = await pages.read({ sort: spelling.descending(field.name), ...size });
		judged.push({
			spelling,
			verdict: judgeOrder(reading, facts, field),
			reason: reading.kind === 'unclear' ? reading.reason : undefined,
		});
	}
	const list = judged.map(({ spelling, verdict }) => `"${spelling.name}" ${verdict}`).join(', ');
	const working = judged.find(({ verdict }) => verdict === 'works')?.spelling;
	if (working !== undefined) {
		const setting = await safeOrder(pages, facts, working, idField, size);
		return ok('sortFormat', working.name, `${list}.`, setting);
	}
	const unclear = judged.find(({ verdict }) => verdict === 'was not clear');
	if (unclear !== undefined)
		return unknown('sortFormat', `${list}. ${unclear.reason ?? ''}`.trim());
	return warning('sortFormat', null, `${list}. None of them sorts by "${field.name}".`);
}

function judgeOrder(reading: PageReading, facts: PagingFacts, field: SortableField): Verdict {
	if (reading.kind === 'unclear') return 'was not clear';
	if (reading.kind === 'refused') return 'is refused';
	const { keys, records } = reading.page;
	if (keys.length > 0 && keys.every((key, index) => key === facts.keys[index]))
		return 'has no effect';
	return beginsWith(records, field, 'descending', field.greatest) ? 'works' : 'was not clear';
}

/** By ID and ascending no change moves a record to a page that was read before. Proposed only where it is seen to work. */
async function safeOrder(
	pages: UserPages,
	facts: PagingFacts,
	spelling: Spelling,
	idField: string | undefined,
	size: Query,
): Promise<{ sort: string } | null> {
	const field = idField === undefined ? undefined : readSortableField(facts.records, idField);
	if (field === undefined) return null;
	const sort = spelling.ascending(field.name);
	const reading = await pages.read({ sort, ...size });
	const sorted =
		reading.kind === 'page' && beginsWith(reading.page.records, field, 'ascending', field.least);
	return sorted ? { sort } : null;
}

/** Whether a page is sorted by the field, and begins no later than at the value known to be the outermost one. */
function beginsWith(
	records: readonly JsonObject[],
	field: SortableField,
	direction: 'ascending' | 'descending',
	outermost: string | number,
): boolean {
	const values = records.map((record) => readDotPath(record, field.name));
	const [first] = values;
	return isSorted(values, direction) && isSorted([first, outermost], direction);
}
