import { ServiceFailure } from '../../../../../nodes/VisitorService/failure/serviceFailure';
import type { PollSettings } from '../../../../../nodes/VisitorService/polling/currentPoll';
import type { TriggerOn } from '../../../../../nodes/VisitorService/polling/versions';
import fc from '../../../../properties';
import {
	type Habits,
	HOUR,
	type ListCopy,
	type MetChanges,
	MINUTE,
	PolledTenant,
	SECOND,
	START,
} from './polledTenant';
import {
	type Host,
	repeated,
	SimulatedDatabase,
	SimulatedProcess,
	SimulatedTrigger,
} from './simulatedTrigger';

const DAY = 24 * HOUR;

type Move =
	| { kind: 'change'; user: number; delay: number }
	| { kind: 'remove'; user: number }
	/** The service comes to return other pages at most. */
	| { kind: 'clamp'; maxPageSize: number };

type Step =
	| Move
	| { kind: 'pass'; time: number }
	/**
	 * `moves` happen while the poll reads, one before each page; `failsAt` counts requests; `late` =
	 * that one fails when those sent with it have come; `killed` = the process ends between giving
	 * and saving.
	 */
	| {
			kind: 'poll';
			moves: Array<Move | null>;
			failsAt: number | null;
			late: boolean;
			pages: number;
			killed: boolean;
	  }
	| { kind: 'overlappingPolls' }
	/** Somebody sets the clock of n8n, or the one behind the `Date` header. */
	| { kind: 'setClock'; which: 'ours' | 'date'; by: number }
	/**
	 * The service keeps a copy of its list; and a poll is answered by it, if it lags by no more than
	 * the overlap.
	 */
	| { kind: 'copy' }
	| { kind: 'lateAnswers' }
	/** Another trigger in the same workflow polls. */
	| { kind: 'neighbour' }
	| { kind: 'restart' }
	/** Everything that shows has to come out now. */
	| { kind: 'check' };

const OVERLAP = 5 * MINUTE;
const user = fc.nat(7);
const delay = fc.oneof(
	{ weight: 3, arbitrary: fc.constant(0) },
	{ weight: 1, arbitrary: fc.integer({ min: 1, max: OVERLAP }) },
	{ weight: 1, arbitrary: fc.constant(OVERLAP) },
);
const move: fc.Arbitrary<Move> = fc.oneof(
	{ weight: 4, arbitrary: fc.record({ kind: fc.constant('change' as const), user, delay }) },
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), user }) },
);
const movingMove: fc.Arbitrary<Move> = fc.oneof(
	fc.record({ kind: fc.constant('change' as const), user: fc.nat(15), delay: fc.constant(0) }),
	fc.record({ kind: fc.constant('remove' as const), user: fc.nat(15) }),
);
const pass: fc.Arbitrary<Step> = fc.record({
	kind: fc.constant('pass' as const),
	time: fc.constantFrom(1, 300, SECOND, 20 * SECOND, MINUTE, 6 * MINUTE, HOUR, DAY),
});
const pollWith = (killed: fc.Arbitrary<boolean>): fc.Arbitrary<Step> =>
	fc.record({
		kind: fc.constant('poll' as const),
		moves: fc.array(fc.option(move, { freq: 1 }), { maxLength: 6 }),
		failsAt: fc.option(fc.integer({ min: 1, max: 6 }), { freq: 5, nil: null }),
		late: fc.boolean(),
		pages: fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 4 })),
		killed,
	});
