import { SharedReadings } from '../../../../../nodes/VisitorService/webhook/sharedReadings';

/** A source whose readings end when the test says so. */
function source() {
	const begun: Array<{ answer: (value: string) => void; fail: (error: Error) => void }> = [];
	const read = () =>
		new Promise<string>((answer, fail) => {
			begun.push({ answer, fail });
		});
	return { begun, read };
}

async function settle(): Promise<void> {
	await new Promise(setImmediate);
}

describe('SharedReadings', () => {
	it('reads once for all who come while another reading is under way, and only after that one', async () => {
		const { begun, read } = source();
		const readings = new SharedReadings<string>();
		const first = readings.read('key', read);
		const others = Array.from({ length: 50 }, () => readings.read('key', read));
		await settle();
		expect(begun).toHaveLength(1);

		begun[0]?.answer('before');
		await settle();
		expect(begun).toHaveLength(2);
		begun[1]?.answer('after');

		expect(await first).toBe('before');
		expect(await Promise.all(others)).toEqual(new Array(50).fill('after'));
	});

	it('gives nobody what was read before they asked', async () => {
		let stored = 'old';
		const readings = new SharedReadings<string>();
		// As a database does: what is read is what is stored when the reading begins.
		const read = async () => {
			const found = stored;
			await settle();
			return found;
		};
		const first = readings.read('key', read);
		stored = 'new';
		const second = readings.read('key', read);
		expect(await first).toBe('old');
		expect(await second).toBe('new');
	});

	it('reads anew once all have been answered', async () => {
		const readings = new SharedReadings<string>();
		let count = 0;
		const read = () => Promise.resolve(String(++count));
		expect(await readings.read('key', read)).toBe('1');
		expect(await readings.read('key', read)).toBe('2');
	});

	it('does not wait for a reading that never ends', async () => {
		jest.useFakeTimers();
		const readings = new SharedReadings<string>();
		void readings.read('key', () => new Promise<string>(() => {}));
		const second = readings.read('key', () => Promise.resolve('read'));
		await jest.advanceTimersByTimeAsync(5_000);
		expect(await second).toBe('read');
		jest.useRealTimers();
		expect(await readings.read('key', () => Promise.resolve('again'))).toBe('again');
	});

	it('keeps what has another key apart', async () => {
		const { begun, read } = source();
		const readings = new SharedReadings<string>();
		const one = readings.read('one', read);
		const other = readings.read('other', read);
		begun[1]?.answer('b');
		begun[0]?.answer('a');
		expect([await one, await other]).toEqual(['a', 'b']);
	});

	it('lets a failed reading fail only those who wait for it', async () => {
		const { begun, read } = source();
		const readings = new SharedReadings<string>();
		const first = readings.read('key', read);
		const second = readings.read('key', read);
		const refused = expect(first).rejects.toThrow('away');
		begun[0]?.fail(new Error('away'));
		await refused;
		await settle();
		begun[1]?.answer('back');
		expect(await second).toBe('back');
		const third = readings.read('key', read);
		await settle();
		begun[2]?.answer('again');
		expect(await third).toBe('again');
	});
});
