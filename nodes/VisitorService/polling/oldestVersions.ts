import type { SeenVersion } from './seenVersions';
import { comparePositions, earlierOf, type Position, type UserVersion } from './userVersion';

/** A version that is to come out, and what is remembered of it then. */
export type Candidate = UserVersion & SeenVersion;

/** Where versions wait. */
export interface Left extends Position {
	/** None of them was changed before this moment; earlier than `time` where times are written without their zone. */
	earliest: number;
}

/** Keeps the oldest versions of those that come, never more than twice as many as are wanted. */
export class OldestVersions {
	private versions: Candidate[] = [];

	/** @param left the oldest of the versions that were left out before */
	constructor(
		private readonly wanted: number,
		public left?: Left,
	) {}

	add(version: Candidate): void {
		this.versions.push(version);
		if (this.versions.length >= 2 * this.wanted) this.cut();
	}

	/** The oldest, in order; `left` says from where on others wait. */
	take(): Candidate[] {
		this.cut();
		return this.versions;
	}

	/** Notes that a version has to wait. */
	leave({ time, key, earliest }: UserVersion): void {
		const oldest = earlierOf({ time, key }, this.left);
		this.left = {
			time: oldest.time,
			key: oldest.key,
			earliest: Math.min(earliest, this.left?.earliest ?? Infinity),
		};
	}

	private cut(): void {
		this.versions.sort(comparePositions);
		for (const version of this.versions.slice(this.wanted)) this.leave(version);
		this.versions = this.versions.slice(0, this.wanted);
	}
}
