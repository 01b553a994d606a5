import { ServiceFailure } from '../failure/serviceFailure';
import type { HttpResponse } from '../http/message';
import { isJsonObject, joinPath, type Records, readDotPath } from '../values/json';
import { redactPath } from '../values/serverText';
import { chooseList, type ListChoice } from './chooseList';
import { isBlank, unwrapEnvelope } from './envelope';
import {
	type BodyError,
	bodyErrorFailure,
	findBodyError,
	findOutcomes,
	hasExplanation,
} from './errorBody';
import { describeFields } from './fieldNames';
import { readPagingMetadata } from './paging';

/** What the body of a response with a success status holds. */
export type RecordsResult = FoundList | BodyError;

interface FoundList {
	/** `list`: it may be empty; `noList`: neither a list nor anything else: `null`, `{}`, 204. */
	kind: 'list' | 'noList';
	records: Records;
	/** '' = the body is the list. Undefined if the response only states that it is empty. */
	path?: string;
	/** Dot paths of other lists that could be meant. */
	otherPaths: readonly string[];
}

/** The part of a response that may hold a list. */
type ListResponse = Pick<HttpResponse, 'statusCode' | 'body'>;

export interface ListTarget {
	/** Names of the list by its resource and path, in lower case; first the likeliest, a plural. */
	listNames: readonly string[];
	/** Dot path set by the user; if it is empty, the list is detected. */
	itemsPath: string;
}

/** What the responses of one list have in common, beside their records. */
export interface ListShape {
	/** Dot path of the list; undefined until a page had records. */
	path?: string;
	/**
	 * Dot paths of the keys of each object on the way to the list, none if the body is a list; and
	 * the outcomes other than success that these objects state: `data.status: partial`.
	 */
	keyPaths: ReadonlySet<string>;
}

/** @param path dot path of the list; '' = the body is the list, or has none */
export function keyPathsOf(body: unknown, path = ''): Set<string> {
	const keys = path.split('.');
	const shape = keys.flatMap((_, depth) => {
		const index = keys.slice(0, depth).join('.');
		const object = readDotPath(body, index);
		const names = isJsonObject(object) ? [...Object.keys(object), ...findOutcomes(object)] : [];
		return names.map((name) => joinPath(index, name));
	});
	return new Set(shape);
}

/**
 * Finds the list of records in a response, whose envelope the interface document does not show. A
 * later page has it at the same path as the first page with records.
 *
 * @param response of status 2xx
 * @param shape of the pages before it: a body of another shape is not a page without records
 */
export function findRecords(
	{ statusCode, body }: ListResponse,
	target: ListTarget,
	shape?: ListShape,
): RecordsResult {
	if (statusCode === 204 || body === null || body === undefined) return NO_LIST;
	const bodyError = findBodyError(body);
	if (bodyError?.kind === 'noList') return NO_LIST;
	if (bodyError?.kind === 'noData' && bodyError.mayMeanEmptyList && shape === undefined)
		return EMPTY;
	if (bodyError !== undefined) return bodyError;
	const path = shape?.path;
	const choice = findList(body, target, path);
	if (choice.kind === 'list' && (choice.list.length > 0 || path === undefined))
		return recordsOf(choice);
	const unexpected = [...keyPathsOf(body, path)].filter((one) => shape?.keyPaths.has(one) !== true);
	if (choice.kind === 'list') {
		// An empty page with another outcome than the other pages is an error, not the end.
		const statesOtherOutcome = unexpected.some((one) => one.includes(': '));
		return statesOtherOutcome
			? { kind: 'invalid', failure: bodyErrorFailure(body) }
			: recordsOf(choice);
	}
	const isNull = choice.kind === 'null';
	const isGone = path === undefined || readDotPath(body, path) === undefined;
	if ((isGone || isNull) && statesEmpty(body)) return EMPTY;
	const hasSameShape =
		isJsonObject(body) && shape !== undefined && shape.keyPaths.size > 0 && unexpected.length === 0;
	const isLeftOut = isGone && (path === undefined || !hasExplanation(body));
	const isNone = hasSameShape ? isNull || isLeftOut : isNull && path === undefined;
	if (isNone || isBlank(body)) return NO_LIST;
	return {
		kind: 'invalid',
		failure: noListFailure(body, target, isNull ? [] : choice.paths, path),
	};
}

