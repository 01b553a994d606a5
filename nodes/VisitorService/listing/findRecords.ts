import { readDotPath } from '../json/dotPath';
import { isRecord } from '../json/isRecord';
import { outcomeCodes, refuseErrorBody } from '../transport/errorBody';
import { ServiceFailure } from '../transport/serviceFailure';
import { readPagingMetadata } from './pagingMetadata';

export type JsonObject = Record<string, unknown>;

export interface FoundRecords {
	records: JsonObject[];
	/** Dot path of the list; '' = the body is the list. Undefined where an empty answer shows none. */
	path?: string;
}

/** What the answers of one list have in common, beside their records. */
export interface AnswerShape {
	/** Top-level keys; none of a bare array. */
	keys: ReadonlySet<string>;
	/** As `outcomeCodes`. */
	codes: string;
}

export function shapeOf(body: unknown): AnswerShape {
	return { keys: new Set(isRecord(body) ? Object.keys(body) : []), codes: outcomeCodes(body) };
}

export interface RecordsSought {
	/** Keys the list may have by the name of the resource, in lower case. */
	keys: readonly string[];
	/** Dot path set by the user; empty = detect. */
	itemsPath: string;
}

/** Keys of lists that are not named for the resource, and of objects that hold one; likeliest first. */
const LIST_KEYS = [
	'data',
	'items',
	'content',
	'results',
	'result',
	'value',
	'values',
	'records',
	'list',
	'rows',
	'entries',
	'elements',
	'objects',
	'resources',
	'hits',
	'docs',
	'collection',
	'payload',
	'response',
	'body',
	'page',
];

/** Keys of objects that hold a list: HAL, OData 2. */
const CONTAINER_KEYS = ['_embedded', 'embedded', 'd'];

/** Keys that are null where the list is empty. Those further down in LIST_KEYS have other reasons to be null. */
const NULL_KEYS = LIST_KEYS.slice(0, LIST_KEYS.indexOf('list') + 1);

/** Arrays that go with a list and are none of records. */
const COMPANION_KEYS = new Set([
	'errors',
	'error',
	'warnings',
	'messages',
	'links',
	'_links',
	'sort',
	'sorts',
	'orders',
	'order',
	'fields',
	'columns',
	'filters',
	'facets',
	'aggregations',
	'included',
	'includes',
	'meta',
	'metadata',
	'permissions',
	'scopes',
]);

const DEEPEST = 3;

/** Fields with which an answer explains why there is no list. */
const EXPLANATION_KEYS = ['message', 'msg', 'detail', 'title', 'description', 'reason'];

/**
 * Finds the list of records in the first answer of a listing, whose envelope the interface document does not
 * show.
 *
 * @param empty the shape of an earlier answer with an empty list: one of that shape without the list is empty as well
 * @throws ServiceFailure where the answer is an error or holds no list
 */
export function findRecords(
	body: unknown,
	sought: RecordsSought,
	empty?: AnswerShape,
): FoundRecords {
	if (body === null || body === undefined) return { records: [] };
	refuseErrorBody(body);

	const { itemsPath } = sought;
	const isEmpty = saysEmpty(body) || (empty !== undefined && isLike(body, empty));
	if (itemsPath !== '') {
		const found = readDotPath(body, itemsPath);
		if (Array.isArray(found)) return { records: checkRecords(found, itemsPath), path: itemsPath };
		if (found === null || isEmpty) return { records: [], path: itemsPath };
		throw noList(`The answer has no list at "${itemsPath}".`, body);
	}
	if (Array.isArray(body)) return { records: checkRecords(body, ''), path: '' };
	const [likeliest] = findCandidates(body, sought.keys);
	if (likeliest !== undefined) {
		const { list, path } = likeliest;
		return { records: checkRecords(list, path), path };
	}
	if (isEmpty) return { records: [] };
	throw noList('The answer holds no list of records.', body);
}

/**
 * Reads the list of a later page where the first page had it.
 *
 * @param first the shape of the first page: an answer of another one is no page without records
 * @throws ServiceFailure as `findRecords`
 */