const stepWith = (killed: fc.Arbitrary<boolean>): fc.Arbitrary<Step> =>
	fc.oneof(
		{ weight: 8, arbitrary: move },
		{ weight: 5, arbitrary: pass },
		{ weight: 6, arbitrary: pollWith(killed) },
		{ weight: 1, arbitrary: fc.constant({ kind: 'overlappingPolls' as const }) },
		{
			weight: 1,
			arbitrary: fc.record({
				kind: fc.constant('setClock' as const),
				which: fc.constantFrom('ours' as const, 'date' as const),
				by: fc.constantFrom(-DAY, -HOUR, -MINUTE, MINUTE, HOUR),
			}),
		},
		{ weight: 1, arbitrary: fc.constant({ kind: 'neighbour' as const }) },
		{ weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
		{ weight: 1, arbitrary: fc.constant({ kind: 'check' as const }) },
	);

const updatedSince = fc
	.record({
		ignored: fc.boolean(),
		inclusive: fc.boolean(),
		precision: fc.constantFrom('ms', 's', 'min'),
		refusesFuture: fc.boolean(),
	})
	.map((filter) => ({ ...filter, refusesFuture: filter.refusesFuture && !filter.ignored }));

/**
 * What shows of creations: nothing, their time, or the update time is null until the first update.
 */
const creation = fc.constantFrom(
	{ showsCreation: false, neverUpdated: 'dated' as const },
	{ showsCreation: false, neverUpdated: 'dated' as const },
	{ showsCreation: true, neverUpdated: 'dated' as const },
	{ showsCreation: true, neverUpdated: 'dated' as const },
	{ showsCreation: true, neverUpdated: 'null' as const },
	{ showsCreation: true, neverUpdated: 'notFound' as const },
);

/** How far the `Date` is ahead of local times that are marked as UTC. */
const LOCAL_AS_UTC = [-9 * HOUR, 5 * HOUR];

const habits: fc.Arbitrary<Habits> = fc
	.record({
		list: fc.record({
			naturalOrder: fc.constantFrom('insertion', 'id', 'updatedAt', 'updatedAtDescending'),
			updatedAtFormat: fc.constantFrom(
				'iso',
				'isoSeconds',
				'isoMinutes',
				'epochMs',
				'epochS',
				'isoOffset',
				'isoLocal',
				'isoDate',
				'isoMicroseconds',
			),
			timeUnit: fc.constantFrom('ms', 'ms', 'min', 'hour', 'day'),
			zoneOffsetMinutes: fc.constantFrom(0, 60, -300, 345, 840, -720),
			updatedSince,
			maxPageSize: fc.integer({ min: 2, max: 6 }),
			metadata: fc.constantFrom('standard', 'none'),
		}),
		creation,
		format: fc.constantFrom('iso', 'epochMs', 'epochS'),
		dateHeader: fc.boolean(),
		dateAhead: fc.constantFrom(0, -HOUR, HOUR, ...LOCAL_AS_UTC),
		ourClockAhead: fc.constantFrom(0, -HOUR, HOUR),
		volatileField: fc.oneof(
			{ weight: 3, arbitrary: fc.boolean() },
			{ weight: 1, arbitrary: fc.constantFrom(10 * MINUTE, HOUR) },
		),
		timeless: fc.constantFrom(undefined, 'user-7'),
		unsetTime: fc.constantFrom(
			undefined,
			'1753-01-01T00:00:00',
			'2001-01-01T00:00:00Z',
			-62_135_596_800,
		),
	})
	.map(({ creation: { showsCreation, neverUpdated }, list, dateAhead, ...rest }) => {
		// Times without a zone are local ones already.
		const { updatedAtFormat, zoneOffsetMinutes } = list;
		const isLocal = zoneOffsetMinutes !== 0 && /^iso(?:Local|Date)$/.test(updatedAtFormat);
		return {
			...rest,
			showsCreation,
			dateAhead: isLocal && LOCAL_AS_UTC.includes(dateAhead) ? 0 : dateAhead,
			list: { ...list, neverUpdated },
		};
	});

const settings: fc.Arbitrary<Partial<PollSettings>> = fc.record({
	startDate: fc.constantFrom(undefined, START - 30 * MINUTE, START - DAY),
	overlap: fc.constant(OVERLAP),
	pageSize: fc.integer({ min: 2, max: 8 }),
	maxItems: fc.constantFrom(1, 3, 10_000),
});

const before = fc.array(fc.record({ user, age: fc.constantFrom(0, MINUTE, 3 * HOUR) }), {
	maxLength: 8,
});

export interface History {
	habits: Habits;
	settings: Partial<PollSettings>;
	before: Array<{ user: number; age: number }>;
	steps: Step[];
	/** How many pages each poll may read, if the list always takes several. */
	pages?: number;
	host: Host;
}

const historyWith = (killed: fc.Arbitrary<boolean>): fc.Arbitrary<History> =>
	fc.record({
		habits,
		settings,
		before,
		steps: fc.array(stepWith(killed), { minLength: 5, maxLength: 30 }),
		pages: fc.option(fc.integer({ min: 2, max: 4 }), { nil: undefined }),
		host: fc.constantFrom<Host>('process', 'process', 'durable', 'scheduler'),
	});

export const history = historyWith(fc.constant(false));

/** Histories of lists that are compared, and of triggers for one kind of change only. */
export const choosyHistory = fc
	.tuple(
		history,
		fc.constantFrom<TriggerOn>('createdOrUpdated', 'created', 'updated', 'removed'),
		fc.boolean(),
		fc.constantFrom(undefined, { ahead: -5 * HOUR, unit: 1 }, { ahead: 0, unit: HOUR }),
	)
	.map(([history, triggerOn, acceptsUpdatedSince, creationTimes]): History => {
		const settings = { ...history.settings, startDate: undefined, triggerOn, acceptsUpdatedSince };
		// Of a user that was never updated the creation counts as its update, by the same clock.
		const isOwn = triggerOn === 'created' && history.habits.list.neverUpdated === 'dated';
		const habits = { ...history.habits, ...(isOwn && { creationTimes }) };
		// A user that is created again within an hour looks like the one before if times are cut to
		// hours.
		const steps = isOwn && creationTimes?.unit === HOUR ? withoutRemovals(history) : history.steps;
		return { ...history, habits, settings, steps };
	});

function withoutRemovals({ steps }: History): Step[] {
	const isOther = (move: Step | Move | null | undefined) => move?.kind !== 'remove';
	return steps
		.filter(isOther)
		.map((step) => (step.kind === 'poll' ? { ...step, moves: step.moves.filter(isOther) } : step));
}

const clamp = fc.record({
	kind: fc.constant('clamp' as const),
	maxPageSize: fc.integer({ min: 1, max: 8 }),
});

/** Histories of a service whose maximum of a page changes, between two polls or within one. */
export const clampingHistory = fc
	.tuple(
		choosyHistory,
		fc.infiniteStream(fc.option(clamp, { freq: 2 })),
		fc.infiniteStream(fc.option(clamp, { freq: 2 })),
	)
	.map(([history, between, within]): History => {
		const next = <T>(stream: Iterator<T>): T => stream.next().value as T;
		const steps = history.steps.flatMap((step): Step[] => {
			const before = next(between);
			const changed: Step =
				step.kind === 'poll'
					? { ...step, moves: step.moves.map((move) => next(within) ?? move) }
					: step;
			return before === null ? [changed] : [before, changed];
		});
		return { ...history, steps };
	});

/**
 * Histories of a service that refuses pages after the end, so that a reading may be refused where
 * it goes on.
 */
export const refusingHistory = choosyHistory.map((history): History => {
	const { list, ...habits } = history.habits;
	return { ...history, habits: { ...habits, list: { ...list, pageBeyondEnd: 'error' } } };
});

/** Histories of a service that once answers from a copy of its list which lags behind. */
export const laggingHistory = fc
	.tuple(
		choosyHistory,
		fc.array(fc.oneof(pass, move, pollWith(fc.constant(false))), { maxLength: 6 }),
		fc.nat(30),
	)
	.map(([history, meanwhile, place]): History => {
		const { habits, steps } = history;
		const late: Step[] = [{ kind: 'copy' }, ...meanwhile, { kind: 'lateAnswers' }];
		return {
			...history,
			// States without a time, or of one time, cannot be told to be older.
			habits: {
				...habits,
				timeless: undefined,
				list: { ...habits.list, updatedAtFormat: 'iso', timeUnit: 'ms' },
			},
			steps: [...steps.slice(0, place), ...late, ...steps.slice(place)],
		};
	});

/** Histories in which the process is killed after every other poll. */
export const crashingHistory = historyWith(fc.boolean());

/**
 * Histories with more changes than the cursor has room for; what waits comes out once the overlap
 * is over.
 */
export const crowdedHistory = fc
	.tuple(history, fc.integer({ min: 2, max: 6 }))
	.map(([history, maxRemembered]): History => {
		const steps = history.steps.filter(({ kind }) => kind !== 'check');
		// What polls without results remember decides here, and the scheduler alone forgets it.
		const host = history.host === 'scheduler' ? 'durable' : history.host;
		return { ...history, host, settings: { ...history.settings, maxRemembered }, steps };
	});

interface Round {
	changes: number[];
	/** Of each poll. */
	moves: Array<Array<Move | null>>;
	pause: number;
}

const moves = fc.array(fc.option(movingMove, { freq: 4 }), { minLength: 6, maxLength: 12 });

/**
 * Histories in which the list moves under nearly every page, and changes are older than the overlap
 * when first read.
 */
export const movingHistory: fc.Arbitrary<History> = fc.record({
	habits: habits.map(({ list: { naturalOrder, metadata }, ...habits }) => ({
		...habits,
		list: { naturalOrder, metadata, maxPageSize: 2 },
		showsCreation: false,
		timeless: undefined,
	})),
	settings: fc.constant({ overlap: OVERLAP, pageSize: 2, maxItems: 10_000 }),
	before: fc.constant([]),
	host: fc.constant('process' as const),
	steps: fc
		.array(
			fc.record({
				changes: fc.array(fc.nat(15), { minLength: 4, maxLength: 12 }),
				moves: fc.array(moves, { minLength: 2, maxLength: 2 }),
				pause: fc.constantFrom(MINUTE, 10 * MINUTE, HOUR),
			}),
			{ minLength: 1, maxLength: 6 },
		)
		.map((rounds: Round[]) => rounds.flatMap(toSteps)),
});

function toSteps({ changes, moves, pause }: Round): Step[] {
	return [
		...changes.map((user): Step => ({ kind: 'change', user, delay: 0 })),
		...moves.flatMap((moves): Step[] => [
			{ kind: 'pass', time: pause },
			{ kind: 'poll', moves, failsAt: null, late: false, pages: Infinity, killed: false },
		]),
	];
}

/** Plays one history. */
export class Run {
	readonly tenant: PolledTenant;

	readonly trigger: SimulatedTrigger;

	private readonly neighbour: SimulatedTrigger;

	/** Changes that need not come out. */
	private readonly quiet = new Set<number>();

	private started = false;

	/** How often each change came out of a process that was killed before it saved. */
	private readonly unsaved = new Map<number, number>();

	private readonly lastChange = new Map<number, number>();

	/** Users that the trigger knows. */
	private met = new Set<string>();

	/** The same, as far as n8n saved it. */
	private savedMet = new Set<string>();

	private saves = 0;

	/** Whether a list that is compared was not read to its end yet. */
	private isFirstReading = true;

	/** The same, as far as n8n saved it. */
	private isFirstReadingSaved = true;

	/** How often users left the list. */
	private readonly left = new Map<string, number>();

	private wasDateSetBack = false;

	/** How often the service failed. */
	private failures = 0;

	private copy?: ListCopy;

	private hasAnsweredLate = false;

	constructor(private readonly history: History) {
		this.tenant = new PolledTenant(history.habits);
		this.tenant.pagesPerPoll = history.pages ?? Infinity;
		const { host, settings } = history;
		const database = new SimulatedDatabase();
		const process = new SimulatedProcess();
		const publish = (id: string) =>
			new SimulatedTrigger(this.tenant, settings, host, database, id, process);
		this.trigger = publish('node-1');
		this.neighbour = publish('node-2');
		for (const trigger of [this.trigger, this.neighbour]) {
			trigger.follow = (failure) => this.follow(failure);
		}
		this.trigger.polled = (met) => this.noteMet(met);
	}

	async play(): Promise<void> {
		const { tenant, history } = this;
		// Nobody changes this one.
		if (typeof history.habits.volatileField === 'number') tenant.change('past', 0, START - 3 * DAY);
		// Times at full hours would count as cut to these.
		tenant.pass(1234);
		const before = [...history.before].sort((one, other) => other.age - one.age);
		for (const { user, age } of before) tenant.change(name(user), 0, tenant.time - age);
		tenant.pass(SECOND);
		for (const step of history.steps) await this.do(step);
		tenant.pass(OVERLAP + HOUR);
		if (history.settings.maxRemembered !== undefined) await this.waitForRoom();
		await this.check();
		// Of a list that began without times it is not known that there are any.
		const hasTimes = this.trigger.cursor?.list?.fields.updatedAt !== '';
		if (hasTimes && typeof history.habits.volatileField === 'number') await this.rest();
	}

	/**
	 * Does what an error tells the user to do. @returns whether it tells something that was not done
	 * yet
	 */
	private follow({ kind, remedy }: ServiceFailure): boolean {
		const { neighbour, tenant, trigger } = this;
		if (kind !== 'configuration') return false;
		const { timeless } = this.history.habits;
		const isPathMissing = remedy.includes('Updated At Path') && timeless !== undefined;
		if (isPathMissing && trigger.settings.paths.updatedAt === '') {
			for (const one of [trigger, neighbour]) one.settings.paths.updatedAt = 'updatedAt';
			tenant.service = `${tenant.service}, with Updated At Path`;
			return true;
		}
		if (!remedy.includes('N8N_POLLER_DURABLE_CURSORS_ENABLED') || trigger.host === 'durable')
			return false;
		for (const one of [trigger, neighbour]) one.host = 'durable';
		this.restart();
		return true;
	}

	/**
	 * What came out more often than docs/polling.md says: once for each time it happened, and for
	 * each crash in that moment.
	 */
	get tooOften(): number[] {
		const { emitted } = this.trigger;
		return [...new Set(repeated(emitted))].filter((told) => {
			const times = emitted.filter((one) => one === told).length;
			return times > this.happened(told) + (this.unsaved.get(told) ?? 0) + this.timesMoreForAReason;
		});
	}

	/** A version comes to be once; but a user that came back may leave the list again. */
	private happened(told: number): number {
		if (this.trigger.settings.triggerOn !== 'removed') return 1;
		// A copy may show somebody again who was told to be removed.
		return (this.left.get(name(told)) ?? 1) + (this.hasAnsweredLate ? 1 : 0);
	}

	/**
	 * Whether there were more states than can be remembered, or the service's clock was set back; and
	 * whether a field was renewed: once if the first page shows a state whose time has passed, and
	 * the service did not fail.
	 */
	private get timesMoreForAReason(): number {
		const { habits, time } = this.tenant;
		const { list, volatileField: renewedAfter } = habits;
		const isCrowded = this.history.settings.maxRemembered !== undefined;
		const once = isCrowded || this.wasDateSetBack ? 1 : 0;
		if (typeof renewedAfter !== 'number') return once;
		if (list.naturalOrder !== 'updatedAtDescending') return once + 1 + this.failures;
		return once + Math.ceil((time - START) / renewedAfter);
	}

	/**
	 * @throws Error if a list in which nothing changes but a renewed field still emits after three
	 *   renewals
	 */
	private async rest(): Promise<void> {
		const { tenant } = this;
		const { habits } = tenant;
		// Without a Date a state is over for the trigger when it is by our clock.
		tenant.clockSet.ours = 0;
		for (let renewals = 0; renewals < 5; renewals++) {
			tenant.pass(30 * HOUR);
			const came = await this.trigger.drain();
			// A few records without a time may be changed by somebody each time.
			const ofTimeless = tenant.current().get(habits.timeless ?? '');
			const again = came.filter((change) => change !== ofTimeless);
			if (renewals >= 3 && again.length > 0) throw new Error(`For ever: ${JSON.stringify(again)}`);
		}
	}

	/** @throws Error where a version that shows has not come out */
	async check(): Promise<void> {
		const { tenant, trigger } = this;
		await this.firstPoll();
		if (trigger.settings.triggerOn === 'removed') {
			await this.checkRemovals();
			return;
		}
		await trigger.drain();
		const out = new Set(trigger.emitted);
		const isCreated = trigger.settings.triggerOn === 'created';
		const shown = isCreated ? tenant.creations() : tenant.current();
		const lost = [...shown].filter(
			([id, change]) => !out.has(change) && !this.quiet.has(change) && !this.isExempt(id),
		);
		if (lost.length > 0) throw new Error(`Lost: ${JSON.stringify(lost)}`);
	}

	private async checkRemovals(): Promise<void> {
		const { tenant, trigger } = this;
		// The first readings may complete one that was under way; six in a row prove a removal in any
		// case.
		for (let complete = 0, polls = 0; complete < 9 && polls < 200; polls++) {
			await trigger.poll();
			if (!trigger.isReading) complete++;
		}
		const told = new Set(trigger.emitted.map((number) => name(number)));
		const present = new Set(tenant.ids);
		const lost = [...this.met].filter((id) => !present.has(id) && !told.has(id));
		if (lost.length > 0) throw new Error(`Removals lost: ${JSON.stringify(lost)}`);
		const wrong = [...told].filter((id) => !this.left.has(id));
		if (wrong.length > 0) throw new Error(`Removals made up: ${JSON.stringify(wrong)}`);
	}

	private isExempt(id: string): boolean {
		const { habits, settings } = this.history;
		// A filter that leaves such users out is noticed only if one of the first pages shows one when
		// the trigger begins.
		const isAsked = this.trigger.cursor?.list?.reads === 'changes';
		const isHidden = habits.list.neverUpdated === 'notFound' && this.tenant.isNeverUpdated(id);
		if (isHidden && isAsked && !this.trigger.hasSeenNeverUpdated) return true;
		const { triggerOn } = settings;
		// Without a time, changes of this user cannot be asked for.
		if (id === habits.timeless && this.trigger.cursor?.list?.reads !== 'comparison') return true;
		// Only the time of its creation tells whether a user that left the list and came back is the
		// same.
		const showsCreation = habits.showsCreation && id !== habits.timeless;
		const isUnsure = triggerOn === 'updated' || (triggerOn === 'created' && !showsCreation);
		return isUnsure && this.left.has(id);
	}

	/** Each time what came out is past the overlap, in any zone, there is room for others. */
	private async waitForRoom(): Promise<void> {
		await this.firstPoll();
		for (let day = 0; day < 10; day++) {
			this.tenant.pass(2 * DAY);
			await this.trigger.drain();
		}
	}

	private async do(step: Step): Promise<void> {
		const { tenant, trigger } = this;
		switch (step.kind) {
			case 'change':
			case 'remove':
			case 'clamp':
				this.move(step);
				break;
			case 'pass':
				tenant.pass(step.time);
				break;
			case 'poll':
				await this.poll(step);
				break;
			case 'overlappingPolls':
				await this.firstPoll();
				// The scheduler of n8n gives a poll to one process at a time.
				if (this.history.host !== 'process') await trigger.poll();
				else await Promise.all([trigger.poll(), trigger.poll()]);
				break;
			case 'setClock':
				// Without a Date nothing tells that our clock was set while a first reading goes over
				// several polls.
				if (!this.history.habits.dateHeader && this.history.pages !== undefined) break;
				// A Date that is off by more than two hours is not that of the clock that stamps changes.
				if (step.which === 'date' && this.isFarOff(step.by)) break;
				// If both are set alike between two polls, they only seem to be farther apart.
				if (
					trigger.hidesClock({
						...tenant.clockSet,
						[step.which]: tenant.clockSet[step.which] + step.by,
					})
				)
					break;
				tenant.clockSet[step.which] += step.by;
				if (step.which === 'date' && step.by < 0) this.wasDateSetBack = true;
				break;
			case 'copy':
				this.copy = await tenant.copyList();
				break;
			case 'lateAnswers':
				if (this.copy === undefined || tenant.time - this.copy.showsAllBefore > OVERLAP) break;
				await this.firstPoll();
				this.hasAnsweredLate = true;
				await tenant.answeredBy(this.copy, async () => await trigger.poll());
				break;
			case 'neighbour':
				await this.neighbour.poll();
				break;
			case 'restart':
				this.restart();
				break;
			case 'check':
				await this.check();
		}
	}

	/** Within it all changes may be shown with one time. */
	private get timeUnit(): number {
		const { timeUnit, updatedAtFormat } = this.history.habits.list;
		if (updatedAtFormat === 'isoDate' || timeUnit === 'day') return DAY;
		return timeUnit === 'hour' ? HOUR : MINUTE;
	}

	private isFarOff(by: number): boolean {
		const { clockSet, habits } = this.tenant;
		return Math.abs(habits.dateAhead + clockSet.date + by) > 2 * HOUR;
	}

	private restart(): void {
		// What was met since n8n saved the last time is met for the first time again.
		this.met = new Set(this.savedMet);
		this.isFirstReading = this.isFirstReadingSaved;
		this.trigger.restart();
		this.neighbour.restart();
	}

	private move(move: Move): void {
		const { tenant } = this;
		if (move.kind === 'clamp') {
			tenant.set({ maxPageSize: move.maxPageSize });
			return;
		}
		if (move.kind === 'remove') {
			const id = name(move.user);
			if (tenant.ids.includes(id)) this.left.set(id, (this.left.get(id) ?? 0) + 1);
			tenant.remove(id);
			return;
		}
		// An ID is not used again within a time that is written the same.
		if (this.left.has(name(move.user)) && !tenant.ids.includes(name(move.user)))
			tenant.pass(this.timeUnit);
		// Many users change within one millisecond, but none twice.
		if (this.lastChange.get(move.user) === tenant.time) tenant.pass(1);
		this.lastChange.set(move.user, tenant.time);
		tenant.change(name(move.user), move.delay);
	}

	/** The first poll is a plain one: it decides which versions count. */
	private async firstPoll(): Promise<void> {
		if (this.started) return;
		const { tenant, trigger } = this;
		this.started = true;
		const { acceptsUpdatedSince, startDate, triggerOn } = trigger.settings;
		const isPlain = acceptsUpdatedSince && triggerOn === 'createdOrUpdated';
		const before =
			startDate === undefined ? tenant.current().values() : tenant.changedBefore(startDate);
		for (const change of before) this.quiet.add(change);
		// Of a first reading that takes several polls it is not known what showed late of before.
		if (startDate === undefined && (this.history.pages !== undefined || !isPlain)) {
			for (const change of tenant.changedBefore(tenant.time + 1)) this.quiet.add(change);
		}
		for (const created of tenant.creations().values()) this.quiet.add(created);
		const newest = tenant.newestBy(triggerOn === 'created' ? 'createdAt' : 'updatedAt');
		const came = await trigger.poll();
		// Of a list of several pages it is not known which changes of the last second were made while
		// it was read.
		const isEarly = startDate === undefined && came.some((change) => !newest.has(change));
		if (isEarly) throw new Error('The first poll gave users of before.');
		// Reading a page takes longer than a tick of the clock.
		if (this.history.pages !== undefined) tenant.pass(1);
	}

	/** What need not come out, because the trigger met it as something that was there or was new. */
	private noteMet(met: MetChanges): void {
		const { tenant, trigger } = this;
		const { comparison, list, since } = trigger.cursor ?? {};
		const isCompared = list?.reads === 'comparison';
		const isFirst = isCompared && this.isFirstReading;
		this.isFirstReading = isFirst && comparison?.hasBeenRead === false;
		const creations = tenant.creations();
		for (const [id, changes] of met) {
			const isNew = trigger.settings.triggerOn === 'updated' && !this.met.has(id);
			for (const change of isFirst || isNew ? changes : []) this.quiet.add(change);
			const created = creations.get(id);
			if (isFirst && created !== undefined) this.quiet.add(created);
			this.met.add(id);
		}
		// Nobody is asked for who was created before all that was returned.
		if (!isCompared && since !== undefined) {
			const unsure = this.history.habits.list.updatedAtFormat === 'isoLocal' ? 27 * HOUR : 0;
			const before = since.time - unsure - this.timeUnit;
			for (const id of tenant.createdBefore(before)) this.met.add(id);
		}
		if (trigger.saves > this.saves) {
			this.savedMet = new Set(this.met);
			this.isFirstReadingSaved = this.isFirstReading;
		}
		this.saves = trigger.saves;
	}

	private async poll(step: Extract<Step, { kind: 'poll' }>): Promise<void> {
		const { tenant, trigger } = this;
		if (!this.started) {
			await this.firstPoll();
			return;
		}
		let request = 0;
		tenant.pagesPerPoll = Math.min(step.pages, this.history.pages ?? Infinity);
		tenant.beforePage = async () => {
			const next = step.moves[request++];
			if (next) this.move(next);
			if (request === step.failsAt) {
				this.failures++;
				if (step.late) await new Promise((resolve) => setImmediate(resolve));
				throw new ServiceFailure('The service failed.', 'Try again.', {
					kind: 'service',
					statusCode: 500,
				});
			}
		};
		try {
			const came = await trigger.poll({ killedBeforeSaving: step.killed });
			if (!step.killed) return;
			for (const change of came) this.unsaved.set(change, (this.unsaved.get(change) ?? 0) + 1);
			this.restart();
		} catch (error) {
			if (step.failsAt === null || !(error instanceof ServiceFailure)) throw error;
		} finally {
			tenant.beforePage = undefined;
			tenant.pagesPerPoll = this.history.pages ?? Infinity;
		}
	}
}

function name(user: number): string {
	return `user-${user}`;
}
