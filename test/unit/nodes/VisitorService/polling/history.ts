import type { PollSettings } from '../../../../../nodes/VisitorService/polling/pollUsers';
import { ServiceFailure } from '../../../../../nodes/VisitorService/transport/serviceFailure';
import fc from '../../../../properties';
import {
	type Habits,
	HOUR,
	MINUTE,
	plainHabits,
	SECOND,
	SimulatedTenant,
	START,
} from './simulatedTenant';
import { SimulatedTrigger } from './simulatedTrigger';

const DAY = 24 * HOUR;

type Move = { kind: 'change'; user: number; delay: number } | { kind: 'remove'; user: number };

type Step =
	| Move
	| { kind: 'pass'; time: number }
	/**
	 * `moves` happen while the poll reads, one before each page; `failsAt` counts requests; `killed` = the process
	 * ends between giving and saving.
	 */
	| {
			kind: 'poll';
			moves: Array<Move | null>;
			failsAt: number | null;
			pages: number;
			killed: boolean;
	  }
	| { kind: 'overlappingPolls' }
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
const stepWith = (killed: fc.Arbitrary<boolean>): fc.Arbitrary<Step> =>
	fc.oneof(
		{ weight: 8, arbitrary: move },
		{
			weight: 5,
			arbitrary: fc.record({
				kind: fc.constant('pass' as const),
				time: fc.constantFrom(1, 300, SECOND, 20 * SECOND, MINUTE, 6 * MINUTE, HOUR, DAY),
			}),
		},
		{
			weight: 6,
			arbitrary: fc.record({
				kind: fc.constant('poll' as const),
				moves: fc.array(fc.option(move, { freq: 1 }), { maxLength: 6 }),
				failsAt: fc.option(fc.integer({ min: 1, max: 6 }), { freq: 5 }),
				pages: fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 4 })),
				killed,
			}),
		},
		{ weight: 1, arbitrary: fc.constant({ kind: 'overlappingPolls' as const }) },
		{ weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
		{ weight: 1, arbitrary: fc.constant({ kind: 'check' as const }) },
	);

const habits: fc.Arbitrary<Habits> = fc.record({
	order: fc.constantFrom('insertion', 'id', 'oldestFirst', 'newestFirst'),
	shown: fc.constantFrom('milliseconds', 'seconds', 'epochMs', 'epochS', 'offset', 'withoutZone'),
	zone: fc.constantFrom(0, 60, -300, 345, 840, -720),
	filter: fc
		.record({
			ignored: fc.boolean(),
			inclusive: fc.boolean(),
			unit: fc.constantFrom(1, SECOND, MINUTE),
			ahead: fc.constant(0),
			reads: fc.constant('all' as const),
			refusesFuture: fc.boolean(),
		})
		.map((filter) => ({ ...filter, refusesFuture: filter.refusesFuture && !filter.ignored })),
	format: fc.constantFrom('iso', 'epochMs', 'epochS'),
	clamp: fc.integer({ min: 2, max: 6 }),
	total: fc.boolean(),
	dateHeader: fc.boolean(),
	dateAhead: fc.constantFrom(0, -HOUR, HOUR),
	ourClockAhead: fc.constantFrom(0, -HOUR, HOUR),
	volatileField: fc.constant(false),
	fields: fc.constant(plainHabits.fields),
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
}

const historyWith = (killed: fc.Arbitrary<boolean>): fc.Arbitrary<History> =>
	fc.record({
		habits,
		settings,
		before,
		steps: fc.array(stepWith(killed), { minLength: 5, maxLength: 30 }),
	});

export const history = historyWith(fc.constant(false));

/** Histories in which the process is killed after every other poll. */
export const crashingHistory = historyWith(fc.boolean());

/** Histories with more changes than the cursor has room for; what waits comes out once the overlap is over. */
export const crowdedHistory = fc
	.tuple(history, fc.integer({ min: 2, max: 6 }))
	.map(([history, mostSeen]): History => {
		const steps = history.steps.filter(({ kind }) => kind !== 'check');
		return { ...history, settings: { ...history.settings, mostSeen }, steps };
	});

interface Round {
	changes: number[];
	/** Of each poll. */
	moves: Array<Array<Move | null>>;
	pause: number;
}

const moves = fc.array(fc.option(movingMove, { freq: 4 }), { minLength: 6, maxLength: 12 });

/** Histories in which the list moves under nearly every page, and changes are older than the overlap when first read. */
export const movingHistory: fc.Arbitrary<History> = fc.record({
	habits: habits.map((habits) => ({
		...habits,
		clamp: 2,
		shown: 'milliseconds' as const,
		filter: plainHabits.filter,
	})),
	settings: fc.constant({ overlap: OVERLAP, pageSize: 2, maxItems: 10_000 }),
	before: fc.constant([]),
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
			{ kind: 'poll', moves, failsAt: null, pages: Infinity, killed: false },
		]),
	];
}