export function readRecords(body: unknown, path: string, first: AnswerShape): JsonObject[] {
	if (body === null || body === undefined) return [];
	refuseErrorBody(body);
	const found = readDotPath(body, path);
	if (Array.isArray(found)) return checkRecords(found, path);
	if (isRecord(body) && (found === null || found === undefined)) {
		const explains = found === undefined && EXPLANATION_KEYS.some((key) => key in body);
		if (saysEmpty(body) || (isLike(body, first) && !explains)) return [];
	}
	throw noList(`A page has no list at "${path}", where the first page had it.`, body);
}

interface Candidate {
	path: string;
	list: unknown[];
	/** Lower = likelier. */
	rank: number;
}

/** Everything that may be the list, the likeliest first. */
function findCandidates(body: unknown, resourceKeys: readonly string[]): Candidate[] {
	const found: Candidate[] = [];
	collect(body, '', 0);
	return found.sort((a, b) => a.rank - b.rank);

	function collect(value: unknown, path: string, depth: number): void {
		if (!isRecord(value) || depth === DEEPEST) return;
		for (const [key, inner] of Object.entries(value)) {
			const name = key.toLowerCase();
			const innerPath = path === '' ? key : `${path}.${key}`;
			if (Array.isArray(inner)) {
				const rank = rankOf(name, inner, value);
				if (rank !== undefined) found.push({ path: innerPath, list: inner, rank: rank + depth });
			} else if (inner === null) {
				const mayBeList = resourceKeys.includes(name) || NULL_KEYS.includes(name);
				// The list itself is empty then, whatever other array goes with it.
				const rank = name === resourceKeys[0] ? 600 : 4000;
				if (mayBeList) found.push({ path: innerPath, list: [], rank: rank + depth });
			} else if ([...resourceKeys, ...LIST_KEYS, ...CONTAINER_KEYS].includes(name)) {
				collect(inner, innerPath, depth + 1);
			}
		}
	}

	/** Named for the resource, by a usual name with and without records, any other with records, without records. */
	function rankOf(name: string, list: unknown[], holder: JsonObject): number | undefined {
		const holdsRecords = list.length > 0 && list.every(isRecord);
		const holdsOthers = list.length > 0 && !holdsRecords;
		const position = LIST_KEYS.indexOf(name);
		if (resourceKeys.includes(name)) return holdsOthers ? 3000 : 0;
		if (position !== -1) return 10 * position + (holdsRecords ? 100 : holdsOthers ? 3000 : 1000);
		// The arrays of a single record are not the list either.
		const isRecordItself = 'id' in holder || '_id' in holder || 'uuid' in holder;
		return holdsRecords && !COMPANION_KEYS.has(name) && !isRecordItself ? 2000 : undefined;
	}
}

function checkRecords(list: unknown[], path: string): JsonObject[] {
	if (list.every(isRecord)) return list;
	const where = path === '' ? 'The answer is' : `The answer has at "${path}"`;
	throw new ServiceFailure(
		`${where} a list whose elements are not all records.`,
		'Set Items Path, where the node has it, to the dot path of the list of records.',
		{ kind: 'answer' },
	);
}

/** Whether an answer has no other keys, and the same outcome where it names one. */
function isLike(body: unknown, { keys, codes }: AnswerShape): boolean {
	if (!isRecord(body) || !Object.keys(body).every((key) => keys.has(key))) return false;
	return keys.size > 0 && [codes, ''].includes(outcomeCodes(body));
}

function saysEmpty(body: unknown): boolean {
	const { total, totalPages } = readPagingMetadata(body, {});
	return total === 0 || totalPages === 0;
}

function noList(what: string, body: unknown): ServiceFailure {
	if (Array.isArray(body)) {
		return new ServiceFailure(
			`${what} The answer itself is a list.`,
			'Clear Items Path in the options.',
			{ kind: 'noList' },
		);
	}
	const names = Object.keys(isRecord(body) ? body : {})
		.slice(0, 15)
		.map((name) => (name.length > 40 ? `${name.slice(0, 40)}…` : name));
	const seen = names.length === 0 ? 'It has no fields.' : `Fields seen: ${names.join(', ')}.`;
	return new ServiceFailure(
		`${what} ${seen}`,
		'Set Items Path, where the node has it, to the dot path of the list.',
		{ kind: 'noList' },
	);
}
