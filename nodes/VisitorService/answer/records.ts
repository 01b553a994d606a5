import { ServiceFailure } from '../failure/serviceFailure';
import type { HttpAnswer } from '../http/message';
import { isRecord, type JsonObject, joinPath, readDotPath } from '../values/json';
import { chooseList, type ListChoice } from './chooseList';
import { envelopeIn, isBlank } from './envelope';
import { explains, outcomesIn, type Refusal, refusal, refusalIn } from './errorBody';
import { fieldsSeen } from './fieldNames';
import { readPagingMetadata } from './paging';

/** What the body of an answer with a status of success holds. */
export type ListReading = FoundList | Refusal;

interface FoundList {
	/** A list, which may be empty; or nothing in place of it: `null`, `{}`, 204. */
	kind: 'records' | 'nothing';
	records: JsonObject[];
	/** '' = the body is the list. Undefined if the answer only says that it is empty. */
	path?: string;
	/** Dot paths of other lists that may be meant. */
	otherPaths: readonly string[];
}

/** The part of an answer that may hold a list. */
type ListAnswer = Pick<HttpAnswer, 'statusCode' | 'body'>;

/** Whether an answer of any status is a list, which may be an empty one. */
export function isList(answer: ListAnswer, sought: RecordsSought): boolean {
	if (answer.statusCode < 200 || answer.statusCode >= 300) return false;
	return !('failure' in findRecords(answer, sought));
}

export interface RecordsSought {
	/** Names of the list by its resource and path, in lower case; the likeliest, a plural, first. */
	keys: readonly string[];
	/** Dot path set by the user; if it is empty, the list is detected. */
	itemsPath: string;
}

/** What the answers of one list have in common, beside their records. */
export interface KnownList {
	/** Dot path of the list; undefined until a page had records. */
	path?: string;
	/**
	 * Dot paths of the keys of each object on the way to the list, none of a bare array; and what
	 * these objects say of their outcome, if that is not success: `data.status: partial`.
	 */
	shape: ReadonlySet<string>;
}

/** @param path dot path of the list; '' = the answer is the list, or has none */
export function shapeOf(body: unknown, path = ''): Set<string> {
	const keys = path.split('.');
	const shape = keys.flatMap((_, depth) => {
		const place = keys.slice(0, depth).join('.');
		const object = readDotPath(body, place);
		const names = isRecord(object) ? [...Object.keys(object), ...outcomesIn(object)] : [];
		return names.map((name) => joinPath(place, name));
	});
	return new Set(shape);
}

/**
 * Finds the list of records in an answer, whose envelope the interface document does not show. That
 * of a later page is at the path at which the first page with records had it.
 *
 * @param answer of status 2xx
 * @param known of the pages before it: an answer of another shape is not a page without records
 */
export function findRecords(
	{ statusCode, body }: ListAnswer,
	sought: RecordsSought,
	known?: KnownList,
): ListReading {
	if (statusCode === 204 || body === null || body === undefined) return NOTHING;
	const refused = refusalIn(body);
	if (refused?.kind === 'nothing') return NOTHING;
	if (refused !== undefined) return refused.meansEmpty && known === undefined ? EMPTY : refused;
	const path = known?.path;
	const choice = choiceIn(body, sought, path);
	const news = [...shapeOf(body, path)].filter((one) => known?.shape.has(one) !== true);
	if (choice.kind === 'list') {
		// An empty page that says something else of its outcome than the others do ends no list.
		const isDoubtful = choice.list.length === 0 && news.some((one) => one.includes(': '));
		if (path !== undefined && isDoubtful) return { kind: 'fault', failure: refusal(body) };
		return recordsOf(choice);
	}
	const isNull = choice.kind === 'null';
	const isGone = path === undefined || readDotPath(body, path) === undefined;
	if ((isGone || isNull) && saysEmpty(body)) return EMPTY;
	const isLike = isRecord(body) && known !== undefined && known.shape.size > 0 && news.length === 0;
	const isLeftOut = isGone && (path === undefined || !explains(body));
	const isNone = isLike ? isNull || isLeftOut : isNull && path === undefined;
	if (isNone || isBlank(body)) return NOTHING;
	return { kind: 'fault', failure: noList(body, sought, isNull ? [] : choice.paths, path) };
}

const EMPTY: ListReading = { kind: 'records', records: [], otherPaths: [] };
const NOTHING: ListReading = { ...EMPTY, kind: 'nothing' };

/** @param known dot path of the list, if it is known */
function choiceIn(body: unknown, sought: RecordsSought, known?: string): ListChoice {
	const path = known ?? (sought.itemsPath || undefined);
	if (path !== undefined) {
		const found = readDotPath(body, path);
		if (Array.isArray(found)) return { kind: 'list', path, list: found, otherPaths: [] };
		return isNothing(found) ? { kind: 'null' } : { kind: 'unclear', paths: [] };
	}
	if (!Array.isArray(body) || envelopeIn(body) !== undefined) return chooseList(body, sought.keys);
	// `[records, 120]`, as TypeORM returns a page.
	const place = body.findIndex(Array.isArray);
	const isBeside = (value: unknown, at: number) => at === place || typeof value === 'number';
	const isPair = place >= 0 && body.length > 1 && body.every(isBeside);
	return isPair
		? { kind: 'list', path: String(place), list: [body[place]].flat(), otherPaths: [] }
		: { kind: 'list', path: '', list: body, otherPaths: [] };
}

function recordsOf({ list, path, otherPaths }: Extract<ListChoice, { kind: 'list' }>): ListReading {
	if (list.every(isRecord)) return { kind: 'records', records: [...list], path, otherPaths };
	const where = path ? `The answer has at "${path}"` : 'The answer is';
	return {
		kind: 'fault',
		failure: new ServiceFailure(
			`${where} a list whose elements are not all records.`,
			'Set Items Path to the dot path of the list of records.',
			{ kind: 'answer' },
		),
	};
}

/** Whether the answer says so, or the only object in it. */
function saysEmpty(body: unknown): boolean {
	if (!isRecord(body)) return false;
	const { total, totalPages } = readPagingMetadata(body, {});
	if (total === 0 || totalPages === 0) return true;
	const [only, ...others] = Object.values(body);
	return others.length === 0 && saysEmpty(only);
}

/** Whether what stands in place of a list holds nothing. 0 may be the number of its records. */
function isNothing(found: unknown): boolean {
	return found !== undefined && typeof found !== 'number' && isBlank(found);
}

function noList(
	body: unknown,
	{ itemsPath }: RecordsSought,
	paths: readonly string[],
	path?: string,
): ServiceFailure {
	const seen = fieldsSeen(body);
	const failure = (what: string, remedy = 'Set Items Path to the dot path of the list.') =>
		new ServiceFailure(what, remedy, { kind: 'noList' });
	if (path !== undefined) {
		return failure(
			`A page has no list at "${path}", although the first page had one. ${seen}`,
			'Run the workflow again. If it stays so, ask your service provider.',
		);
	}
	if (itemsPath !== '') {
		const what = `The answer has no list at "${itemsPath}".`;
		return Array.isArray(body)
			? failure(`${what} The answer itself is a list.`, 'Clear Items Path in the options.')
			: failure(`${what} ${seen}`);
	}
	if (paths.length === 0) return failure(`The answer holds no list of records. ${seen}`);
	return failure(
		`The answer holds several lists that may be the one of the records: ${paths.join(', ')}.`,
		'Set Items Path to the dot path of the right one.',
	);
}
