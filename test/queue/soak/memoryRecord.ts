import { readFile } from 'node:fs/promises';

/** A life that is shorter has not warmed up. */
const MIN_SAMPLES = 24;
/** What a garbage collector may leave standing between two samples. */
const TOLERANCE = 1.15;
const TOLERANCE_MB = 25;

export interface MemoryOfLife {
	process: string;
	samples: number;
	/**
	 * Medians of the second and of the last third of the life, in MB; the first third is warming up.
	 */
	before: number;
	after: number;
	isFlat: boolean;
}

/** The memory of processes over time. A restarted process is a new life. */
export class MemoryRecord {
	private readonly lives = new Map<string, { process: string; megabytes: number[] }>();

	async sample(process: string, processId: number): Promise<void> {
		const status = await readFile(`/proc/${processId}/status`, 'utf8').catch(() => '');
		const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
		// An ended process whose parent has not noticed yet has a status, but no memory.
		if (kilobytes === undefined) return;
		const key = `${process} ${processId}`;
		const life = this.lives.get(key) ?? { process, megabytes: [] };
		life.megabytes.push(Number(kilobytes) / 1024);
		this.lives.set(key, life);
	}

	/** Every life that was long enough to tell. */
	judge(): MemoryOfLife[] {
		return [...this.lives.values()]
			.filter(({ megabytes }) => megabytes.length >= MIN_SAMPLES)
			.map(({ process, megabytes }) => {
				const third = Math.floor(megabytes.length / 3);
				const before = median(megabytes.slice(third, 2 * third));
				const after = median(megabytes.slice(2 * third));
				const isFlat = after <= before * TOLERANCE + TOLERANCE_MB;
				return { process, samples: megabytes.length, before, after, isFlat };
			});
	}
}

function median(values: number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}
