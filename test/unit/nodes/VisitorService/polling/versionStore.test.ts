import {
	VersionStore,
	type VersionsMemory,
} from '../../../../../nodes/VisitorService/polling/versionStore';
import {
	comparePositions,
	type Version,
} from '../../../../../nodes/VisitorService/polling/versions';

const version = (time: number): Version => ({
	time,
	key: `version-${time}`.padEnd(12, '-'),
	earliest: time,
	tick: 0,
	record: {},
});

describe('room for versions', () => {
	it('keeps room for the oldest versions that wait, from those that were forgotten for their sake', () => {
		const store = new VersionStore({ remembered: '' }, () => true, 3);
		for (const time of [10, 11, 12, 13])
			store.remembered.remember({ ...version(time), content: '' });
		store.wait(version(1));
		store.wait(version(20));
		store.relieve({ time: 1, key: '' });
		const boundary = store.boundary();
		if (boundary === undefined) throw new Error('There is room for everything.');
		expect(comparePositions(version(1), boundary)).toBeLessThan(0);
		expect(comparePositions(version(13), boundary)).toBeGreaterThan(0);
	});
});

describe('which versions are admitted, if four are remembered', () => {
	const BOUNDARY = { time: 100, key: '' };
	const storeOf = (size: number, memory: Partial<VersionsMemory> = {}, isPastOverlap = false) => {
		const store = new VersionStore({ remembered: '', ...memory }, () => isPastOverlap, 4);
		for (let time = 10; time < 10 + size; time++)
			store.remembered.remember({ ...version(time), content: '' });
		return store;
	};

	it.each([
		[3, false, true],
		[4, false, false],
		[4, true, true],
		[5, true, false],
	])(
		'a version of a whole reading beside %d others, past the overlap %p: %p',
		(size, isPast, isAdmitted) => {
			expect(storeOf(size, {}, isPast).admits(version(50), true)).toBe(isAdmitted);
		},
	);

	it.each([
		[1, true],
		[2, false],
	])(
		'a version of a reading of several polls beside %d others, of which it is not known how many wait: %p',
		(size, isAdmitted) => {
			for (const isPast of [true, false]) {
				expect(storeOf(size, {}, isPast).admits(version(50), false)).toBe(isAdmitted);
			}
		},
	);

	it.each([
		[0, 99, true, true],
		[4, 99, true, true],
		[5, 99, true, false],
		[0, 99, false, false],
		[0, 101, true, false],
	])(
		'a version beside %d others, of time %d, past the overlap %p, if there is room for those before 100: %p',
		(size, time, isPast, isAdmitted) => {
			const store = storeOf(size, { onlyBefore: BOUNDARY }, isPast);
			expect(store.admits(version(time), false)).toBe(isAdmitted);
		},
	);

	it('a version that stands at the boundary itself waits', () => {
		const { time, key } = version(50);
		const store = storeOf(0, { onlyBefore: { time, key } }, true);
		expect(store.admits(version(50), false)).toBe(false);
	});
});