/** Plays one history. */
export class Run {
	readonly tenant: SimulatedTenant;

	readonly trigger: SimulatedTrigger;

	/** Changes that the first poll may keep to itself. */
	private quiet = new Set<number>();

	private started = false;

	/** Changes that came out of a process that was killed before it saved. */
	private readonly unsaved = new Set<number>();

	private readonly lastChange = new Map<number, number>();

	constructor(private readonly history: History) {
		this.tenant = new SimulatedTenant(history.habits);
		this.trigger = new SimulatedTrigger(this.tenant, history.settings);
	}

	async play(): Promise<void> {
		const { tenant, history } = this;
		for (const { user, age } of history.before) tenant.change(name(user), 0, START - age);
		tenant.pass(SECOND);
		for (const step of history.steps) await this.do(step);
		tenant.pass(OVERLAP + HOUR);
		if (history.settings.mostSeen !== undefined) await this.waitForRoom();
		await this.check();
	}

	/** After a crash, and where a late change takes the room of a newer one that came out already. */
	mayRepeat(change: number): boolean {
		return this.unsaved.has(change) || this.history.settings.mostSeen !== undefined;
	}

	/** @throws Error where a version that shows has not come out */
	async check(): Promise<void> {
		const { tenant, trigger } = this;
		await this.firstPoll();
		await trigger.drain(200);
		const out = new Set(trigger.emitted);
		const lost = [...tenant.current()].filter(
			([, change]) => !out.has(change) && !this.quiet.has(change),
		);
		if (lost.length > 0) throw new Error(`Lost: ${JSON.stringify(lost)}`);
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
				await Promise.all([trigger.poll(), trigger.poll()]);
				break;
			case 'restart':
				trigger.restart();
				break;
			case 'check':
				await this.check();
		}
	}

	private move(move: Move): void {
		const { tenant } = this;
		if (move.kind === 'remove') {
			tenant.remove(name(move.user));
			return;
		}
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
		const { startDate } = trigger.settings;
		if (startDate === undefined) this.quiet = new Set(tenant.current().values());
		else this.quiet = tenant.changedBefore(startDate);
		const came = await trigger.poll();
		if (startDate === undefined && came.length > 0) throw new Error('The first poll gave users.');
	}

	private async poll(step: Extract<Step, { kind: 'poll' }>): Promise<void> {
		const { tenant, trigger } = this;
		if (!this.started) {
			await this.firstPoll();
			return;
		}
		let request = 0;
		tenant.pagesPerPoll = step.pages;
		tenant.beforePage = () => {
			const next = step.moves[request++];
			if (next) this.move(next);
			if (request === step.failsAt) {
				throw new ServiceFailure('The service failed.', 'Try again.', {
					kind: 'service',
					statusCode: 500,
				});
			}
		};
		try {
			const came = await trigger.poll({ killedBeforeSaving: step.killed });
			if (!step.killed) return;
			for (const change of came) this.unsaved.add(change);
			trigger.restart();
		} catch (error) {
			// Of a list that moves the listing may say that it cannot be read. Nothing is lost by that either.
			const isExpected = step.failsAt !== null || step.moves.some((move) => move !== null);
			if (!isExpected || !(error instanceof ServiceFailure)) throw error;
		} finally {
			tenant.beforePage = undefined;
			tenant.pagesPerPoll = Infinity;
		}
	}
}

function name(user: number): string {
	return `user-${user}`;
}
