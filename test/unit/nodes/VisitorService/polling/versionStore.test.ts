import { VersionStore } from '../../../../../nodes/VisitorService/polling/versionStore';
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
