import { readdir, readFile } from 'node:fs/promises';

/** Linux counts processor time in these. */
const TICKS_PER_SECOND = 100;

interface ProcessTimes {
	parent: number;
	/** Of the process itself and of the children it has seen ending, in s. */
	seconds: number;
}

/**
 * Processor time a process and its children have used, in s (Linux). Unlike the time on the clock
 * it hardly depends on what else the machine has to do.
 */
export async function processorTime(processId: number): Promise<number> {
	const processes = await Promise.all(
		(await readdir('/proc'))
			.filter((name) => /^\d+$/.test(name))
			.map(async (name) => await timesOf(name)),
	);
	const own = await timesOf(String(processId));
	const children = processes.filter((times) => times?.parent === processId);
	return [own, ...children].reduce((sum, times) => sum + (times?.seconds ?? 0), 0);
}

async function timesOf(processId: string): Promise<ProcessTimes | undefined> {
	const text = await readFile(`/proc/${processId}/stat`, 'utf8').catch(() => undefined);
	// proc(5): the name in brackets may hold blanks; the fields after it are numbered from 3.
	const fields = text
		?.slice(text.lastIndexOf(')') + 2)
		.split(' ')
		.map(Number);
	if (fields === undefined) return undefined;
	const [parent = NaN, ticks] = [fields[1], fields.slice(11, 15)];
	return { parent, seconds: ticks.reduce((sum, value) => sum + value, 0) / TICKS_PER_SECOND };
}