const EMPTY: RecordsResult = { kind: 'list', records: [], otherPaths: [] };
const NO_LIST: RecordsResult = { ...EMPTY, kind: 'noList' };

/** @param pathOfList dot path at which an earlier page had the list */
function findList(body: unknown, target: ListTarget, pathOfList?: string): ListChoice {
	const path = pathOfList ?? (target.itemsPath || undefined);
	if (path !== undefined) {
		const found = readDotPath(body, path);
		if (Array.isArray(found)) return { kind: 'list', path, list: found, otherPaths: [] };
		return isBlankList(found) ? { kind: 'null' } : { kind: 'unclear', paths: [] };
	}
	if (!Array.isArray(body) || unwrapEnvelope(body) !== undefined)
		return chooseList(body, target.listNames);
	// `[records, 120]`, as TypeORM returns a page.
	const index = body.findIndex(Array.isArray);
	const isBeside = (value: unknown, at: number) => at === index || typeof value === 'number';
	const isPair = index >= 0 && body.length > 1 && body.every(isBeside);
	return isPair
		? { kind: 'list', path: String(index), list: [body[index]].flat(), otherPaths: [] }
		: { kind: 'list', path: '', list: body, otherPaths: [] };
}

function recordsOf({
	list,
	path,
	otherPaths,
}: Extract<ListChoice, { kind: 'list' }>): RecordsResult {
	if (list.every(isJsonObject)) return { kind: 'list', records: list, path, otherPaths };
	const where = path ? `The response has at "${redactPath(path)}"` : 'The response is';
	return {
		kind: 'invalid',
		failure: new ServiceFailure(
			`${where} a list whose elements are not all records.`,
			'Set Items Path to the dot path of the list of records.',
			{ kind: 'response' },
		),
	};
}

/** Whether a body, or the only object in it, says that the list is empty. */
function statesEmpty(body: unknown): boolean {
	if (!isJsonObject(body)) return false;
	const {
		offset = 0,
		pageNumber = 0,
		total = Infinity,
		totalPages = Infinity,
	} = readPagingMetadata(body, {});
	// Without a list, an offset at the total is past the end, as is a page after the last one.
	if (totalPages === 0 || pageNumber > totalPages || offset >= total) return true;
	const [only, ...others] = Object.values(body);
	return others.length === 0 && statesEmpty(only);
}

/** Whether a value stands for an empty list. 0 does not, as it may be the number of records. */
function isBlankList(found: unknown): boolean {
	return found !== undefined && typeof found !== 'number' && isBlank(found);
}

function noListFailure(
	body: unknown,
	{ itemsPath }: ListTarget,
	paths: readonly string[],
	path?: string,
): ServiceFailure {
	const seen = describeFields(body);
	const failure = (what: string, remedy = 'Set Items Path to the dot path of the list.') =>
		new ServiceFailure(what, remedy, { kind: 'noList' });
	if (path !== undefined) {
		return failure(
			`A page has no list at "${redactPath(path)}", although the first page had one. ${seen}`,
			'Run the workflow again. If it stays so, ask your service provider.',
		);
	}
	if (itemsPath !== '') {
		const what = `The response has no list at "${itemsPath}".`;
		return Array.isArray(body)
			? failure(`${what} The response itself is a list.`, 'Clear Items Path in the options.')
			: failure(`${what} ${seen}`);
	}
	if (paths.length === 0) return failure(`The response holds no list of records. ${seen}`);
	return failure(
		`The response holds several lists that may be the one of the records: ${paths.join(', ')}.`,
		'Set Items Path to the dot path of the right one.',
	);
}
