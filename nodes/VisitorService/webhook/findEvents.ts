import { readDotPath } from '../json/dotPath';
import { isRecord } from '../json/isRecord';
import type { EventPaths } from './settings';

export interface FoundEvent {
	/** Name of the event, null where none was found. */
	event: string | null;
	/** ID for the output, null where none was found. */
	id: string | number | null;
	/** The ID to tell a repeat by: the surest of those found. */
	identity: FoundId | undefined;
	/** The element of a batch, or the whole body. */
	body: unknown;
}

export interface FoundId {
	value: string | number;
	/**
	 * What the ID names. That of a delivery is shared by all elements of a batch; one that may be that of a record
	 * comes again with each change of the record.
	 */
	names: 'event' | 'delivery' | 'record';
}

/** The ID a header gives to the delivery. */
export interface DeliveryId {
	/** `''` where there is none. */
	value: string;
	/** Whether the user or a specification named the header, so that it goes before what is found in the body. */
	named: boolean;
}

const EVENT_KEYS = ['event', 'type', 'eventType', 'event_type', 'Type'];
/** Those that hold nothing but the name of an event; a record has a `type` too. */
const SURE_EVENT_KEYS = ['event', 'eventType', 'event_type'];
const ID_KEYS = ['eventId', 'event_id', 'id', 'idempotency_key'];
const BATCH_KEYS = ['events', 'items', 'data'];
const CONTENT_KEYS = ['data', 'payload', 'object', 'record', 'resource'];

/**
 * Finds the events of a body: one for each element of a batch, else the body itself.
 * What an element lacks is taken from the envelope around it.
 */
export function findEvents(body: unknown, paths: EventPaths, deliveryId: DeliveryId): FoundEvent[] {
	const inHeader: FoundId | undefined =
		deliveryId.value === '' ? undefined : { value: deliveryId.value, names: 'delivery' };
	const ids = [
		idAtPath(body, paths),
		deliveryId.named ? inHeader : undefined,
		...detectIds(body),
		inHeader,
	];

	const elements = findElements(body, paths.items);
	if (elements === undefined) return [{ event: findName(body, paths), ...chooseId(ids), body }];

	const envelopeName = isRecord(body) ? findName(body, paths) : null;
	const mayHoldRecords = namesElements(body, paths);
	const sharedIds = ids.map(shared);
	return elements.map((element) => {
		const ownName = mayHoldRecords && isPlainRecord(element) ? null : findName(element, paths);
		// Beside a name on the envelope, an element without one is a record, and its ID that of the record.
		const isRecordOfEvent = ownName === null && envelopeName !== null;
		const ownIds = isRecordOfEvent ? detectIds(element, false) : detectIds(element);
		const sureIds = ownIds.filter(({ names }) => names === 'event').map(shared);
		const ids = isRecordOfEvent
			? [...sureIds, ...sharedIds, ...ownIds.map(ofRecord)]
			: [...ownIds, ...sharedIds];
		return {
			event: ownName ?? envelopeName,
			...chooseId([idAtPath(element, paths), ...ids]),
			body: element,
		};
	});
}

/** The elements of a batch. @returns undefined where the body is none */
export function findElements(body: unknown, itemsPath: string): unknown[] | undefined {
	if (itemsPath !== '') {
		const items = readDotPath(body, itemsPath);
		if (isList(items)) return items;
	}
	if (isList(body)) return body;
	if (itemsPath !== '') return undefined;
	// Beside the record an event is about, another list is a part of that event: only `events` are events there.
	const keys = CONTENT_KEYS.some((key) => isRecord(ownValue(body, key))) ? ['events'] : BATCH_KEYS;
	return keys.map((key) => ownValue(body, key)).find(isListOfRecords);
}

function isList(value: unknown): value is unknown[] {
	return Array.isArray(value);
}

function isListOfRecords(value: unknown): value is Array<Record<string, unknown>> {
	return isList(value) && value.length > 0 && value.every(isRecord);
}

/** Whether the name on the envelope is surely that of an event, and may be that of its elements. */
function namesElements(envelope: unknown, paths: EventPaths): boolean {
	return (
		paths.event === '' && hasSureName(envelope) && !isListOfRecords(ownValue(envelope, 'events'))
	);
}

/** Whether the `type` of an element may say what record it is, rather than what happened. */
function isPlainRecord(element: unknown): boolean {
	return !hasSureName(element) && !isEnvelope(element);
}

function hasSureName(value: unknown): boolean {
	return isCloudEvent(value) || SURE_EVENT_KEYS.some((key) => isName(ownValue(value, key)));
}

/** CloudEvents 1.0 section 3.1: its `type` is that of the event, and its `id` too. */
function isCloudEvent(value: unknown): boolean {
	return isName(ownValue(value, 'specversion'));
}

function isName(value: unknown): value is string {
	return typeof value === 'string' && value.trim() !== '';
}

function findName(value: unknown, paths: EventPaths): string | null {
	const names =
		paths.event === ''
			? EVENT_KEYS.map((key) => ownValue(value, key))
			: // Some systems number their events; where the user points at one, it is the name.
				[readDotPath(value, paths.event)].map((name) =>
					Number.isSafeInteger(name) ? String(name) : name,
				);
	return names.find(isName)?.trim() ?? null;
}

/** The value at the path of the user is the ID of the event, whatever it is called. */
function idAtPath(value: unknown, paths: EventPaths): FoundId | undefined {
	if (paths.id === '') return undefined;
	const id = readDotPath(value, paths.id);
	return isId(id) ? { value: id, names: isExact(id) ? 'event' : 'record' } : undefined;
}

/** All of them: where the first is that of the record, another one may be that of the event. */
function detectIds(value: unknown, isEvent = isEnvelope(value)): FoundId[] {
	return ID_KEYS.flatMap((key) => {
		const id = ownValue(value, key);
		if (!isId(id)) return [];
		const names = isExact(id) && (key !== 'id' || isEvent) ? 'event' : 'record';
		return [{ value: id, names } as const];
	});
}

/** Beside a field that holds the record or the records, `id` is that of the event. */
function isEnvelope(value: unknown): boolean {
	const contents = CONTENT_KEYS.map((key) => ownValue(value, key));
	return (
		isCloudEvent(value) || contents.some((content) => isRecord(content) || isListOfRecords(content))
	);
}

function isId(value: unknown): value is string | number {
	return typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
}

/** Several records may be those of one event: its ID then tells them apart by their place only. */
function shared<Id extends FoundId | undefined>(id: Id): Id {
	return id?.names === 'event' ? { ...id, names: 'delivery' } : id;
}

function ofRecord(id: FoundId): FoundId {
	return { ...id, names: 'record' };
}

/** JSON.parse rounds other numbers, so that two IDs become one. */
function isExact(id: string | number): boolean {
	return typeof id === 'string' || Number.isSafeInteger(id);
}

/** Of the candidates, best first, the output gets the first; a repeat is told by one that was not guessed. */
function chooseId(candidates: Array<FoundId | undefined>): Pick<FoundEvent, 'id' | 'identity'> {
	const found = candidates.filter((candidate) => candidate !== undefined);
	return {
		id: found[0]?.value ?? null,
		identity: found.find(({ names }) => names !== 'record') ?? found[0],
	};
}

function ownValue(value: unknown, key: string): unknown {
	return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
