import { isRecord, isText, joinPath } from '../values/json';
import { type EventSources, isList } from './eventFields';
import { isNameDetected, openSearch, type Search } from './eventNames';
import type { FoundEvent } from './events';

export interface Selection {
	selected: readonly FoundEvent[];
	/** The names of the others; null for one without a name. */
	others: ReadonlySet<string | null>;
	/** Dot path of a field of the others that has a selected name all the same. */
	namedAt: string | undefined;
}

interface ValuePlace {
	value: unknown;
	/** Dot path. */
	path: string;
	/** Whether it is one of several, so that it does not name the whole. */
	isInList: boolean;
}

/**
 * A text that is the name of an event, as far as anybody can tell who does not know the service.
 */
interface NamedText extends Pick<ValuePlace, 'path' | 'isInList'> {
	name: string;
}

/**
 * Selects events by their names. If none was found, any text in it that is exactly a selected name
 * counts, because services write it in many places: `topic`, `data.attributes.name`, `Records`. One
 * that was too much to search may have any name.
 *
 * @param names empty = all
 */
export function select(
	events: readonly FoundEvent[],
	names: readonly string[],
	sources: EventSources,
): Selection {
	if (names.length === 0) return { selected: events, others: new Set(), namedAt: undefined };
	const wanted = new Set(names);
	const [forName, forHint] = [openSearch(), openSearch()];
	const selected: FoundEvent[] = [];
	const others = new Set<string | null>();
	let namedAt: string | undefined;
	for (const event of events) {
		const { known, mayHaveMore } = event.searchNames();
		if (mayHaveMore || known.some((name) => name !== null && names.includes(name))) {
			selected.push(event);
			continue;
		}
		const search = event.isNamed ? forHint : forName;
		const isLookedFor = isNameDetected(sources) && (!event.isNamed || namedAt === undefined);
		const found = isLookedFor ? findNamedText(event.body, wanted, search) : undefined;
		if (!event.isNamed && isLookedFor && (found !== undefined || search.isCutOff)) {
			selected.push(found?.isInList === false ? { ...event, event: found.name } : event);
			continue;
		}
		// One by one: what is spread into arguments may be more than a call can take.
		for (const name of known) others.add(name);
		if (found?.isInList === false) namedAt ??= found.path;
	}
	return { selected, others, namedAt };
}

/**
 * Looks through the whole event, what is outermost first.
 *
 * @param search tells afterwards whether there was more than may be looked at
 */
function findNamedText(
	body: unknown,
	names: ReadonlySet<string>,
	search: Search,
): NamedText | undefined {
	search.isCutOff = false;
	const waiting: ValuePlace[] = [{ value: body, path: '', isInList: false }];
	for (const around of waiting) {
		for (const place of placesIn(around)) {
			const { value, path, isInList } = place;
			if (isText(value) && names.has(value.trim())) return { name: value.trim(), path, isInList };
			if (typeof value !== 'object' || value === null) continue;
			search.isCutOff = search.left === 0;
			if (search.isCutOff) return undefined;
			search.left--;
			waiting.push(place);
		}
	}
	return undefined;
}

/** A list that is a field is looked through with the fields. */
function* placesIn({ value, path, isInList }: ValuePlace): Generator<ValuePlace> {
	if (isText(value)) yield { value, path, isInList };
	if (isList(value)) yield* elementsOf(value, path);
	if (!isRecord(value)) return;
	for (const [key, inner] of Object.entries(value)) {
		if (isList(inner)) yield* elementsOf(inner, joinPath(path, key));
		else yield { value: inner, path: joinPath(path, key), isInList };
	}
}

function* elementsOf(list: readonly unknown[], path: string): Generator<ValuePlace> {
	for (const value of list) yield { value, path, isInList: true };
}
