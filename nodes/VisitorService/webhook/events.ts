import type { Fields } from '../values/fieldName';
import { isRecord, isText, valuesAt } from '../values/json';
import type { HeaderFields } from './delivery/request';
import {
	eventFields,
	isIdField,
	isList,
	isNameField,
	listIn,
	type ProvenSources,
} from './eventFields';
import {
	chooseId,
	deliveryIds,
	detectIds,
	type EventId,
	type Identity,
	idAtPath,
} from './eventIds';
import {
	type EventList,
	type EventNames,
	elementName,
	eventNamesOf,
	type Holder,
	type NamesAround,
	nameIn,
	namesAround,
	namesOfDelivery,
	openSearch,
	type Search,
} from './eventNames';

export interface FoundEvent {
	/** Name of the event, null if none was found. */
	event: string | null;
	/** ID for the output, null if none was found. */
	id: string | number | null;
	/** Whether the name is more than the content of a header that anybody may use for anything. */
	isNamed: boolean;
	/** The name, as far as the body alone tells it. */
	nameInBody: string | null;
	/** What tells a repeat; undefined if nothing does. */
	identity: Identity | undefined;
	/** Takes a search of the whole body. All searches of one delivery together are bounded. */
	searchNames(): EventNames;
	/** The element of a batch, or the whole body. */
	body: unknown;
	/** Dot path of the list it stands in; '' = the body is the list, or it stands in none. */
	listPath: string;
}

export type FoundEvents = { kind: 'found'; events: FoundEvent[] } | { kind: 'tooMany' };

/** Enough for every sender known, and few enough for n8n to hold as items. */
export const MAX_ELEMENTS = 10_000;

interface ListAt extends EventList {
	/** Dot path; `''` for the body. */
	path: string;
}

/** What the elements of a batch get from around them. */
interface Surroundings extends NamesAround {
	ids: EventId[];
}

/**
 * Finds the events of a body: one for each element of a batch, else the body itself. What an
 * element lacks is taken from around it. A batch is an array, or the list at Items Path. Without a
 * path, a list beside which nothing stands that its elements would lose is one too.
 */
export function findEvents(
	body: unknown,
	headers: HeaderFields,
	sources: ProvenSources,
	search = openSearch(),
): FoundEvents {
	const fields = eventFields(body);
	const around: Surroundings = {
		...namesOfDelivery(body, fields, headers, sources),
		ids: deliveryIds(body, fields, headers, sources),
	};
	const named = listAt(body, sources.itemsPath);
	if (named !== undefined) {
		if (named.value.length > MAX_ELEMENTS) return { kind: 'tooMany' };
		return { kind: 'found', events: elementsOf(named, fields, around, sources, search) };
	}

	const found = sources.itemsPath === '' ? listIn(fields) : undefined;
	if (isRecord(body) && found !== undefined && found.value.length <= MAX_ELEMENTS) {
		const elements = elementsOf({ ...found, path: found.key }, fields, around, sources, search);
		const shared = sharedBy(elements);
		const losesNothing = Object.entries(body).every(
			([field, value]) => value === found.value || shows(shared, field, value),
		);
		if (losesNothing) return { kind: 'found', events: elements };
	}
	const { name, isNamed, inBody, ids } = around;
	const whole: Holder = { value: body, fields, kind: 'event' };
	const event: FoundEvent = {
		event: name,
		isNamed,
		nameInBody: inBody,
		...chooseId(ids),
		searchNames: () => eventNamesOf(whole, around, sources, search),
		body,
		listPath: '',
	};
	return { kind: 'found', events: [event] };
}

function elementsOf(
	list: ListAt,
	holder: Fields,
	outside: Surroundings,
	sources: ProvenSources,
	search: Search,
): FoundEvent[] {
	const around = namesAround(list, holder, outside, sources);
	// An ID in the body may be that of anything around the list, such as of a building.
	const sharedIds = outside.ids.map((id) => {
		return { ...id, isShared: true, isGuess: id.isGuess || !id.isShared };
	});
	return list.value.map((body) => {
		const fields = eventFields(body);
		const ownName = elementName(body, fields, around, sources);
		const name = ownName ?? around.name;
		const atPath = idAtPath(body, sources);
		// Beside a name around it, an element without one is a record, and its "id" that of the record.
		const isRecordOfEvent = ownName === null && around.name !== null;
		const holder: Holder = { value: body, fields, kind: isRecordOfEvent ? 'record' : 'event' };
		const own = detectIds(fields);
		const ids = isRecordOfEvent
			? [...own.filter(({ isOfRecord }) => !isOfRecord), ...sharedIds, ...own]
			: [...own, ...sharedIds];
		const found = chooseId([...atPath, ...ids]);
		return {
			event: name,
			isNamed: ownName !== null || around.isNamed,
			nameInBody: nameIn(body, fields, sources) ?? around.inBody,
			...found,
			searchNames: () => eventNamesOf(holder, { ...around, name }, sources, search),
			body,
			listPath: list.path,
		};
	});
}

/** @returns undefined if the body is not a list, and has none at the path */
function listAt(body: unknown, itemsPath: string): ListAt | undefined {
	const lists = itemsPath === '' ? [] : valuesAt(body, itemsPath);
	if (lists.length > 0 && lists.every(isList)) {
		const key = itemsPath.slice(itemsPath.lastIndexOf('.') + 1);
		return { key, path: itemsPath, value: lists.flat() };
	}
	return isList(body) ? { key: '', path: '', value: body } : undefined;
}

/** What the items of all elements show alike. */
interface Shared {
	event: string | null | undefined;
	id: string | number | null | undefined;
}

/** Found out once: the sender sets how many fields stand beside how many elements. */
function sharedBy([first, ...others]: readonly FoundEvent[]): Shared {
	return {
		event: others.every(({ event }) => event === first?.event) ? first?.event : undefined,
		id: others.every(({ id }) => id === first?.id) ? first?.id : undefined,
	};
}

/**
 * Whether a field that stands beside the list is seen in the item of each element: as its name or
 * as its ID.
 */
function shows({ event, id }: Shared, field: string, value: unknown): boolean {
	if (isNameField(field)) return isText(value) && value.trim() === event;
	return isIdField(field) && value === id;
}
