import { existsSync } from 'node:fs';
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { exclusively } from '../../n8n/exclusively';

const times = { heartbeat: 10, abandoned: 60_000 };

let folder: string;
let lockFile: string;

beforeEach(async () => {
	folder = await mkdtemp(path.join(os.tmpdir(), 'exclusively-'));
	lockFile = path.join(folder, 'lock');
});

afterEach(async () => {
	await rm(folder, { recursive: true });
});

it('lets a second process start only when the first has ended, and leaves no lock behind', async () => {
	const order: string[] = [];
	const work = (name: string, ends: Promise<void>) => async () => {
		order.push(`${name} starts`);
		await ends;
		order.push(`${name} ends`);
		return name;
	};
	let endFirst = () => {};
	const firstMayEnd = new Promise<void>((resolve) => (endFirst = resolve));
	const first = exclusively(lockFile, work('first', firstMayEnd), undefined, times);
	while (order.length === 0) await new Promise(setImmediate);
	const second = exclusively(lockFile, work('second', Promise.resolve()), endFirst, times);
	expect(await Promise.all([first, second])).toEqual(['first', 'second']);
	expect(order).toEqual(['first starts', 'first ends', 'second starts', 'second ends']);
	const failing = exclusively(lockFile, async () => await Promise.reject(new Error('no')));
	await expect(failing).rejects.toThrow('no');
	expect(existsSync(lockFile)).toBe(false);
});

it('takes over the lock of a process that was killed', async () => {
	await writeFile(lockFile, '');
	const long = new Date(Date.now() - 2 * times.abandoned);
	await utimes(lockFile, long, long);
	const onWait = jest.fn();
	const done = exclusively(lockFile, async () => await Promise.resolve('done'), onWait, times);
	await expect(done).resolves.toBe('done');
	expect(onWait).not.toHaveBeenCalled();
});
