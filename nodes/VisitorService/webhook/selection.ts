import { isRecord, isText, type JsonObject, joinPath } from '../values/json';
import type { EventSources } from './eventFields';
import { isNameDetected } from './eventNames';
import type { FoundEvent } from './events';

export interface Selection {
	selected: readonly FoundEvent[];
	/** The names of the others; null for one without a name. */
	others: ReadonlySet<string | null>;
	/** Dot path of a field of the others that has a selected name all the same. */
	namedAt: string | undefined;
}

/** A field that has the name of an event, as far as anybody can tell who does not know the service. */
interface NamedField {
	path: string;
	name: string;
}

/**
 * Selects events by their names. If none was found, any field that has exactly a selected name is taken to be its name, because
 * services write it under many: `topic`, `action`, `event.type`. One that was too much to search may have any name.
 *
 * @param names empty = all
 */
export function select(
	events: readonly FoundEvent[],
	names: readonly string[],
	sources: EventSources,
): Selection {
	if (names.length === 0) return { selected: events, others: new Set(), namedAt: undefined };
	const selected: FoundEvent[] = [];
	const others = new Set<string | null>();
	let namedAt: string | undefined;
	for (const event of events) {
		const { known, mayHaveMore } = event.searchNames();
		if (mayHaveMore || known.some((name) => name !== null && names.includes(name))) {
			selected.push(event);
			continue;
		}
		const field = isNameDetected(sources) ? findNamedField(event.body, names) : undefined;
		if (field !== undefined && known.every((name) => name === null)) {
			selected.push({ ...event, event: field.name });
			continue;
		}
		// One by one: what is spread into arguments may be more than a call can take.
		for (const name of known) others.add(name);
		namedAt ??= field?.path;
	}
	return { selected, others, namedAt };
}

/** Among the fields of an event, and then among those of the objects in it. */
function findNamedField(body: unknown, names: readonly string[]): NamedField | undefined {
	if (!isRecord(body)) return undefined;
	const own = namedFieldIn(body, '', names);
	if (own !== undefined) return own;
	for (const [key, value] of Object.entries(body)) {
		const inner = isRecord(value) ? namedFieldIn(value, key, names) : undefined;
		if (inner !== undefined) return inner;
	}
	return undefined;
}

function namedFieldIn(
	object: JsonObject,
	path: string,
	names: readonly string[],
): NamedField | undefined {
	for (const [key, value] of Object.entries(object)) {
		const name = isText(value) ? value.trim() : '';
		if (names.includes(name)) return { path: joinPath(path, key), name };
	}
	return undefined;
}
