import { isJsonObject, type JsonObject, normalizedFieldName } from '../values/json';
import { isShownName } from '../values/serverText';

/** As `normalizedFieldName`, without the prefix of XML and JSON-LD: `member` of `hydra:member`. */
export function normalizedLocalName(name: string): string {
	return normalizedFieldName(name.slice(name.lastIndexOf(':') + 1));
}

/** Normalized names of the page number. `index` alone may belong to a record. */
export const PAGE_NUMBER = /^(?:current|number|index)?page(?:current)?(?:number|no|index)?$/;

export function isPageNumber(name: string): boolean {
	return PAGE_NUMBER.test(name);
}

/** A set of normalized names: a pattern, or the result of `namesOf`. */
export interface Names {
	test: (name: string) => boolean;
}

/**
 * The names that consist of one of `begins`, then any of `words`, and contain `part`; and `others`.
 * Each is a list separated by spaces.
 */
export function namesOf(names: { begins?: string; words: string; part?: string; others?: string }) {
	const listOf = (text = '') => text.split(/\s+/);
	const [begins, words, others] = [listOf(names.begins), listOf(names.words), listOf(names.others)];
	const test = (name: string) => {
		if (others.includes(name)) return name !== '';
		// First what is quick: all fields of each page are looked at.
		if (!name.includes(names.part ?? '')) return false;
		const starts = begins.filter((begin) => name.startsWith(begin)).map(({ length }) => length);
		return starts.length > 0 && wordEnds(name, starts, words).has(name.length);
	};
	return { test };
}

/**
 * Where a row of these words can end that begins at one of these indexes of a text. Takes linear
 * time, which a pattern may not, because `datetime` is one word and also two.
 */
export function wordEnds(text: string, starts: readonly number[], words: readonly string[]) {
	const ends = new Set(starts);
	// The iteration of a set includes what is added meanwhile.
	for (const at of ends) {
		for (const word of words) if (text.startsWith(word, at)) ends.add(at + word.length);
	}
	return ends;
}

const MAX_FIELD_NAMES = 15;
/** Deeper objects of a response are neither searched for lists nor named in a message. */
export const MAX_RESPONSE_DEPTH = 10;

/** Whether the keys of an object are data, because it holds records by their ID or name. */
export function isKeyedById(holder: Record<string, unknown>): boolean {
	const values = Object.values(holder);
	const [first] = values;
	if (values.length < 2 || !isJsonObject(first)) return false;
	const hasSame = (value: JsonObject) => Object.keys(value).some((name) => name in first);
	return values.every((value) => isJsonObject(value) && hasSame(value));
}

/** The ends of names of lists, which names of people rarely have. */
const LIST_NAME = /(?:s|list|data|people|staff|array|set)$/;

/** Whether an object holds lists by keys that are data, such as the visits of each host. */
export function isMapOfLists(holder: Record<string, unknown>): boolean {
	const lists = Object.values(holder).filter(Array.isArray);
	const names = Object.keys(holder);
	const named = names.filter((name) => LIST_NAME.test(normalizedLocalName(name)));
	if (lists.length < names.length || named.length * 2 >= names.length) return false;
	return isKeyedById(
		Object.fromEntries(lists.flatMap((list: unknown[]) => list.slice(0, 1)).entries()),
	);
}

/**
 * Names the fields of a response or a record for an error, as dot paths. If they are too many,
 * those of lists are preferred. Keys that do not look like names of fields are left out.
 */
export function describeFields(
	value: unknown,
	mayShow: (name: string) => boolean = () => true,
	ifNone = 'It has no fields.',
): string {
	const seen: Array<{ path: string; isList: boolean }> = [];
	collect(value, [], 0);
	const likeliest = [...seen].sort((one, other) => Number(other.isList) - Number(one.isList));
	const shown = new Set(likeliest.slice(0, MAX_FIELD_NAMES));
	const paths = seen.filter((one) => shown.has(one)).map(({ path }) => path);
	return paths.length === 0 ? ifNone : `Fields seen: ${paths.join(', ')}.`;

	function collect(inner: unknown, path: readonly string[], depth: number): void {
		const hasFields =
			isJsonObject(inner) && !isKeyedById(inner) && !(depth > 0 && isMapOfLists(inner));
		const fields = hasFields && depth < MAX_RESPONSE_DEPTH ? inner : {};
		const names = Object.keys(fields).filter((name) => isShownName(name) && mayShow(name));
		for (const name of names) collect(fields[name], [...path, name], depth + 1);
		if (names.length > 0 || path.length === 0) return;
		seen.push({ path: path.join('.'), isList: Array.isArray(inner) });
	}
}
