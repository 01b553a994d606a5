import { isRecord, isText, joinPath } from '../values/json';
import { parseJsonText } from './delivery/body';
import { type HeaderFields, headerValue } from './delivery/request';
import { contentsIn, eventFields, isList, type ProvenSources } from './eventFields';
import { isNameDetected, isSpent, openSearch, type Search } from './eventNames';
import { type FoundEvent, findEvents } from './events';

/** Objects as which JSON text counts: an error in it takes as long. */
const JSON_TEXT = 10;

export interface Selection {
	selected: readonly FoundEvent[];
	/** The names of the others; null for one without a name. */
	others: ReadonlySet<string | null>;
	/** Where in the others a selected name stands all the same. */
	namedAt: NamePlace | undefined;
}

/** Dot path of a field, or of the list that holds it somewhere in its elements; or a header. */
export type NamePlace = { kind: 'field' | 'list' | 'header'; path: string };

interface ValuePlace {
	value: unknown;
	/** Dot path. */
	path: string;
	/** That of the list it is in, so that it does not name the whole. */
	list: string | undefined;
}

/**
 * A text that is the name of an event, as far as anybody can tell who does not know the service.
 */
interface NamedText extends Pick<ValuePlace, 'path' | 'list'> {
	name: string;
}

/** What was found of one event. */
interface Match {
	/** As it is shown; undefined if it is not selected. */
	event: FoundEvent | undefined;
	names: Array<string | null>;
}

/**
 * Selects events by their names. If none was found, any text in it that is exactly a selected name
 * counts, because services write it in many places: `topic`, `data.attributes.name`, `Records`, or
 * any header. One that was too much to search may have any name.
 *
 * @param names empty = all
 * @param headers without secrets
 */
export function select(
	events: readonly FoundEvent[],
	names: readonly string[],
	sources: ProvenSources,
	headers: HeaderFields,
): Selection {
	if (names.length === 0) return { selected: events, others: new Set(), namedAt: undefined };
	const wanted = new Set(names);
	const matching = new Matching(wanted, sources);
	const isDetected = isNameDetected(sources);
	const header = isDetected ? headerWith(wanted, headers) : undefined;
	const forHint = openSearch();
	const selected: FoundEvent[] = [];
	const others = new Set<string | null>();
	let namedAt: NamePlace | undefined;
	for (const event of events) {
		const found = matching.match(event);
		if (found.event !== undefined) {
			selected.push(found.event);
			continue;
		}
		if (!event.isNamed && header !== undefined) {
			selected.push({ ...event, event: headerValue(headers, header) });
			continue;
		}
		// One by one: what is spread into arguments may be more than a call can take.
		for (const name of found.names) others.add(name);
		if (event.isNamed && isDetected) namedAt ??= placeIn(event, wanted, forHint);
	}
	if (header !== undefined) namedAt ??= { kind: 'header', path: header };
	return { selected, others, namedAt };
}

/** The name of the header that is exactly one of these names. */
function headerWith(names: ReadonlySet<string>, headers: HeaderFields): string | undefined {
	return Object.keys(headers).find((header) => names.has(headerValue(headers, header)));
}

/** Matches the events of one delivery, within what may be searched of it. */
class Matching {
	private readonly forMessages = openSearch();

	private readonly forTexts = openSearch();

	constructor(
		private readonly names: ReadonlySet<string>,
		private readonly sources: ProvenSources,
	) {}

	match(event: FoundEvent): Match {
		const { names, sources, forTexts } = this;
		const { known, mayHaveMore } = event.searchNames();
		if (mayHaveMore || known.some((name) => name !== null && names.has(name))) {
			return { event, names: known };
		}
		if (event.isNamed || !isNameDetected(sources)) return this.matchMessages(event, known);
		const found = findNamedText(event.body, true, names, forTexts);
		if (found === undefined) return { event: forTexts.isCutOff ? event : undefined, names: known };
		const isName = found.list === undefined;
		return { event: isName ? { ...event, event: found.name } : event, names: known };
	}

	/** JSON text is read as a body: services such as AWS SNS wrap an event so. */
	private matchMessages(event: FoundEvent, known: Match['names']): Match {
		const { sources, forMessages } = this;
		const isTold =
			sources.eventPath === '' ? sources.eventHeader !== '' : event.nameInBody !== null;
		const names = [...known];
		for (const message of isTold ? [] : messagesIn(event.body)) {
			if (isSpent(forMessages, JSON_TEXT)) return { event, names };
			const body = parseJsonText(message);
			const found = findEvents(body, {}, { ...sources, itemsPath: '' }, forMessages);
			if (found.kind === 'tooMany') return { event, names };
			for (const inner of found.events) {
				const match = this.match(inner);
				if (match.event !== undefined) return { event, names };
				for (const name of match.names) names.push(name);
			}
		}
		return { event: undefined, names };
	}
}

/** Where in an event a selected name stands that is not taken for its own. */
function placeIn(
	{ body, listPath }: FoundEvent,
	names: ReadonlySet<string>,
	search: Search,
): NamePlace | undefined {
	const found = findNamedText(body, false, names, search);
	if (found === undefined) return undefined;
	const { path, list } = found;
	if (list === undefined) return { kind: 'field', path };
	// The elements of a list without a path of its own are those of the list around it.
	return list === '' ? undefined : { kind: 'list', path: joinPath(listPath, list) };
}

/** JSON text that is an event, or stands in its fields or in those of what it is about. */
function messagesIn(body: unknown): string[] {
	const fields = [body, ...contentsIn(eventFields(body))]
		.filter(isRecord)
		.flatMap((object) => Object.values(object));
	return [body, ...fields].filter(isJsonText);
}

/** Whether it may be the text of an object or a list. */
function isJsonText(value: unknown): value is string {
	return isText(value) && /^\s*[[{]/.test(value);
}

/**
 * Looks through the whole event, what is outermost first.
 *
 * @param search tells afterwards whether there was more than may be looked at
 */
function findNamedText(
	body: unknown,
	readsJsonText: boolean,
	names: ReadonlySet<string>,
	search: Search,
): NamedText | undefined {
	search.isCutOff = false;
	const waiting: ValuePlace[] = [{ value: body, path: '', list: undefined }];
	for (const around of waiting) {
		for (const place of placesIn(around)) {
			const { value, path, list } = place;
			if (isText(value) && names.has(value.trim())) return { name: value.trim(), path, list };
			const isInner = isJsonText(value)
				? readsJsonText
				: typeof value === 'object' && value !== null;
			if (!isInner) continue;
			if (isSpent(search, isJsonText(value) ? JSON_TEXT : 1)) return undefined;
			waiting.push(isJsonText(value) ? { ...place, value: parseJsonText(value) } : place);
		}
	}
	return undefined;
}

/** A list that is a field is looked through with the fields. */
function* placesIn({ value, path, list }: ValuePlace): Generator<ValuePlace> {
	if (isText(value)) yield { value, path, list };
	if (isList(value)) yield* elementsOf(value, path);
	if (!isRecord(value)) return;
	for (const [key, inner] of Object.entries(value)) {
		if (isList(inner)) yield* elementsOf(inner, joinPath(path, key));
		else yield { value: inner, path: joinPath(path, key), list };
	}
}

function* elementsOf(list: readonly unknown[], path: string): Generator<ValuePlace> {
	for (const value of list) yield { value, path, list: path };
}
