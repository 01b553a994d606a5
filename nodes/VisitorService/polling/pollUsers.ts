import type { JsonObject } from '../listing/findRecords';
import { ServiceFailure } from '../transport/serviceFailure';
import { openList, probeFilter, requireReadableFilter } from './openList';
import type { Look, OpenReading, PollCursor } from './pollCursor';
import { type ReadingEnd, readUsers } from './readUsers';
import { MOST_SEEN, SeenVersions } from './seenVersions';
import { ServiceTime } from './serviceTime';
import { BLUR, Sweep } from './sweep';
import type { UserFields } from './userFields';
import { UserList, type UserSource } from './userList';
import { comparePositions, earlierOf, type Position } from './userVersion';

export interface PollSettings {
	/** Milliseconds since 1970; undefined = now. */
	startDate?: number;
	/** Milliseconds a change may take until it shows in the list. */
	overlap: number;
	/** Dot paths; empty = detect. */
	paths: UserFields;
	pageSize: number;
	/** Most users one poll gives. */
	maxItems: number;
	mostSeen?: number;
}

export interface PollOutcome {
	/** Oldest change first. */
	users: JsonObject[];
	cursor: PollCursor;
	/** What the user should know, one sentence on what and one on what to do. */
	notes: string[];
}

/** After so many further readings without news, movements cannot have hidden a version each time. */
const MOST_READINGS = 5;

export const FILTER_IGNORED =
	'The service ignores "updatedSince", so each poll reads the whole list of users and picks the changed ones. Ask the operator of the service, or try another Updated Since Format.';

/**
 * Reads what changed since the last poll.
 *
 * Everything from `cursor.since` on is read, whatever the order it comes in; what was not seen yet comes out, oldest
 * first, and is remembered as long as it may come again. `since` moves up to the first version left over, and never
 * closer to the present than the overlap. Of a list that took several requests it is not known whether records moved
 * between the pages; there it moves only after the list was read again and was the same, or after five further
 * readings brought nothing new.
 *
 * @param stored the cursor of the last poll; nothing of it is changed
 * @throws ServiceFailure where something could not be read; then the last cursor holds
 */
export async function pollUsers(
	source: UserSource,
	settings: PollSettings,
	stored: PollCursor | undefined,
): Promise<PollOutcome> {
	const isSame = stored?.service === source.service;
	const clock = new ServiceTime(isSame ? stored.clock : undefined);
	const list = new UserList(source, clock);
	if (isSame && stored.fields !== undefined) {
		const { fields, reading } = stored;
		const quietUntil = reading?.quietUntil ?? -Infinity;
		return await new Poll(list, settings, clock, { cursor: stored, fields, quietUntil }).run();
	}

	const opened = await openList(list, clock, settings);
	const cursor = startCursor(source.service, settings, clock, stored);
	if (opened === undefined)
		return { users: [], cursor: { ...cursor, clock: clock.toMemory() }, notes: [] };
	const { fields, filter } = opened;
	const isFirst = stored === undefined;
	// Where the tenant had no users at the last poll, each one there is now is new.
	const quietUntil = isFirst
		? (settings.startDate ?? Infinity)
		: isSame
			? -Infinity
			: stored.since.time;
	const place = { cursor: { ...cursor, fields, filter }, fields, quietUntil };
	const poll = new Poll(list, settings, clock, place);
	const outcome = await poll.run();
	if (poll.readNothing && filter === 'honoured') await requireReadableFilter(list, opened);
	if (filter === 'ignored') outcome.notes.push(FILTER_IGNORED);
	return outcome;
}

/**
 * The cursor of a first poll, or of one at another tenant, with another client or read another way. There the trigger
 * goes on from the same time, reaching back so far that a difference between the clocks hides nothing.
 */
function startCursor(
	service: string,
	{ startDate, overlap }: PollSettings,
	clock: ServiceTime,
	stored: PollCursor | undefined,
): PollCursor {
	const margin = { time: clock.reached - overlap - BLUR, key: '' };
	if (stored === undefined) {
		const since = startDate === undefined ? margin : { time: startDate, key: '' };
		return { version: 1, since, seen: '', service };
	}
	const { from, seen } = stored;
	const since = earlierOf(stored.since, margin);
	return { version: 1, since, ...(from !== undefined && { from }), seen, service };
}

interface Place {
	cursor: PollCursor;
	fields: UserFields;
	/** Versions of before this time are only remembered. */
	quietUntil: number;
}

class Poll {
	private readonly notes: string[] = [];

	private readonly seen: SeenVersions;

	private readonly sweep: Sweep;

	private readonly users: JsonObject[] = [];

	constructor(
		private readonly list: UserList,
		private readonly settings: PollSettings,
		private readonly clock: ServiceTime,
		private readonly place: Place,
	) {
		const { maxItems, mostSeen = MOST_SEEN } = settings;
		this.seen = SeenVersions.decode(place.cursor.seen, mostSeen);
		this.sweep = new Sweep({ ...place, seen: this.seen, clock, maxItems });
	}

	get readNothing(): boolean {
		return this.sweep.size === 0;
	}

