import {
	CLOCK_TOLERANCE,
	type ClockMemory,
	ServiceTime,
} from '../../../../../nodes/VisitorService/polling/serviceTime';
import { MAX_ZONE_SHIFT } from '../../../../../nodes/VisitorService/polling/versions';

const NOW = Date.UTC(2026, 2, 2, 8);
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

function observed(date: number | null, ours: number, memory?: ClockMemory): ServiceTime {
	const time = new ServiceTime(memory);
	time.observe(date === null ? {} : { date: new Date(date).toUTCString() }, ours, ours);
	return time;
}

function steadyMemory(lead?: number): ClockMemory {
	return {
		difference: 0,
		at: NOW - MINUTE,
		date: NOW - MINUTE,
		until: NOW - MINUTE,
		...(lead !== undefined && { lead }),
	};
}

describe('update times that are marked as UTC, and may be local ones', () => {
	it('takes no moment of the last twelve hours for past as long as no change shows the zone', () => {
		const time = observed(NOW, NOW);
		expect(time.likelyReached).toBe(NOW - 12 * HOUR - CLOCK_TOLERANCE);
		time.noteUpdate(NOW - 5 * HOUR);
		expect(time.likelyReached).toBe(NOW - 5 * HOUR - SECOND);
	});

	it('tells by how much the clock that stamps update times was set back, as far as clocks may be apart', () => {
		const learnt = (lead: number, ahead: number) => {
			const time = observed(NOW, NOW, steadyMemory(lead));
			time.noteUpdate(NOW + ahead);
			return time.learnAnew();
		};
		expect(learnt(2 * MINUTE, MINUTE)).toBe(MINUTE + SECOND);
		expect(learnt(12 * HOUR, 0)).toBe(CLOCK_TOLERANCE);
		expect(learnt(MINUTE, 2 * MINUTE)).toBe(0);
	});

	it.each([
		[0, 0],
		[-29 * MINUTE, 0],
		[-31 * MINUTE, HOUR],
		[-12 * HOUR + SECOND, HOUR],
		[-12 * HOUR, 0],
		[3 * HOUR, 0],
	])('update times that are %d ms ahead may be set back by %d ms', (ahead, expected) => {
		const time = observed(NOW, NOW);
		time.noteUpdate(NOW + ahead);
		expect(time.zoneSetBack).toBe(expected);
	});

	it('takes no update time for right that is farther ahead than in the easternmost zone', () => {
		const time = observed(NOW, NOW);
		time.noteUpdate(NOW + 16 * HOUR + SECOND);
		expect(time.shownLead).toBe(14 * HOUR + CLOCK_TOLERANCE);
		time.noteUpdate(NOW + 16 * HOUR + 2 * SECOND);
		expect(time.shownLead).toBe(14 * HOUR + CLOCK_TOLERANCE);
	});
});

describe('the time the service has reached', () => {
	it('takes the time the service has reached for that of the westernmost zone before its Date as long as no change was seen', () => {
		expect(observed(NOW, NOW + 5 * HOUR).reached).toBe(NOW - MAX_ZONE_SHIFT);
	});

	it('the time the service has reached is at least the newest change that was shown', () => {
		const time = observed(NOW, NOW);
		time.noteUpdate(NOW - 20 * MINUTE);
		time.noteUpdate(NOW - 10 * MINUTE);
		time.noteUpdate(NOW - 30 * MINUTE);
		expect(time.reached).toBe(NOW - 10 * MINUTE - SECOND);
	});

	it('goes on with the Date from the newest change of an earlier poll', () => {
		const before = observed(NOW, NOW);
		before.noteUpdate(NOW - HOUR);
		const after = observed(NOW + MINUTE, NOW + MINUTE, before.toMemory());
		expect(after.reached).toBe(NOW + MINUTE - HOUR - SECOND);
	});

	it('the time the service has reached is never later than the Date, nor taken from a change in the future', () => {
		const ahead = observed(NOW, NOW);
		ahead.noteUpdate(NOW + 30 * SECOND);
		expect(ahead.reached).toBe(NOW);
		const mistaken = observed(NOW, NOW);
		mistaken.noteUpdate(NOW + HOUR);
		expect(mistaken.reached).toBe(NOW - MAX_ZONE_SHIFT);
	});

	it('the time the service has reached is that of the moment the request was sent', () => {
		const time = new ServiceTime(undefined);
		time.observe({ date: new Date(NOW).toUTCString() }, NOW - 20 * SECOND, NOW);
		time.noteUpdate(NOW);
		expect(time.reached).toBe(NOW - 20 * SECOND - 21 * SECOND);
	});

	it('the time the service has reached is ours if the service sends no Date, or one that cannot be read, and no change was ever shown', () => {
		expect(observed(null, NOW).reached).toBe(NOW - MAX_ZONE_SHIFT);
		const time = new ServiceTime(undefined);
		time.observe({ date: 'soon' }, NOW, NOW);
		expect(time.reached).toBe(NOW - MAX_ZONE_SHIFT);
	});
});

