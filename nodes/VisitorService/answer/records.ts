import { ServiceFailure } from '../failure/serviceFailure';
import { isRecord, type JsonObject, joinPath, readDotPath } from '../values/json';
import { chooseList, type ListChoice, type ListSought } from './chooseList';
import { envelopeIn, isBlank } from './envelope';
import { explains, outcomesIn, type Refusal, refusal, refusalIn } from './errorBody';
import { fieldsSeen } from './fieldNames';
import { readPagingMetadata } from './paging';

/** What the body of an answer with a status of success holds. */
export type ListReading =
	/** The list, which may be explicitly empty. */
	| {
			kind: 'records';
			records: JsonObject[];
			/**
			 * Dot path of the list; '' = the body is the list. Undefined if the answer only says that it
			 * is empty.
			 */
			path?: string;
			/** Dot paths of other lists that may be meant. */
			otherPaths: readonly string[];
	  }
	/**
	 * No list, and nothing in its place: `null`, `{}`, 204, a list that is null or, on a later page,
	 * missing.
	 */
	| { kind: 'nothing' }
	/**
	 * Other fields in place of a list, or several lists of which none is likelier; the failure names
	 * them.
	 */
	| { kind: 'noList'; failure: ServiceFailure }
	| Refusal;

/**
 * The records of a reading that is not followed by others.
 *
 * @throws ServiceFailure if it is none, or no believable empty list
 */
export function requireRecords(reading: ListReading): JsonObject[] {
	if (reading.kind === 'records') return reading.records;
	if (reading.kind === 'nothing' || meansNoRecords(reading)) return [];
	throw reading.failure;
}

/** Whether a first page that holds no list is believed to be an empty one. */
export function meansNoRecords(reading: ListReading): boolean {
	return reading.kind === 'nothing' || (reading.kind === 'noData' && reading.meansEmpty);
}

/** What the answers of one list have in common, beside their records. */
export interface AnswerShape {
	/** Dot paths of the keys of each object on the way to the list; none of a bare array. */
	paths: ReadonlySet<string>;
	/** What these objects say of their outcome, if that is not success. */
	outcomes: ReadonlySet<string>;
}

/** @param path dot path of the list; '' = the answer is the list, or has none */
export function shapeOf(body: unknown, path = ''): AnswerShape {
	const paths = new Set<string>();
	const outcomes = new Set<string>();
	const keys = path.split('.');
	for (let depth = 0; depth < keys.length; depth++) {
		const place = keys.slice(0, depth).join('.');
		const object = readDotPath(body, place);
		if (!isRecord(object)) continue;
		for (const key of Object.keys(object)) paths.add(joinPath(place, key));
		for (const outcome of outcomesIn(object)) outcomes.add(joinPath(place, outcome));
	}
	return { paths, outcomes };
}

/** The part of an answer that may hold a list. */
export interface ListAnswer {
	statusCode: number;
	body: unknown;
}

export interface RecordsSought extends ListSought {
	/** Dot path set by the user; if it is empty, the list is detected. */
	itemsPath: string;
}

/**
 * Finds the list of records in the first answer of a listing, whose envelope the interface document
 * does not show.
 *
 * @param answer of status 2xx
 * @param empty the shape of an earlier answer with an empty list: one of that shape without the
 *   list is empty as well
 */
export function findRecords(
	answer: ListAnswer,
	sought: RecordsSought,
	empty?: AnswerShape,
): ListReading {
	return readSuccess(answer, (body) => {
		const { itemsPath } = sought;
		const none = () => {
			if (saysEmpty(body)) return EMPTY;
			return isBlank(body) || (empty !== undefined && isLike(body, '', empty))
				? NOTHING
				: undefined;
		};
		if (itemsPath !== '') {
			const found = readDotPath(body, itemsPath);
			if (Array.isArray(found)) return recordsOf(found, itemsPath);
			return isNothing(found) ? NOTHING : (none() ?? noListAt(itemsPath, body));
		}
		if (Array.isArray(body) && envelopeIn(body) === undefined) {
			const place = placeBesideNumbers(body);
			const inner: unknown = body[place];
			return Array.isArray(inner) ? recordsOf(inner, String(place)) : recordsOf(body, '');
		}
		const choice = chooseList(body, sought);
		if (choice.kind === 'list') return recordsOf(choice.list, choice.path, choice.otherPaths);
		if (choice.kind === 'empty') return EMPTY;
		if (choice.kind === 'null') return saysEmpty(body) ? EMPTY : NOTHING;
		return none() ?? noList(choice, body);
	});
}

