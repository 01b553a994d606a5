import { AnnouncedPauses } from '../../../../../nodes/VisitorService/http/announcedPauses';

const NOTHING_LEFT = { remaining: 0, resetsIn: 5_000 };

describe('AnnouncedPauses', () => {
	it.each([
		['nothing is left', { remaining: 0, resetsIn: 5_000 }, 0, 5_000],
		['what is left is under way', { remaining: 3, resetsIn: 5_000 }, 3, 5_000],
		['something is left', { remaining: 4, resetsIn: 5_000 }, 3, 0],
		['the limit is reset already', { remaining: 0, resetsIn: 0 }, 0, 0],
		['the reset is a minute away', { remaining: 0, resetsIn: 60_000 }, 0, 60_000],
		['the reset is more than a minute away', { remaining: 0, resetsIn: 61_000 }, 0, 0],
	])('pauses if nothing is left for the next request: %s', (_, limit, underWay, expected) => {
		expect(new AnnouncedPauses().pause(limit, underWay, 1_000)).toBe(expected);
	});

	it('makes a pause no longer for the answers of requests that were under way', () => {
		const pauses = new AnnouncedPauses();
		expect(pauses.pause(NOTHING_LEFT, 0, 1_000)).toBe(5_000);
		pauses.answered(900);
		expect(pauses.pause(NOTHING_LEFT, 0, 1_100)).toBe(0);
	});

	it('pauses again if requests were let through since the last pause', () => {
		const pauses = new AnnouncedPauses();
		pauses.pause(NOTHING_LEFT, 0, 1_000);
		pauses.answered(6_000);
		pauses.answered(6_010);
		expect(pauses.pause(NOTHING_LEFT, 0, 6_100)).toBe(5_000);
	});

	it('pauses no more once the first request after a pause meets the same limit', () => {
		const pauses = new AnnouncedPauses();
		pauses.pause(NOTHING_LEFT, 0, 1_000);
		// Under way during the pause.
		pauses.answered(900);
		pauses.answered(950);
		pauses.answered(6_000);
		expect(pauses.pause(NOTHING_LEFT, 0, 6_050)).toBe(0);
		pauses.answered(6_100);
		pauses.answered(6_200);
		expect(pauses.pause(NOTHING_LEFT, 0, 6_250)).toBe(0);
	});
});
