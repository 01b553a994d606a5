import { readFile } from 'node:fs/promises';

/** The most memory a process ever held, in MB (Linux: VmHWM). */
export async function peakMemory(processId: number): Promise<number> {
	const status = await readFile(`/proc/${processId}/status`, 'utf8');
	const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
	if (kilobytes === undefined) throw new Error('This system does not tell the peak memory.');
	return Math.round(Number(kilobytes) / 1024);
}
