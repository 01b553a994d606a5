import type { Page } from '../answer/pageReader';
import type { JsonObject } from '../values/json';

/** What of a record tells it from others. */
export type FingerprintsOf = (record: JsonObject) => readonly string[];

/**
 * Each field of a record: compared in all of them, records are the same even if what looks like
 * their ID is not one.
 */
export function fieldsAsText(record: JsonObject): string[] {
	return Object.entries(record).map((field) => JSON.stringify(field));
}

/** Whether these records are the first ones of the others, in the same order. */
export function beginsLike(
	records: readonly JsonObject[],
	others: readonly JsonObject[],
	fingerprintsOf: FingerprintsOf,
): boolean {
	return records.every((record, place) => {
		const other = others[place];
		return other !== undefined && areSame(other, record, fingerprintsOf);
	});
}

/** Whether they are as many as the others as well. */
export function areAlike(
	records: readonly JsonObject[],
	others: readonly JsonObject[],
	fingerprintsOf: FingerprintsOf,
): boolean {
	return records.length === others.length && beginsLike(records, others, fingerprintsOf);
}

export function areSame(
	one: JsonObject,
	other: JsonObject,
	fingerprintsOf: FingerprintsOf,
): boolean {
	const fingerprints = new Set(fingerprintsOf(one));
	return fingerprintsOf(other).some((fingerprint) => fingerprints.has(fingerprint));
}

/** Whether a record is one of these, as far as can be told. */
export function isOneOf(
	records: readonly JsonObject[],
	fingerprintsOf: FingerprintsOf,
): (record: JsonObject) => boolean {
	const known = new Set(records.flatMap(fingerprintsOf));
	return (record) => fingerprintsOf(record).some((fingerprint) => known.has(fingerprint));
}

/**
 * Whether records begin another answer, too. What differs may differ in each answer, and what
 * agrees may be a floor that others are on as well: a second answer for them shows which it is.
 */
export async function areInBoth(
	{ records, readAgain }: { records: readonly JsonObject[]; readAgain: () => Promise<Page> },
	others: readonly JsonObject[],
	fingerprintsOf: FingerprintsOf,
): Promise<boolean> {
	if (!beginsLike(records, others, fingerprintsOf)) return false;
	if (agree(records, records, others, fingerprintsOf)) return true;
	return agree(records, (await readAgain()).records, others, fingerprintsOf);
}

/** Whether all that two answers for these records have in common stands in the others, too. */
export function agree(
	records: readonly JsonObject[],
	again: readonly JsonObject[],
	others: readonly JsonObject[],
	fingerprintsOf: FingerprintsOf,
): boolean {
	return records.every((record, place) => {
		const lasting = new Set(fingerprintsOf(again[place] ?? {}));
		const other = new Set(fingerprintsOf(others[place] ?? {}));
		const expected = fingerprintsOf(record).filter((fingerprint) => lasting.has(fingerprint));
		return expected.length > 0 && expected.every((fingerprint) => other.has(fingerprint));
	});
}
