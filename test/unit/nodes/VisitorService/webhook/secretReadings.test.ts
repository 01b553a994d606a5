import { SecretReadings } from '../../../../../nodes/VisitorService/webhook/secretReadings';

describe('SecretReadings', () => {
	/** Readings that end when the test says so. */
	function prepare() {
		const readings = new SecretReadings();
		const ends: Array<(secret: string | Error) => void> = [];
		const read = async (key: string, now = 0) =>
			await readings.share(
				key,
				async () =>
					await new Promise((resolve, reject) => {
						ends.push((secret) => (secret instanceof Error ? reject(secret) : resolve([secret])));
					}),
				now,
			);
		return { ends, read };
	}

	it('reads secrets once, and anew for whoever comes after', async () => {
		const { ends, read } = prepare();
		const together = [read('a'), read('a', 4_999)];
		expect(ends).toHaveLength(1);
		ends[0]?.('old');
		expect(await Promise.all(together)).toEqual([['old'], ['old']]);
		const later = read('a');
		ends[1]?.('new');
		expect(await later).toEqual(['new']);
	});

	it('reads secrets for each trigger and credential apart', async () => {
		const { ends, read } = prepare();
		const apart = [read('a'), read('b')];
		ends[0]?.('one');
		ends[1]?.('other');
		expect(await Promise.all(apart)).toEqual([['one'], ['other']]);
	});

	it('replaces a reading that takes five seconds by the next one', async () => {
		const { ends, read } = prepare();
		const stuck = read('a');
		const next = read('a', 5_000);
		const shared = read('a', 5_001);
		expect(ends).toHaveLength(2);
		ends[0]?.('old');
		expect(await stuck).toEqual(['old']);
		const alsoShared = read('a', 5_002);
		expect(ends).toHaveLength(2);
		ends[1]?.('new');
		expect(await Promise.all([next, shared, alsoShared])).toEqual([['new'], ['new'], ['new']]);
	});

	it('returns the secrets of the next reading to all who wait for one that never ends', async () => {
		const { ends, read } = prepare();
		const stuck = [read('a'), read('a', 4_999)];
		const alsoStuck = read('a', 5_000);
		const last = read('a', 10_000);
		ends[2]?.('new');
		expect(await Promise.all([...stuck, alsoStuck, last])).toEqual(new Array(4).fill(['new']));
	});

	it('fails for all who wait for a reading that never ends if the next one fails', async () => {
		const { ends, read } = prepare();
		const both = [read('a'), read('a', 5_000)];
		ends[1]?.(new Error('The database is gone.'));
		for (const one of both) await expect(one).rejects.toThrow('The database is gone.');
		ends[0]?.(new Error('The connection is closed.'));
		const later = read('a', 5_001);
		ends[2]?.('new');
		expect(await later).toEqual(['new']);
	});

	it('reads secrets anew after the clock was set back by an hour', async () => {
		const { ends, read } = prepare();
		const both = [read('a', 3_600_000), read('a', 0)];
		expect(ends).toHaveLength(2);
		ends[1]?.('new');
		expect(await Promise.all(both)).toEqual([['new'], ['new']]);
	});

	it('reads secrets anew after a reading that failed for all who waited for it', async () => {
		const { ends, read } = prepare();
		const together = [read('a'), read('a')];
		ends[0]?.(new Error('The database is gone.'));
		for (const one of together) await expect(one).rejects.toThrow('The database is gone.');
		const later = read('a');
		ends[1]?.('new');
		expect(await later).toEqual(['new']);
	});
});
