import type { ServiceTime } from './serviceTime';
import { earlierOf, laterOf, type Position } from './versions';

/** How far the place of the trigger may move, and what proves it. */
export interface PlaceMemory {
	/** Where `since` may move to after each of the last complete readings, once they are proved. */
	unproved: Position[];
	/** Of all versions the last reading met. */
	digest?: string;
}

export interface Place extends PlaceMemory {
	/** Each version before it was returned. */
	since: Position;
}

export interface CompleteReading {
	/** Up to where every version was returned, if the reading missed none. */
	returnedUntil: Position;
	/** Whether it cannot have missed any: it took one request. */
	isSure: boolean;
	/** Of all versions it met. */
	digest: string;
}

/** How many versions a reading met, and the sum of their hashes. */
export interface MetMemory {
	count: number;
	sumOfHashes: number;
}

/**
 * The versions one reading met, each counted once in a poll: two readings that met the same have
 * the same digest.
 */
export class MetVersions {
	private readonly keys = new Set<string>();

	constructor(private readonly memory: MetMemory = { count: 0, sumOfHashes: 0 }) {}

	/** @returns whether this poll had not met it before */
	add({ key }: Position): boolean {
		if (this.keys.has(key)) return false;
		this.keys.add(key);
		return true;
	}

	get count(): number {
		return this.memory.count + this.keys.size;
	}

	get digest(): string {
		const { count, sumOfHashes } = this.toMemory();
		return `${count}.${sumOfHashes}`;
	}

	toMemory(): MetMemory {
		let { sumOfHashes } = this.memory;
		for (const key of this.keys) sumOfHashes = (sumOfHashes + hashOf(key)) % 2 ** 48;
		return { count: this.count, sumOfHashes };
	}
}

/** 48 of the 72 bits of a key. */
function hashOf(key: string): number {
	return Buffer.from(key.slice(0, 8), 'base64url').readUIntBE(0, 6);
}

/** After so many further readings movements cannot have hidden a version each time. */
const MAX_PROVING_READINGS = 5;

/**
 * Where a reading begins that may show what was missed: as nothing newer was met, nothing was
 * returned that is later.
 */
export function afterNewest(since: Position, newestMet: number | undefined): Position {
	// `~` comes after all signs of a key.
	return earlierOf(since, newestMet === undefined ? undefined : { time: newestMet, key: '~' });
}

/**
 * Where the place is after a poll. Never later than all that was returned; earlier than before if
 * the clock of the service was set back.
 *
 * @param reading undefined as long as the list was not read to its end
 */
export function movePlace(
	place: Place,
	reading: CompleteReading | undefined,
	clock: ServiceTime,
	overlap: number,
): Place {
	const { since } = place;
	const setBack = clock.setBackBefore(since.time);
	if (setBack !== undefined) {
		return { since: earlierOf(since, { time: setBack - overlap, key: '' }), unproved: [] };
	}
	if (reading === undefined || !clock.steady) return place;
	if (reading.isSure) return { since: laterOf(since, reading.returnedUntil), unproved: [] };
	return prove(place, reading);
}

/**
 * Moves after a reading that took several requests, of which it is not known whether records moved
 * between the pages. If the last reading met the same versions, nothing had moved: a record that
 * makes others slip to a page already read was met before it did so, and is missing or another
 * version in the next reading.
 */
function prove(place: Place, { digest, returnedUntil }: CompleteReading): Place {
	const { since } = place;
	const proved = digest === place.digest ? place.unproved.at(-1) : undefined;
	if (proved !== undefined)
		return { since: laterOf(since, proved), unproved: [returnedUntil], digest };
	const unproved = [...place.unproved, returnedUntil];
	const outlasted = unproved.length > MAX_PROVING_READINGS ? unproved.shift() : undefined;
	return { since: outlasted === undefined ? since : laterOf(since, outlasted), unproved, digest };
}