	async run(): Promise<PollOutcome> {
		const { list, notes, place, settings, sweep, users } = this;
		const { from, reading, since } = place.cursor;
		const asked = Math.max(0, Math.min(since.time, from ?? Infinity) - BLUR);
		const end = await readUsers({
			page: reading?.page ?? 0,
			pageSize: reading?.pageSize ?? settings.pageSize,
			fetchPage: async (page, pageSize) => await list.fetchPage(page, pageSize, asked),
			take: (records) => {
				sweep.take(records);
			},
			mayReadOn: () => list.source.mayReadOn(),
		});
		const filter = sweep.farTooOld ? await this.probeFilterAgain() : place.cursor.filter;
		this.choose();
		return { users, cursor: this.nextCursor(end, filter), notes };
	}

	/** @throws ServiceFailure where the service filters by another time than the one that is known as update time */
	private async probeFilterAgain(): Promise<'ignored'> {
		const filter = await probeFilter(this.list, this.clock, this.place.fields);
		if (filter === 'honoured') {
			const { updatedAt } = this.place.fields;
			throw new ServiceFailure(
				`Asked for recent changes, the service sends users whose time at "${updatedAt}" is more than a day older.`,
				'Set Updated At Path (updatedAtPath) in the options to the dot path of the time the service filters by.',
				{ kind: 'configuration' },
			);
		}
		this.notes.push(FILTER_IGNORED);
		return filter;
	}

	/** What is remembered comes out, and nothing else: it would come again and again. */
	private choose(): void {
		const { seen, sweep, users } = this;
		seen.remember(sweep.quiet);
		const chosen = sweep.candidates.take();
		const remembered = new Set(seen.remember(chosen));
		for (const version of chosen) {
			if (remembered.has(version)) users.push(version.record);
			else sweep.candidates.leave(version);
		}
	}

	private nextCursor(end: ReadingEnd, filter: PollCursor['filter']): PollCursor {
		const { clock, place, seen, sweep } = this;
		const { service } = place.cursor;
		const { since, look, reading } = this.move(end);
		const from = end.next === undefined ? sweep.candidates.left?.earliest : place.cursor.from;
		if (end.next === undefined && place.cursor.reading === undefined) this.forget();
		return {
			version: 1,
			since,
			...(from !== undefined && from < since.time && { from }),
			seen: seen.encode(),
			service,
			fields: place.fields,
			filter,
			clock: clock.toMemory(),
			...(look && { look }),
			...(reading && { reading }),
		};
	}

	/** What was not asked for this time, and did not come, does not come again. */
	private forget(): void {
		const { place, seen, sweep } = this;
		const { since } = place.cursor;
		const { oldest } = sweep;
		const kept = oldest === undefined ? since : { time: oldest, key: '' };
		seen.forget((version) => comparePositions(version, kept) < 0);
	}

	private move(end: ReadingEnd): { since: Position; look?: Look; reading?: OpenReading } {
		const { clock, place, settings, sweep } = this;
		const { since, look, reading } = place.cursor;
		const { left } = sweep.candidates;
		const line = reading?.line ?? clock.reached - settings.overlap - BLUR;
		if (end.next !== undefined) {
			const { news } = sweep;
			// Of a first poll that takes several, only what surely changed before it stays quiet later on.
			const surelyBefore = Math.max(clock.reached, clock.newest + 1);
			const quietUntil = Math.min(place.quietUntil, surelyBefore);
			const open = { ...end.next, line, ...(left && { left }), ...(news && { news }) };
			return { since, look, reading: quietUntil === -Infinity ? open : { ...open, quietUntil } };
		}
		if (!clock.steady) return { since, look };
		const setBack = clock.setBackBehind(since.time);
		if (setBack !== undefined) return { since: { time: setBack - settings.overlap, key: '' } };

		const reached = earlierOf({ time: line, key: '' }, left);
		const isFirst = place.quietUntil === Infinity;
		const isSnapshot = reading === undefined && end.requests === 1;
		if (isSnapshot || isFirst) return { since: laterOf(since, reached) };
		return this.confirm(reached);
	}

	/**
	 * Moves the cursor after a list that took several requests. Where the last reading met the same versions, nothing
	 * had moved then: whatever moves makes a version of one reading miss in the other, or come twice.
	 */
	private confirm(reached: Position): { since: Position; look: Look } {
		const { place, sweep } = this;
		const { since, look, reading } = place.cursor;
		const { news } = sweep;
		const digest = reading === undefined && !sweep.hasRepeats ? sweep.digest() : undefined;
		// What came to light was missed by all readings that should have met it.
		const lines = (look?.lines ?? []).filter(
			(line) => news === undefined || comparePositions(line, news) <= 0,
		);
		const isProved = digest !== undefined && digest === look?.digest;
		const proved = isProved ? lines.at(-1) : undefined;
		if (proved !== undefined) {
			return { since: laterOf(since, proved), look: { lines: [reached], digest } };
		}
		lines.push(reached);
		const [oldest = reached] = lines.length > MOST_READINGS ? lines.splice(0, 1) : [since];
		return { since: laterOf(since, oldest), look: { lines, digest } };
	}
}

function laterOf(one: Position, other: Position): Position {
	return comparePositions(one, other) >= 0 ? one : other;
}
