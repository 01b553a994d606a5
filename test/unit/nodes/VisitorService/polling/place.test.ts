import {
	afterNewest,
	type CompleteReading,
	type MetMemory,
	MetVersions,
	movePlace,
	type Place,
} from '../../../../../nodes/VisitorService/polling/place';
import { ServiceTime } from '../../../../../nodes/VisitorService/polling/serviceTime';
import { comparePositions } from '../../../../../nodes/VisitorService/polling/versions';
import { shortDigest } from '../../../../../nodes/VisitorService/values/digest';
import { HOUR, MINUTE, START } from './polledTenant';

const OVERLAP = 5 * MINUTE;
const SINCE = { time: START, key: '' };
const BEFORE: Place = { since: SINCE, unproved: [] };

/** A clock that shows this time, and stood so far apart from ours at the last poll. */
function clockAt(time: number, setAhead = 0): ServiceTime {
	const before = { difference: setAhead, at: time - MINUTE, date: time + setAhead, until: time };
	const clock = new ServiceTime(before);
	clock.observe({ date: new Date(time).toUTCString() }, time, time);
	return clock;
}

/**
 * Where the place is after readings of several requests, one a minute, each of which met these
 * versions.
 */
function places(digests: string[]): number[] {
	let place = BEFORE;
	return digests.map((digest, number) => {
		const time = START + (number + 1) * MINUTE;
		const reading: CompleteReading = { returnedUntil: { time, key: '' }, isSure: false, digest };
		place = movePlace(place, reading, clockAt(time), OVERLAP);
		return (place.since.time - START) / MINUTE;
	});
}

describe('the versions that readings met', () => {
	const keys = ['one', 'two', 'three'].map((name) => shortDigest(name, 12));
	const met = (names: readonly string[], memory?: MetMemory) => {
		const versions = new MetVersions(memory);
		for (const key of names) versions.add({ time: START, key });
		return versions;
	};

	it('two readings that met the same versions have one digest, in whatever order and polls these came', () => {
		const { digest } = met(keys);
		expect(met([...keys].reverse()).digest).toBe(digest);
		expect(met(keys.slice(1), met(keys.slice(0, 1)).toMemory()).digest).toBe(digest);
	});

	it('two readings that met other versions have other digests', () => {
		const readings = [keys, keys.slice(1), keys.slice(2), keys.slice(0, 1), []];
		expect(new Set(readings.map((one) => met(one).digest)).size).toBe(readings.length);
	});

	it('a version that a reading meets twice in a poll is counted once', () => {
		const versions = met(keys);
		expect(versions.add({ time: START, key: keys[0] ?? '' })).toBe(false);
		expect(versions.count).toBe(3);
		expect(versions.digest).toBe(met(keys).digest);
	});
});

describe('the place after complete readings', () => {
	it('moves at once after a reading that took one request', () => {
		const returnedUntil = { time: START + MINUTE, key: '' };
		const reading = { returnedUntil, isSure: true, digest: 'a' };
		const moved = movePlace(BEFORE, reading, clockAt(START + MINUTE), OVERLAP);
		expect(moved.since).toEqual(returnedUntil);
	});

	it('moves as far as a reading of several requests once the next one met the same', () => {
		expect(places(['a', 'a', 'a'])).toEqual([0, 1, 2]);
	});

	it('moves as far as the first of six readings of several requests although each met others', () => {
		expect(places(['a', 'b', 'c', 'd', 'e', 'f', 'g'])).toEqual([0, 0, 0, 0, 0, 1, 2]);
	});

	it('never moves back', () => {
		const reading = { returnedUntil: { time: START - HOUR, key: '' }, isSure: true, digest: 'a' };
		expect(movePlace(BEFORE, reading, clockAt(START), OVERLAP).since).toEqual(SINCE);
	});

	it('stays where it is if clocks that were hours apart are not any more', () => {
		const reading = { returnedUntil: { time: START + HOUR, key: '' }, isSure: true, digest: 'a' };
		const clock = clockAt(START + HOUR, 3 * HOUR);
		expect(movePlace(BEFORE, reading, clock, OVERLAP).since).toEqual(SINCE);
	});

	it('sets the place back with the clock of the service, by the overlap more', () => {
		const reading = { returnedUntil: { time: START - HOUR, key: '' }, isSure: true, digest: 'a' };
		const clock = clockAt(START - HOUR, 90 * MINUTE);
		const { time } = movePlace(BEFORE, reading, clock, OVERLAP).since;
		expect(time).toBe(START - HOUR - MINUTE - 2 * HOUR - OVERLAP);
	});
});

it('a reading that looks for what was missed begins after all versions of the newest time', () => {
	const place = afterNewest({ time: START + HOUR, key: '' }, START);
	expect(comparePositions({ time: START, key: 'zzzzzzzzzzzz' }, place)).toBeLessThan(0);
	expect(comparePositions({ time: START + 1, key: '' }, place)).toBeGreaterThan(0);
});
