import {
	type Baseline,
	firstReadingAt,
	isFromBefore,
	settleBaseline,
} from '../../../../../nodes/VisitorService/polling/baseline';
import {
	type ClockMemory,
	MAX_BEHIND,
	ServiceTime,
} from '../../../../../nodes/VisitorService/polling/serviceTime';
import type { Version } from '../../../../../nodes/VisitorService/polling/versions';
import { HOUR, MINUTE, SECOND } from '../../../../../nodes/VisitorService/values/instant';

const START = Date.UTC(2026, 2, 2, 8);

/** A version that may be of any moment between two. */
const versionOf = (earliest: number, time = earliest): Version => ({
	earliest,
	time,
	key: '',
	tick: time - earliest,
	record: {},
});

/** The service's clock, as an answer shows it. */
function clockAt(date: number, ours = date, memory?: ClockMemory): ServiceTime {
	const clock = new ServiceTime(memory);
	clock.observe({ date: new Date(date).toUTCString() }, ours, ours);
	return clock;
}

const ENDED = { isUnfinished: false, isContinued: false, requests: 2 };
const INTERRUPTED = { ...ENDED, isUnfinished: true };
const CONTINUED = { ...ENDED, isContinued: true };

describe('what was there before the trigger began', () => {
	it('takes all that was surely changed before Start Date for older than the trigger', () => {
		const baseline: Baseline = { kind: 'startDate', date: START };
		expect(isFromBefore(versionOf(START - 1), baseline)).toBe(true);
		expect(isFromBefore(versionOf(START), baseline)).toBe(false);
		expect(isFromBefore(versionOf(START - HOUR, START), baseline)).toBe(false);
	});

	it('takes what may have been changed before the first answer for older than the trigger after a first reading', () => {
		const surelyBefore = START + HOUR;
		const baseline: Baseline = { kind: 'afterFirstReading', before: START, surelyBefore };
		expect(isFromBefore(versionOf(START - 1, START + 2 * HOUR), baseline)).toBe(true);
		expect(isFromBefore(versionOf(START, surelyBefore - 1), baseline)).toBe(true);
		expect(isFromBefore(versionOf(START, surelyBefore), baseline)).toBe(false);
	});

	it('takes nothing for older than the trigger while a first reading goes on', () => {
		const clock = clockAt(START);
		expect(isFromBefore(versionOf(0), firstReadingAt(clock, START))).toBe(false);
		expect(isFromBefore(versionOf(0), undefined)).toBe(false);
	});
});

describe('the end of a first reading', () => {
	it('leaves nothing new of a list that one answer showed as a whole', () => {
		const clock = clockAt(START);
		const reading = { ...ENDED, requests: 1 };
		const { isPresent, next } = settleBaseline(firstReadingAt(clock, 0), clock, reading);
		expect(isPresent(versionOf(START + HOUR))).toBe(true);
		expect(next).toBeUndefined();
	});

	it('takes what was changed since the first answer for new, if the list took several', () => {
		const clock = clockAt(START);
		// A quiet list: how far its clock is, the last change shows only at least.
		clock.noteUpdate(START - HOUR - MINUTE);
		const { isPresent, next } = settleBaseline(firstReadingAt(clock, 0), clock, ENDED);
		expect(isPresent(versionOf(START - 1))).toBe(true);
		expect(isPresent(versionOf(START))).toBe(false);
		expect(next).toBeUndefined();
	});

	it.each([
		[-HOUR, -HOUR],
		[-HOUR - SECOND, 0],
		[-HOUR + SECOND, -HOUR],
		[-HOUR + 2 * SECOND, 0],
		[-12 * HOUR, -12 * HOUR],
		[-12 * HOUR - 15 * MINUTE, 0],
	])('takes a newest change %d ms ahead for one of a clock %d ms ahead', (ahead, zone) => {
		const clock = clockAt(START);
		clock.noteUpdate(START + ahead);
		const { isPresent } = settleBaseline(firstReadingAt(clock, 0), clock, ENDED);
		expect(isPresent(versionOf(START + zone - 1))).toBe(true);
		expect(isPresent(versionOf(START + zone))).toBe(false);
	});

	it('takes nothing for new that the first answer showed, however far ahead its time is', () => {
		const clock = clockAt(START);
		const newest = START + 3 * MINUTE;
		const { isPresent } = settleBaseline(firstReadingAt(clock, newest), clock, ENDED);
		expect(isPresent(versionOf(newest))).toBe(true);
		expect(isPresent(versionOf(newest + 1))).toBe(false);
	});

	it('goes by the clock of the changes alone if the reading took several polls, and leaves the rest to the next one', () => {
		const clock = clockAt(START);
		clock.noteUpdate(START - HOUR);
		const first = firstReadingAt(clock, START - 2 * HOUR);
		const interrupted = settleBaseline(first, clock, INTERRUPTED);
		const lead = -HOUR - SECOND;
		expect(interrupted.next).toEqual({ ...first, newestShown: 0, lead });

		const later = clockAt(START + MINUTE);
		const { isPresent, next } = settleBaseline(interrupted.next, later, CONTINUED);
		const before = START + lead;
		expect(isPresent(versionOf(before - 1))).toBe(true);
		expect(isPresent(versionOf(before))).toBe(false);
		expect(next).toEqual({
			kind: 'afterFirstReading',
			before,
			surelyBefore: START - MAX_BEHIND,
		});
	});

	it('settles what was there before at once if a clock was set meanwhile', () => {
		const first = firstReadingAt(clockAt(START), START);
		const set = clockAt(START + MINUTE, START + HOUR, {
			difference: 0,
			at: START,
			date: START,
			until: START,
		});
		const { next } = settleBaseline(first, set, INTERRUPTED);
		expect(next).toMatchObject({ kind: 'afterFirstReading' });
	});
});

describe('a reading after the first one', () => {
	const baseline: Baseline = { kind: 'startDate', date: START };

	it('a reading after the first one remembers where the trigger began until it has ended', () => {
		const clock = clockAt(START);
		const interrupted = settleBaseline(baseline, clock, INTERRUPTED);
		expect(interrupted.next).toEqual(baseline);
		expect(interrupted.isPresent(versionOf(0))).toBe(false);
		expect(settleBaseline(baseline, clock, ENDED).next).toBeUndefined();
	});
});
