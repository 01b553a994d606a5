import { rm, stat, utimes, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { isObject } from './responseShape';

export interface LockTimes {
	/** How often the owner shows that it lives, and how often a waiter looks, in ms. */
	heartbeat: number;
	/** After how many ms without a sign of life a lock counts as left behind. */
	abandoned: number;
}

const LOCK_TIMES: LockTimes = { heartbeat: 1_000, abandoned: 15_000 };

/**
 * Runs `action` while no other process runs one under the same `lockFile`; waits for the other one
 * otherwise. A lock left behind by a killed process is taken over.
 *
 * The file's time is the sign of life, not a process id: ids are used again after a restart and
 * mean nothing across containers. Two processes that find the same abandoned lock in the same
 * instant may both go on, so an action has to stay correct when it runs twice.
 */
export async function exclusively<Result>(
	lockFile: string,
	action: () => Promise<Result>,
	onWait: () => void = () => {},
	times: LockTimes = LOCK_TIMES,
): Promise<Result> {
	let isReported = false;
	while (!(await claim(lockFile))) {
		if (await isAbandoned(lockFile, times)) {
			await rm(lockFile, { force: true });
			continue;
		}
		if (!isReported) onWait();
		isReported = true;
		await delay(times.heartbeat);
	}
	const heartbeat = setInterval(() => {
		const now = new Date();
		// The folder may be deleted under a running action; that action then fails by itself.
		utimes(lockFile, now, now).catch(() => {});
	}, times.heartbeat);
	try {
		return await action();
	} finally {
		clearInterval(heartbeat);
		await rm(lockFile, { force: true });
	}
}

async function claim(lockFile: string): Promise<boolean> {
	try {
		await writeFile(lockFile, '', { flag: 'wx' });
		return true;
	} catch (error) {
		if (isObject(error) && error.code === 'EEXIST') return false;
		throw error;
	}
}

async function isAbandoned(lockFile: string, times: LockTimes): Promise<boolean> {
	const found = await stat(lockFile).catch(() => undefined);
	return found !== undefined && Date.now() - found.mtimeMs > times.abandoned;
}
