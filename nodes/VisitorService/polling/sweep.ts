import { createHash } from 'node:crypto';

import type { JsonObject } from '../listing/findRecords';
import { OldestVersions } from './oldestVersions';
import type { PollCursor } from './pollCursor';
import type { SeenVersion, SeenVersions } from './seenVersions';
import type { ServiceTime } from './serviceTime';
import { readVersion, type UserFields } from './userFields';
import {
	comparePositions,
	contentDigest,
	earlierOf,
	type Position,
	type UserVersion,
} from './userVersion';

/** Times may be cut to whole minutes, and filters may be exclusive: this much earlier than `since` they all agree. */
export const BLUR = 61_000;

/** How much older than `since` users come where times are cut to whole minutes, by the way the list is asked for. */
const BAND = 2 * BLUR;

/** The same where it knows days only, or the times are shown in a zone they are not marked with. */
const WIDE_BAND = 26 * 3_600_000;

/** A second, and one for the rounding: within it a user may change twice at what seems the same time. */
const FRESH = 2_000;

export interface SweepRules {
	cursor: PollCursor;
	fields: UserFields;
	seen: SeenVersions;
	clock: ServiceTime;
	/** Most users wanted. */
	maxItems: number;
	/** New versions of before this time are not wanted, but remembered. */
	quietUntil: number;
}

/** Finds the versions that did not come out yet among all that are read from `since` on, in whatever order. */
export class Sweep {
	readonly candidates: OldestVersions;

	/** Versions that are to be remembered without coming out. */
	readonly quiet: SeenVersion[] = [];

	/** The oldest version that came to light. */
	news?: Position;

	/** Whether users came that were last changed long before the time asked for. */
	farTooOld = false;

	/** The oldest version that came although it is older than asked for; it will go on to come. */
	oldest?: number;

	/** Whether a version came twice: records moved between the pages, unless the listing read a page again. */
	hasRepeats = false;

	private readonly met = new Set<string>();

	/** From this time on a user may still change again at what seems the same time. */
	private freshFrom = Infinity;

	constructor(private readonly rules: SweepRules) {
		const { reading } = rules.cursor;
		this.candidates = new OldestVersions(rules.maxItems, reading?.left);
		this.news = reading?.news;
	}

	/** @throws ServiceFailure where a user has no ID or no update time */
	take(users: readonly JsonObject[]): void {
		const { clock, fields } = this.rules;
		// Settled once, before the update times say more about the clock: one version must not seem two.
		if (this.freshFrom === Infinity) this.freshFrom = clock.reached - FRESH;
		for (const user of users) this.takeVersion(readVersion(user, fields));
	}

	/** How many versions were read. */
	get size(): number {
		return this.met.size;
	}

	/** Equal for two sweeps that read the same versions. */
	digest(): string {
		return createHash('sha256')
			.update([...this.met].sort().join())
			.digest('base64url');
	}

	private takeVersion(version: UserVersion): void {
		const { clock, seen, quietUntil } = this.rules;
		const { key, time, earliest, record } = version;
		if (earliest === time) clock.noteUpdate(time);
		const content = this.contentCounts(version) ? contentDigest(record) : '';
		const name = key + content;
		if (this.met.has(name)) {
			this.hasRepeats = true;
			return;
		}
		this.met.add(name);
		if (this.isBehind(version) || seen.has(key, content)) return;
		if (time < quietUntil) {
			this.quiet.push({ time, key, content });
			return;
		}
		this.news = earlierOf({ time, key }, this.news);
		this.candidates.add({ ...version, content });
	}

	/** Whether a version is one of those that came out for good. */
	private isBehind(version: UserVersion): boolean {
		const { since, from, filter } = this.rules.cursor;
		// Where older users were asked for on purpose, it is no wonder that they come.
		const age = Math.min(since.time, from ?? Infinity) - version.time;
		if (filter === 'ignored' || age <= BAND) return comparePositions(version, since) < 0;
		if (age > WIDE_BAND) {
			this.farTooOld = true;
			return true;
		}
		// The filter goes by another time than the one shown, so this may well be a new version.
		this.oldest = Math.min(this.oldest ?? Infinity, version.time);
		return false;
	}

	/**
	 * Without fractions of a second, or within the current one, a user may change again at what seems the same time.
	 * Everywhere else the time alone tells versions apart, so that fields that differ in each answer do no harm.
	 */
	private contentCounts({ time, earliest }: UserVersion): boolean {
		return earliest !== time || time % 1000 === 0 || time > this.freshFrom;
	}
}
