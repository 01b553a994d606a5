import { DAY, type Instant, readInstant, SECOND } from '../values/instant';
import { type JsonObject, type Records, readDotPath } from '../values/json';
import { wordEnds } from './fieldNames';
import { type FieldCandidate, fieldsOfRecords } from './recordFields';
import { resourceNames } from './resources';

/** A field with a time, such as that of the last change. */
interface TimeField {
	/** Dot path. */
	path: string;
	/** Whether every time names its zone. */
	hasZone: boolean;
}

/** Words around the verb in `lastUpdatedAt`, `sys_updated_on`, `dateModified`, `user_updated`. */
const BEFORE = 'last date time sys system record row metadata gmt'.split(' ');
const AFTER = 'at on date time stamp instant utc gmt unix ms'.split(' ');

/** Verbs, likeliest first, each with its forms. */
type Verbs = readonly string[][];
const verbs = (text: string): Verbs => text.split(' ').map((forms) => forms.split('|'));
const UPDATE_VERBS = verbs(
	'update|updated modified|modify|modification change|changed edit|edited write mod',
);
const CREATION_VERBS = verbs(
	'create|created creation insert|inserted register|registered|registration added',
);

/** Finds the field by its name. Every record that has it must have a time there. */
export function findUpdatedAtField(records: Records, resource: string): TimeField | undefined {
	return findTimes(records, UPDATE_VERBS, resourceNames(resource));
}

/** The dot path of that field, which shows by its name alone as long as no record was changed. */
export function findUpdatedAtPath(records: Records, resource: string): string | undefined {
	const found = findUpdatedAtField(records, resource)?.path;
	if (found !== undefined) return found;
	const candidates = findCandidates(records, UPDATE_VERBS, resourceNames(resource));
	return candidates.find((one) => valuesOf(one).every(isUnsetTime))?.path;
}

export function findCreatedAtField(records: Records, resource: string): TimeField | undefined {
	return findTimes(records, CREATION_VERBS, resourceNames(resource));
}

function findTimes(records: Records, verbs: Verbs, names: string[]): TimeField | undefined {
	for (const candidate of findCandidates(records, verbs, names)) {
		const given = valuesOf(candidate).filter((value) => !isUnsetTime(value));
		const times = given.map((value) => readInstant(value, 'utc'));
		if (times.length === 0 || times.includes(undefined)) continue;
		return { path: candidate.path, hasZone: times.every((time) => time?.hasZone) };
	}
	return undefined;
}

/** Only of the records that have the field: it would be slow if each record had one of its own. */
function valuesOf({ path, records }: FieldCandidate): unknown[] {
	return records.map((record) => readDotPath(record, path));
}

/** The likeliest first: fields of the record itself, then by their names. */
function findCandidates(records: Records, verbs: Verbs, names: string[]): FieldCandidate[] {
	const before = [...BEFORE, ...names];
	const verbOf = (name: string) => {
		const starts = [...wordEnds(name, [0], before)];
		return verbs.findIndex((forms) => {
			const isAt = (form: string) => starts.filter((at) => name.startsWith(form, at));
			const ends = forms.flatMap((form) => isAt(form).map((at) => at + form.length));
			return wordEnds(name, ends, AFTER).has(name.length);
		});
	};
	const rankOf = ({ depth, name, path }: FieldCandidate) => {
		// A field named for UTC, because another one with the same meaning is in an unknown zone.
		const zone = /utc|gmt/.test(name) ? 0 : 1;
		return depth * 1e5 + verbOf(name) * 1e4 + zone * 1e3 + path.length;
	};
	return fieldsOfRecords(records, names, (name) => verbOf(name) >= 0)
		.map((candidate) => ({ candidate, rank: rankOf(candidate) }))
		.sort((one, other) => one.rank - other.rank)
		.map(({ candidate }) => candidate);
}

/** Empty, and what databases write for no time. */
const NEVER_A_TIME = /^\s*(?:0\s*)?$|^0000-00-00|^(?:\/Date\()?-\d/;

/** No service is older, and no clock shows a later time. */
const [EARLIEST_AT, LATEST_AT] = [Date.UTC(1999, 11, 31), Date.UTC(2200, 0, 1)];

const LAST_DAY_AT = Date.UTC(9999, 11, 31);

/**
 * Whether a clock may have shown a time. Numbers with another epoch, such as ticks, are earlier.
 */
function isClockTime(timeAt: number): boolean {
	return timeAt >= EARLIEST_AT && timeAt < LATEST_AT;
}

/** Whether a number of seconds or milliseconds is of the last day with a year of four digits. */
function isEndOf9999(value: number): boolean {
	const isAtEnd = (timeAt: number) => timeAt >= LAST_DAY_AT && timeAt <= LAST_DAY_AT + DAY;
	return isAtEnd(value) || isAtEnd(value * SECOND);
}

/**
 * Whether there is no time, or one that no clock shows: languages and databases use 0 and the years
 * 1, 1753, 1899, 1900, 1970 and 9999 for no time.
 */
export function isUnsetTime(value: unknown): boolean {
	if (value === undefined || value === null) return true;
	if (typeof value === 'number') return value <= 0 || isEndOf9999(value);
	if (typeof value !== 'string') return false;
	// A quick check for what most services write, as a list may hold a million times.
	if (value.startsWith('20')) return false;
	if (NEVER_A_TIME.test(value)) return true;
	// A number may have another epoch, as ticks do.
	if (/^\d+$/.test(value)) return isEndOf9999(Number(value));
	const time = readInstant(value, 'utc');
	return time !== undefined && !isClockTime(time.earliestAt);
}

/** Whether a written time is later than any clock shows, so that each filter finds its record. */
export function isLaterThanClocks(value: unknown): boolean {
	const isNumber = typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value));
	if (isNumber) return isEndOf9999(Number(value));
	return (readInstant(value, 'utc')?.earliestAt ?? 0) >= LATEST_AT;
}

/** The time at a dot path; undefined if there is none that can be read. */
export function readTime(record: JsonObject, path: string): Instant | undefined {
	const written = readDotPath(record, path);
	const time = isUnsetTime(written) ? undefined : readInstant(written);
	return time && isClockTime(time.earliestAt) ? time : undefined;
}