/**
 * Reads the list of a later page at the path at which the first page had it.
 *
 * @param answer of status 2xx
 * @param first the shape of the first page: an answer of another shape is not a page without
 *   records
 */
export function readRecords(answer: ListAnswer, path: string, first: AnswerShape): ListReading {
	return readSuccess(answer, (body) => {
		const found = readDotPath(body, path);
		if (Array.isArray(found)) {
			const isBelieved = found.length > 0 || saysNothingNew(body, path, first);
			return isBelieved ? recordsOf(found, path) : { kind: 'fault', failure: refusal(body) };
		}
		if (isRecord(body) && (isNothing(found) || found === undefined)) {
			if (saysEmpty(body)) return EMPTY;
			const isExplained = found === undefined && explains(body);
			if (isLike(body, path, first) && !isExplained) return NOTHING;
		}
		if (isBlank(body)) return NOTHING;
		return missing(
			`A page has no list at "${path}", although the first page had one. ${fieldsSeen(body)}`,
			'Run the workflow again. If it stays so, ask your service provider.',
		);
	});
}

const EMPTY: ListReading = { kind: 'records', records: [], otherPaths: [] };
const NOTHING: ListReading = { kind: 'nothing' };

function readSuccess(
	{ statusCode, body }: ListAnswer,
	read: (body: unknown) => ListReading,
): ListReading {
	if (statusCode === 204 || body === null || body === undefined) return NOTHING;
	return refusalIn(body) ?? read(body);
}

function recordsOf(
	list: readonly unknown[],
	path: string,
	otherPaths: readonly string[] = [],
): ListReading {
	if (list.every(isRecord)) return { kind: 'records', records: [...list], path, otherPaths };
	const where = path === '' ? 'The answer is' : `The answer has at "${path}"`;
	return {
		kind: 'fault',
		failure: new ServiceFailure(
			`${where} a list whose elements are not all records.`,
			'Set Items Path to the dot path of the list of records.',
			{ kind: 'answer' },
		),
	};
}

/**
 * Whether an answer has no other keys on the way to the list, and says nothing else of its outcome.
 */
function isLike(body: unknown, path: string, known: AnswerShape): boolean {
	if (!isRecord(body) || known.paths.size === 0) return false;
	const { paths } = shapeOf(body, path);
	return [...paths].every((one) => known.paths.has(one)) && saysNothingNew(body, path, known);
}

/**
 * A page without records that says something else of its outcome than the others do does not end a
 * list.
 */
function saysNothingNew(body: unknown, path: string, { outcomes }: AnswerShape): boolean {
	return [...shapeOf(body, path).outcomes].every((outcome) => outcomes.has(outcome));
}

/** The place of the list in `[records, 120]`, as TypeORM returns a page; -1 in other answers. */
function placeBesideNumbers(body: readonly unknown[]): number {
	const place = body.findIndex(Array.isArray);
	const isBeside = (value: unknown, at: number) => at === place || typeof value === 'number';
	return body.length > 1 && body.every(isBeside) ? place : -1;
}

/** Whether the answer says so, or the only object in it. */
function saysEmpty(body: unknown): boolean {
	const { total, totalPages } = readPagingMetadata(body, {});
	if (total === 0 || totalPages === 0) return true;
	const [only, ...others] = isRecord(body) ? Object.values(body) : [];
	return others.length === 0 && isRecord(only) && saysEmpty(only);
}

/** Whether what stands in place of a list holds nothing. 0 may be the number of its records. */
function isNothing(found: unknown): boolean {
	return found !== undefined && typeof found !== 'number' && isBlank(found);
}

function noList(choice: ListChoice, body: unknown): ListReading {
	if (choice.kind === 'several' && choice.paths.length > 0) {
		return missing(
			`The answer holds several lists that may be the one of the records: ${choice.paths.join(', ')}.`,
			'Set Items Path to the dot path of the right one.',
		);
	}
	return missing(
		`The answer holds no list of records. ${fieldsSeen(body)}`,
		'Set Items Path to the dot path of the list.',
	);
}

function noListAt(path: string, body: unknown): ListReading {
	const what = `The answer has no list at "${path}".`;
	return Array.isArray(body)
		? missing(`${what} The answer itself is a list.`, 'Clear Items Path in the options.')
		: missing(`${what} ${fieldsSeen(body)}`, 'Set Items Path to the dot path of the list.');
}

function missing(what: string, remedy: string): ListReading {
	return { kind: 'noList', failure: new ServiceFailure(what, remedy, { kind: 'noList' }) };
}