describe('without a Date, the time the service has reached', () => {
	it('the time the service has reached without a Date is not later than the newest change that was shown, because our clock may be ahead', () => {
		const before = observed(null, NOW + 5 * HOUR);
		before.noteUpdate(NOW - MINUTE);
		expect(before.reached).toBe(NOW - MINUTE - SECOND);
		const after = observed(null, NOW + 9 * HOUR, before.toMemory());
		expect(after.reached).toBe(NOW - MINUTE);
		after.noteUpdate(NOW + HOUR);
		expect(after.reached).toBe(NOW + HOUR);
	});
});

describe('the time since the last poll', () => {
	it('counts the time since the last poll from its last answer to the first one now', () => {
		const before = observed(NOW, NOW);
		before.observe({ date: new Date(NOW + MINUTE).toUTCString() }, NOW + MINUTE, NOW + MINUTE);
		const after = observed(NOW + 5 * MINUTE, NOW + 5 * MINUTE, before.toMemory());
		expect(after.sinceLastPoll).toBe(4 * MINUTE - SECOND);
		expect(observed(NOW, NOW).sinceLastPoll).toBe(0);
	});
});

describe('a poll without an answer', () => {
	it('leaves what was known of the clock as it was', () => {
		expect(new ServiceTime(steadyMemory(-SECOND)).toMemory()).toEqual(steadyMemory(-SECOND));
	});
});

describe('a clock that was set', () => {
	it('makes what was known of the service unknown', () => {
		expect(observed(NOW, NOW, steadyMemory(-SECOND)).reached).toBe(NOW - SECOND);
		expect(observed(NOW + 2 * MINUTE, NOW, steadyMemory(-SECOND)).reached).toBe(
			NOW + 2 * MINUTE - MAX_ZONE_SHIFT,
		);
	});

	it('draws no conclusions after a clock is set by hours, until it stays the same', () => {
		const wrong = observed(NOW + 24 * HOUR, NOW, steadyMemory(-SECOND));
		expect(wrong.steady).toBe(false);
		const right = observed(NOW + MINUTE, NOW + MINUTE, wrong.toMemory());
		expect(right.steady).toBe(false);
		const again = observed(NOW + 2 * MINUTE, NOW + 2 * MINUTE, right.toMemory());
		expect(again.steady).toBe(true);
	});

	it('notices a clock that was set back before a time reached, and asks for everything since the last poll', () => {
		const since = NOW - 5 * MINUTE;
		const back = observed(NOW - HOUR, NOW, steadyMemory());
		expect(back.setBackBefore(since)).toBe(NOW - MINUTE - HOUR - CLOCK_TOLERANCE);
		expect(observed(NOW, NOW, steadyMemory()).setBackBefore(since)).toBeUndefined();
		// Ours is not the service's.
		expect(observed(null, NOW - HOUR, steadyMemory()).setBackBefore(since)).toBeUndefined();
		expect(observed(NOW - HOUR, NOW).setBackBefore(since)).toBeUndefined();
		// A time that was never reached, such as a start date to come.
		expect(observed(NOW - HOUR, NOW, steadyMemory()).setBackBefore(NOW + HOUR)).toBeUndefined();
	});

	it('learns nothing of how far update times are behind until it shows again what it showed', () => {
		const back = observed(NOW - HOUR, NOW, steadyMemory(-20 * MINUTE));
		back.noteUpdate(NOW - HOUR);
		expect(back.reached).toBe(NOW - HOUR - 20 * MINUTE);
		const later = observed(NOW - 2 * MINUTE, NOW + 58 * MINUTE, back.toMemory());
		later.noteUpdate(NOW - 5 * MINUTE);
		expect(later.reached).toBe(NOW - 22 * MINUTE);
		const again = observed(NOW, NOW + HOUR, later.toMemory());
		again.noteUpdate(NOW - 10 * MINUTE);
		expect(again.reached).toBe(NOW - 10 * MINUTE - SECOND);
	});

	it('learns how far update times are behind although the clock was days ahead by mistake', () => {
		const back = observed(NOW - 2 * DAY, NOW, steadyMemory());
		back.noteUpdate(NOW - 2 * DAY - 10 * MINUTE);
		expect(back.reached).toBe(NOW - 2 * DAY - 10 * MINUTE - SECOND);
	});

	it('looks back by as many hours as the clock was set back', () => {
		const far = observed(NOW - 5 * HOUR, NOW, steadyMemory());
		const since = NOW - 5 * MINUTE;
		expect(far.setBackBefore(since)).toBeUndefined();
		const next = observed(NOW - 5 * HOUR + MINUTE, NOW + MINUTE, far.toMemory());
		expect(next.setBackBefore(since)).toBe(NOW - MINUTE - 5 * HOUR - CLOCK_TOLERANCE);
	});
});
