import { existsSync } from 'node:fs';
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { exclusively } from '../../n8n/exclusively';

const times = { heartbeat: 10, abandoned: 60_000 };

describe('exclusively', () => {
	let folder: string;
	let lockFile: string;

	beforeEach(async () => {
		folder = await mkdtemp(path.join(os.tmpdir(), 'exclusively-'));
		lockFile = path.join(folder, 'lock');
	});

	afterEach(async () => {
		await rm(folder, { recursive: true });
	});

	it('lets a second one start only when the first has ended', async () => {
		const order: string[] = [];
		let endFirst = () => {};
		const firstMayEnd = new Promise<void>((resolve) => {
			endFirst = resolve;
		});
		let startFirst = () => {};
		const firstStarted = new Promise<void>((resolve) => {
			startFirst = resolve;
		});
		const first = exclusively(
			lockFile,
			async () => {
				order.push('first starts');
				startFirst();
				await firstMayEnd;
				order.push('first ends');
			},
			undefined,
			times,
		);
		await firstStarted;
		const second = exclusively(
			lockFile,
			async () => {
				order.push('second starts');
				await Promise.resolve();
			},
			() => {
				order.push('second waits');
				endFirst();
			},
			times,
		);
		await Promise.all([first, second]);
		expect(order).toEqual(['first starts', 'second waits', 'first ends', 'second starts']);
	});

	it('returns what the action returns, and leaves no lock behind', async () => {
		await expect(exclusively(lockFile, async () => await Promise.resolve(7))).resolves.toBe(7);
		expect(existsSync(lockFile)).toBe(false);
	});

	it('leaves no lock behind when the action throws', async () => {
		const failing = exclusively(lockFile, async () => await Promise.reject(new Error('no')));
		await expect(failing).rejects.toThrow('no');
		expect(existsSync(lockFile)).toBe(false);
	});

	it('takes over the lock of a process that was killed', async () => {
		await writeFile(lockFile, '');
		const long = new Date(Date.now() - 2 * times.abandoned);
		await utimes(lockFile, long, long);
		const onWait = jest.fn();
		await expect(
			exclusively(lockFile, async () => await Promise.resolve('done'), onWait, times),
		).resolves.toBe('done');
		expect(onWait).not.toHaveBeenCalled();
	});
});
