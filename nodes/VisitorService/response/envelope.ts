import { isJsonObject, type JsonObject, joinPath } from '../values/json';
import { isFieldName } from '../values/serverText';
import { isKeyedById, isMapOfLists, MAX_RESPONSE_DEPTH, normalizedLocalName } from './fieldNames';

/** A part of a response that is outside of its lists of records. */
interface EnvelopePart {
	/** Keys from the outermost object to this part, without indexes of lists. */
	keys: readonly string[];
	/** The last key, as `normalizedLocalName` writes it. */
	name: string;
	/** Whether it goes with the records, by its name or that of an object around it. */
	isMetadata: boolean;
	/** Whether it is part of a record: in an object with an ID, or under a key that is data. */
	belongsToRecord: boolean;
}

/** A list of a response, or null where one would be. */
export interface EnvelopeList extends EnvelopePart {
	/** Dot path. An envelope in a list adds its index: `0.data`. */
	path: string;
	list: readonly unknown[] | null;
	/** Whether an object around it goes with the records. */
	isIncluded: boolean;
}

export interface Envelope {
	/** Outer objects first. */
	objects: ReadonlyArray<EnvelopePart & { value: JsonObject }>;
	lists: readonly EnvelopeList[];
}

/** Names of what goes with the records: errors, links, schemas, the request, other records. */
const COMPANIONS = new Set(
	`messages links link sort sorts sorting order orders fields columns filters filter facets
	aggregations aggs included includes linked meta metadata permissions scopes actions operations queries query
	breadcrumbs schema schemas searchcriteria search request template mapping pagination paging
	pageable pageinfo`.split(/\s+/),
);

/** Names of lists of errors: `validationErrors`, `errorList`, `invalidParams`; FHIR's `issue`. */
const FAULTS = /^errors?|(?:error|warning|violation|exception|failure|param|parameter)s?$|^issue$/;

function isCompanionName(name: string): boolean {
	return COMPANIONS.has(name) || isFaultName(name);
}

export function isFaultName(name: string): boolean {
	return FAULTS.test(name);
}

/** A response with more objects is a map of records and not an envelope. */
const MAX_OBJECTS = 500;

/** Takes a response apart, down to its records. */
export function readEnvelope(body: unknown): Envelope {
	const objects: Array<EnvelopePart & { value: JsonObject }> = [];
	const lists: EnvelopeList[] = [];
	const outermost = { keys: [], name: '', isMetadata: false, belongsToRecord: false };
	visit(body, '', outermost, false);
	objects.sort((one, other) => one.keys.length - other.keys.length);
	return { objects, lists };

	function visit(at: unknown, path: string, part: EnvelopePart, isIncluded: boolean): void {
		const inList = Array.isArray(at) ? unwrapEnvelope(at) : undefined;
		const value = inList ?? at;
		const { keys } = part;
		if (Array.isArray(value) || isBlankText(value)) {
			lists.push({ path, list: Array.isArray(value) ? value : null, isIncluded, ...part });
		} else if (
			isJsonObject(value) &&
			keys.length <= MAX_RESPONSE_DEPTH &&
			objects.length < MAX_OBJECTS
		) {
			objects.push({ value, ...part });
			const isWithinRecord = part.belongsToRecord || isKeyedById(value) || isRecordItself(value);
			const belongsToRecord = isWithinRecord || (keys.length > 0 && isMapOfLists(value));
			for (const [key, inner] of Object.entries(value)) {
				const name = normalizedLocalName(key);
				const own: EnvelopePart = {
					keys: [...keys, key],
					name,
					isMetadata: part.isMetadata || isCompanionName(name),
					belongsToRecord: belongsToRecord || !isFieldName(key),
				};
				const holder = inList === undefined ? path : joinPath(path, '0');
				visit(inner, joinPath(holder, key), own, part.isMetadata);
			}
		}
	}
}

/** Whether a response holds nothing but null, 0, false and what is empty. */
export function isBlank(value: unknown): boolean {
	if (typeof value === 'string') return value.trim() === '';
	if (typeof value !== 'object' || value === null) return !value;
	return Object.values(value).every(isBlank);
}

/** Whether this stands for an empty list: null, and what PHP, Lua and XML write. */
function isBlankText(value: unknown): boolean {
	const isEmpty = isJsonObject(value) && Object.keys(value).length === 0;
	return value === null || isEmpty || (typeof value === 'string' && value.trim() === '');
}

/** An object with an ID is a record that has lists of its own, unless it has paging fields. */
function isRecordItself(value: JsonObject): boolean {
	const names = Object.keys(value).map(normalizedLocalName);
	return names.some((name) => /^(id|uuid|guid)$/.test(name)) && !names.some(isPagingName);
}

function isPagingName(name: string): boolean {
	return /^(total|next|hasmore|hasnext|pag(e|ing|ination)|offset$|limit$|link$)/.test(name);
}

/** Fields beside the records of an envelope in a list, none of which a record has. */
const BESIDE_RECORDS =
	/^(prev|count$|size$|perpage$|cursor$|more$|has(more|next|prev)|success$|ok$)/;

/**
 * The only element of a list, if it holds the list of records instead of being one, beside paging
 * fields or nothing: `[{ total, data: […] }]` of MongoDB, and all of XML that is read as lists.
 */
export function unwrapEnvelope(list: readonly unknown[]): JsonObject | undefined {
	const [only] = list;
	return list.length === 1 && isJsonObject(only) && holdsOnlyRecords(only, 0) ? only : undefined;
}

function holdsOnlyRecords(value: JsonObject, depth: number): boolean {
	if (depth > MAX_RESPONSE_DEPTH || isKeyedById(value)) return false;
	const around = Object.entries(value).filter(([key]) => {
		const name = normalizedLocalName(key);
		return !isPagingName(name) && !BESIDE_RECORDS.test(name) && !isCompanionName(name);
	});
	const holds = (inner: unknown) =>
		Array.isArray(inner)
			? inner.every(isJsonObject)
			: isJsonObject(inner) && holdsOnlyRecords(inner, depth + 1);
	return around.length > 0 && around.every(([, inner]) => holds(inner));
}
