import { isRecord } from '../values/json';
import type { ChangesMemory } from './changes';
import type { ComparisonMemory } from './comparison';
import type { KnownContents, Sample } from './contents';
import type { RecordFields } from './fields';
import type { MetMemory } from './place';
import type { ClockMemory } from './serviceTime';
import type { Position } from './versions';

/** What was found out of a list before its changes could be told. */
export interface KnownList extends KnownContents {
	fields: RecordFields;
	/**
	 * How changes are found: by asking the service for them, by reading the whole list and looking at
	 * its times, because the service ignores `updatedSince` or leaves records out of what it finds;
	 * or by comparing the whole list with what it held before.
	 */
	reads: 'changes' | 'allIgnored' | 'allIncomplete' | 'comparison';
	/** As `slackFor`; that of most filters if it is missing. */
	slack?: number;
	/** Whether its filter also finds records that show no time of what was changed. */
	findsUndated?: boolean;
	/** The service's time when its filter was last seen to find what it should. */
	filterProvedAt?: number;
}

/**
 * The place of one trigger in the changes of a tenant, as it is stored between polls. `since` keeps
 * its meaning in every version to come: each version of a record before it was returned.
 */
export interface PollCursor {
	version: 1;
	since: Position;
	/**
	 * Our time of the poll, but later than that of the poll before in any case: unlike `since` it
	 * only moves on.
	 */
	polledAt?: number;
	/** Tells tenants, clients, lists and ways to read them apart. */
	service: string;
	/** Undefined as long as the list has no records. */
	list?: KnownList;
	clock?: ClockMemory;
	/** Of a list that is asked for changes. */
	changes?: ChangesMemory;
	/** Of a list that is compared. */
	comparison?: ComparisonMemory;
	/** What the user was told already, so that it is not said at every poll. */
	told: string[];
}

/** Who was created later than anybody who was met is new. */
export function metUntil({
	createdBefore = -Infinity,
	newestMet = -Infinity,
}: ChangesMemory): number {
	return Math.max(createdBefore, newestMet + 1);
}

/** Who was created before is not new, even if the place is put back. */
export function knownUntil({ changes, since }: PollCursor): number {
	return Math.max(since.time, changes === undefined ? -Infinity : metUntil(changes));
}

/**
 * Reads a stored cursor: whole, or, if any part of it is of another shape, its `since` alone. What
 * else there was is found out anew, so that versions are returned again at worst.
 *
 * @returns undefined if there is none
 */
export function readCursor(stored: unknown): PollCursor | undefined {
	if (isCursor(stored)) return stored;
	if (!hasSince(stored)) return undefined;
	return { version: 1, since: stored.since, service: '', told: [] };
}

type TypeGuard<T> = (value: unknown) => value is T;

const isNumber = (value: unknown): value is number => Number.isFinite(value);
const isString = (value: unknown): value is string => typeof value === 'string';
const isFlag = (value: unknown): value is boolean => typeof value === 'boolean';

function optional<T>(check: TypeGuard<T>): TypeGuard<T | undefined> {
	return (value): value is T | undefined => value === undefined || check(value);
}

function listOf<T>(check: TypeGuard<T>): TypeGuard<T[]> {
	return (value): value is T[] => Array.isArray(value) && value.every(check);
}

function byName<T>(check: TypeGuard<T>): TypeGuard<Record<string, T>> {
	return (value): value is Record<string, T> =>
		isRecord(value) && Object.values(value).every(check);
}

function oneOf<T>(...known: readonly T[]): TypeGuard<T> {
	return (value): value is T => known.some((one) => one === value);
}

function shape<T>(parts: { [Name in keyof Required<T>]: TypeGuard<T[Name]> }): TypeGuard<T> {
	const checks: Array<[string, TypeGuard<unknown>]> = Object.entries(parts);
	return (value): value is T =>
		isRecord(value) && checks.every(([name, check]) => check(value[name]));
}

const isPosition = shape<Position>({ time: isNumber, key: isString });

const hasSince = shape<Pick<PollCursor, 'since'>>({ since: isPosition });

const nextPageParts = {
	page: isNumber,
	pageSize: isNumber,
	last: optional(isString),
	total: optional(isNumber),
	first: optional(isNumber),
};

const isCursor = shape<PollCursor>({
	version: oneOf(1 as const),
	since: isPosition,
	polledAt: optional(isNumber),
	service: isString,
	list: optional(
		shape<KnownList>({
			fields: shape<RecordFields>({
				id: isString,
				updatedAt: isString,
				createdAt: isString,
				unit: optional(isNumber),
				createdUnit: optional(isNumber),
			}),
			reads: oneOf<KnownList['reads']>('changes', 'allIgnored', 'allIncomplete', 'comparison'),
			slack: optional(isNumber),
			findsUndated: optional(isFlag),
			filterProvedAt: optional(isNumber),
			volatile: listOf(isString),
			sample: optional(shape<Sample>({ state: isString, fields: byName(isString) })),
		}),
	),
	clock: optional(
		shape<ClockMemory>({
			difference: isNumber,
			at: isNumber,
			date: isNumber,
			until: isNumber,
			lead: optional(isNumber),
			newest: optional(isNumber),
			setBackFrom: optional(isNumber),
		}),
	),
	changes: optional(
		shape<ChangesMemory>({
			newestMet: optional(isNumber),
			remembered: isString,
			waitingFrom: optional(isNumber),
			createdBefore: optional(isNumber),
			onlyBefore: optional(isPosition),
			unproved: listOf(isPosition),
			digest: optional(isString),
			beginsAt: optional(isNumber),
			unfinished: optional(
				shape<NonNullable<ChangesMemory['unfinished']>>({
					...nextPageParts,
					completeUntil: isNumber,
					presumedUntil: isNumber,
					waiting: isString,
					waitingCount: isNumber,
					oldestWaiting: optional(
						shape<Position & { earliest: number }>({
							time: isNumber,
							key: isString,
							earliest: isNumber,
						}),
					),
					oldest: optional(isNumber),
					met: shape<MetMemory>({ count: isNumber, sumOfHashes: isNumber }),
					sinceBefore: optional(isPosition),
				}),
			),
		}),
	),
	comparison: optional(
		shape<ComparisonMemory>({
			startedAt: isNumber,
			records: isString,
			hasBeenRead: isFlag,
			hasMoved: isFlag,
			unproved: listOf(isPosition),
			unfinished: optional(
				shape<NonNullable<ComparisonMemory['unfinished']>>({
					...nextPageParts,
					returnedUntil: isNumber,
				}),
			),
		}),
	),
	told: listOf(isString),
});
