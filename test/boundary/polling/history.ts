import {
	DAY,
	HOUR,
	MINUTE,
	type PolledService,
	polledService,
	SECOND,
} from '../../drawn/polledService';
import type { HostKind } from '../../host/publishedWorkflow';
import fc from '../../properties';
import type { Fault, Resource } from '../../reference-service';

export const OVERLAP = 5 * MINUTE;

export type TriggerOn = 'createdOrUpdated' | 'created' | 'updated' | 'removed' | 'startsToMatch';

export interface Trigger {
	resource: Resource;
	triggerOn: TriggerOn;
	/** Milliseconds before publishing; null = from now on. */
	startsBefore: number | null;
	maxItems: number;
	pageSize: number;
	/** If Page Size is not set: the size that is tried after that of the first page. */
	largerPageSize?: number;
}

/** How a change is dated: ahead of all clocks, or by what stands for no time. */
export type Dated = 'hoursAhead' | 'daysAhead' | 'never';

export type Act =
	/** `delay`: milliseconds until the list shows it. */
	| { kind: 'change'; record: number; delay: number; dated?: Dated }
	| { kind: 'remove'; record: number }
	/** From now on the service returns no larger pages. */
	| { kind: 'clamp'; maxPageSize: number };

/** What happens while a poll reads. */
export interface Meanwhile {
	/** One before each page. */
	acts: Array<Act | null>;
	/** One of the list requests gets a response so; counted from 0. */
	fault: { request: number; fault: Fault } | null;
	/** Milliseconds each response takes. */
	latency: number;
}

export type Step =
	| Act
	| { kind: 'pass'; time: number }
	/** `dies`: the process ends after the workflow was started, and before the place is stored. */
	| ({ kind: 'poll'; dies: boolean } & Meanwhile)
	/** Two polls at the same time. */
	| { kind: 'overlappingPolls' }
	/** Another trigger of the same workflow. */
	| { kind: 'neighbour' }
	| { kind: 'restart' }
	/** `service`: the clock that stamps changes, and shows in `Date`. */
	| { kind: 'setClock'; of: 'n8n' | 'date' | 'service'; by: number }
	/** The service stamps changes by a clock that is set back; `Date` is right. */
	| { kind: 'setStampsBack'; by: number }
	/** The service keeps a copy of its list; and once responds from it. */
	| { kind: 'copy' }
	| { kind: 'respondFromCopy' }
	/** From now on the service reads `updatedSince` otherwise. */
	| { kind: 'misread'; how: 'asLater' | 'ignored' }
	/** From now on a field differs in each response. */
	| { kind: 'renew'; ofState: 'arrived' | null }
	/** Nothing else happens until everything has come out that shows. */
	| { kind: 'rest' };

export interface History {
	service: PolledService;
	trigger: Trigger;
	host: HostKind;
	/** Changes of before publishing, and how old they are then. */
	before: Array<{ record: number; age: number }>;
	/** Milliseconds each response takes while the first reading lasts. */
	firstLatency: number;
	/** What happens while the workflow is published, one before each page. */
	firstActs?: Array<Act | null>;
	steps: Step[];
}

export const CALM_POLL: Extract<Step, { kind: 'poll' }> = {
	kind: 'poll',
	dies: false,
	acts: [],
	fault: null,
	latency: 0,
};

/** Nothing unusual happens. */
export const plain: History = {
	service: {
		list: { metadata: ['total', 'pageSize'] },
		dateHeader: true,
		dateAhead: 0,
		n8nAhead: 0,
		ids: 'text',
		undated: null,
		format: 'iso',
	},
	trigger: {
		resource: 'users',
		triggerOn: 'createdOrUpdated',
		startsBefore: null,
		maxItems: 10_000,
		pageSize: 100,
	},
	host: 'process',
	before: [
		{ record: 1, age: 6 * HOUR },
		{ record: 2, age: 3 * HOUR },
	],
	firstLatency: 0,
	steps: [],
};

const withList = (list: PolledService['list']): PolledService => ({
	...plain.service,
	list: { ...plain.service.list, ...list },
});

/**
 * Shrunken from a trigger that took the age of the newest change for the zone of a clock. It
 * started a workflow for record 2, and for 40,521 users of a bulk import of the night.
 */
export const slowFirstReading: History = {
	...plain,
	trigger: { ...plain.trigger, pageSize: 2 },
	before: [
		{ record: 0, age: 6 * HOUR },
		{ record: 1, age: 6 * HOUR },
		{ record: 2, age: 6 * HOUR },
	],
	// n8n leaves time for a few pages.
	firstLatency: 25 * SECOND,
	steps: [CALM_POLL, CALM_POLL],
};

/**
 * Shrunken from a trigger that went on with page 1 in the size it had asked for, although page 0
 * came in a smaller one: it skipped a record, which then came out although it is of before.
 */
export const cutPagesWhileSlow: History = {
	...plain,
	service: withList({ maxPageSize: 3 }),
	trigger: { ...plain.trigger, pageSize: 4 },
	before: Array.from({ length: 7 }, (_, record) => ({ record, age: 6 * HOUR })),
	// n8n leaves time for a few pages.
	firstLatency: 25 * SECOND,
	steps: [{ ...CALM_POLL, fault: { request: 0, fault: 'reset' } }],
};

/**
 * Shrunken from a trigger that had no time to look for users never updated, and took it that there
 * are none: the service does not find them, so that none ever came out.
 */
export const neverUpdatedOutOfSight: History = {
	...plain,
	service: withList({ maxPageSize: 2, neverUpdated: 'notFound' }),
	host: 'durable',
	before: [0, 1, 0, 1, 2].map((record, at) => ({ record, age: (6 - at) * HOUR })),
	steps: [{ ...CALM_POLL, latency: 7 * SECOND }],
};

/**
 * Shrunken from a trigger that took a page which came twice in one reading for two readings. A copy
 * behind the first reading started a workflow with a state of before publishing.
 */
export const pageOfCopyTwice: History = {
	...plain,
	service: withList({ naturalOrder: 'insertion' }),
	trigger: { ...plain.trigger, pageSize: 2 },
	before: [
		{ record: 5, age: 1 },
		{ record: 0, age: 6 * HOUR },
		{ record: 1, age: 6 * HOUR },
	],
	steps: [
		{ kind: 'copy' },
		{ kind: 'change', record: 5, delay: 0 },
		{ kind: 'respondFromCopy' },
		{ kind: 'change', record: 0, delay: 0 },
	],
};

/** Shrunken from a trigger that took a state without an update time for newer than any with one. */
export const neverUpdatedInCopy: History = {
	...plain,
	service: withList({ neverUpdated: 'notFound' }),
	trigger: { ...plain.trigger, resource: 'tasks' },
	before: [{ record: 4, age: 1 }],
	steps: [
		CALM_POLL,
		{ kind: 'copy' },
		{ kind: 'change', record: 4, delay: 0 },
		CALM_POLL,
		{ kind: 'respondFromCopy' },
	],
};

/** Shrunken from a trigger that took a creation and an update for ones in different zones. */
export const updatedInUnknownZone: History = {
	...plain,
	service: withList({ updatedAtFormat: 'isoLocal', neverUpdated: 'notFound' }),
	trigger: { ...plain.trigger, triggerOn: 'updated' },
	before: [{ record: 0, age: 0 }],
	steps: [{ kind: 'change', record: 0, delay: 0 }],
};

/** Shrunken from a trigger that looked again, and took times cut to hours for ones cut to days. */
export const cutAlikeByChance: History = {
	...plain,
	service: withList({ timeUnit: 'hour' }),
	before: [3, 0].map((record) => ({ record, age: record * 2 * HOUR + MINUTE })),
	steps: [
		{ kind: 'pass', time: 2 * DAY },
		CALM_POLL,
		{ kind: 'change', record: 3, delay: 0 },
		{ kind: 'pass', time: DAY },
	],
};

/** Shrunken from a trigger that asked for a time which the clock of the service had not reached. */
export const stampedAhead: History = {
	...plain,
	service: withList({ updatedSince: { rejectsFuture: true } }),
	before: [],
	steps: [{ kind: 'setClock', of: 'date', by: -HOUR }],
};

/**
 * Shrunken from a trigger that failed because each page was the first one again: between them, so
 * many records moved to the beginning of the list.
 */
export const pagesLikeTheFirst: History = {
	...plain,
	service: withList({ naturalOrder: 'updatedAtDescending' }),
	trigger: { ...plain.trigger, triggerOn: 'startsToMatch', pageSize: 2 },
	before: Array.from({ length: 8 }, (_, record) => ({ record, age: 6 * HOUR - record })),
	steps: [
		CALM_POLL,
		{
			...CALM_POLL,
			acts: [2, 0, 1, null, 4, 7].map((record) =>
				record === null ? null : { kind: 'change', record, delay: 0 },
			),
		},
	],
};

/**
 * Shrunken from a trigger that looked for fields which differ in each response when a record first
 * seemed to be updated. The service failed just then, and a creation came out.
 */
export const renewedWhileFailing: History = {
	...plain,
	service: { ...withList({ renewed: { every: 'response', as: 'path' } }), undated: 7 },
	trigger: { ...plain.trigger, resource: 'companies', triggerOn: 'updated' },
	steps: [
		CALM_POLL,
		{ kind: 'change', record: 7, delay: 0 },
		CALM_POLL,
		{ ...CALM_POLL, fault: { request: 1, fault: { status: 500 } } },
	],
};

/**
 * Shrunken from a trigger that took an updated user for a new one, because it had not seen the
 * creation, four minutes ago: the service finds no users never updated.
 */
export const createdOutOfSight: History = {
	...plain,
	service: withList({ neverUpdated: 'notFound' }),
	trigger: { ...plain.trigger, triggerOn: 'updated' },
	before: [6, 3].map((hours) => ({ record: 1, age: hours * HOUR })),
};

/**
 * Shrunken from a trigger that could not be published, because a user who was created just then
 * took the place of the one by which it tried `updatedSince`.
 */
export const createdWhilePublishing: History = {
	...plain,
	service: withList({ naturalOrder: 'updatedAtDescending', neverUpdated: 'null' }),
	trigger: { ...plain.trigger, pageSize: 2 },
	before: [
		{ record: 1, age: 3 * HOUR },
		{ record: 1, age: 1 },
	],
	steps: [
		{ kind: 'change', record: 6, delay: 0 },
		{ ...CALM_POLL, acts: [null, { kind: 'change', record: 7, delay: 0 }] },
	],
};

/**
 * Shrunken from a trigger that took it for enough that the filter found users created after the one
 * by whose time it had asked: it is 20 hours behind, and found nobody later.
 */
export const filterBehindCreations: History = {
	...plain,
	service: withList({
		...{ maxPageSize: 2, neverUpdated: 'null' },
		updatedSince: { aheadMs: -20 * HOUR },
	}),
	before: [0, 1].map((record) => ({ record, age: 6 * HOUR })),
	steps: [
		{ kind: 'pass', time: DAY },
		...[2, 3].map((record): Step => ({ kind: 'change', record, delay: 0 })),
	],
};

/** Shrunken from one that took a day, by which it asks earlier if times are days, for no delay. */
export const filterBehindWithinDay: History = {
	...plain,
	service: withList({ timeUnit: 'day', updatedSince: { aheadMs: -20 * HOUR } }),
	trigger: { ...plain.trigger, triggerOn: 'created' },
	before: [],
	steps: [
		{ kind: 'change', record: 0, delay: 0 },
		{ kind: 'pass', time: DAY },
		CALM_POLL,
		{ kind: 'change', record: 0, delay: 0 },
	],
};

/** Shrunken from one that looked again, and took times that were round by chance for cut ones. */
export const roundByChance: History = {
	...plain,
	service: withList({
		...{ naturalOrder: 'updatedAtDescending', timeUnit: 'min' },
		updatedSince: { maxAgeMs: HOUR },
	}),
	trigger: { ...plain.trigger, pageSize: 2 },
	before: [
		{ record: 0, age: 1 },
		{ record: 2, age: 6 * HOUR },
	],
	steps: [
		{ kind: 'change', record: 3, delay: OVERLAP },
		{ kind: 'rest' },
		{ kind: 'pass', time: DAY },
		{ kind: 'change', record: 0, delay: OVERLAP },
		{ kind: 'change', record: 1, delay: 0 },
	],
};

/** Shrunken from one that asked for nothing a day later, as it had already asked from as early. */
export const misreadWithoutDate: History = {
	...plain,
	service: { ...withList({ neverUpdated: 'null' }), dateHeader: false },
	trigger: { ...plain.trigger, pageSize: 2 },
	before: [],
	firstLatency: 7 * SECOND,
	steps: [
		{ kind: 'change', record: 0, delay: 0 },
		{ kind: 'change', record: 1, delay: 0 },
		CALM_POLL,
		{ kind: 'misread', how: 'asLater' },
		{ kind: 'overlappingPolls' },
	],
};

/** Shrunken from one that counted anew, at each poll of the first reading, what times show. */
export const movedBetweenFirstPolls: History = {
	...plain,
	service: withList({ naturalOrder: 'updatedAt' }),
	trigger: { ...plain.trigger, triggerOn: 'created', pageSize: 3 },
	host: 'durable',
	before: [
		{ record: 4, age: 6 * HOUR },
		{ record: 0, age: MINUTE },
		{ record: 2, age: 6 * HOUR },
		{ record: 3, age: MINUTE },
	],
	firstLatency: 7 * SECOND,
	steps: [
		{ kind: 'change', record: 1, delay: 0 },
		{ kind: 'change', record: 2, delay: OVERLAP },
		CALM_POLL,
	],
};

/** Shrunken from one that took times for exact until one shows: here they are days of a zone. */
export const firstTimesOfDays: History = {
	...plain,
	service: {
		...withList({ updatedAtFormat: 'isoLocal', timeUnit: 'day', zoneOffsetMinutes: -300 }),
		undated: 7,
	},
	trigger: { ...plain.trigger, resource: 'companies' },
	before: [{ record: 7, age: 6 * HOUR }],
	steps: [CALM_POLL, { kind: 'change', record: 0, delay: 0 }],
};

/** Shrunken from one that took an equal time, of a full minute, for a later one. */
export const missedWithinMinute: History = {
	...plain,
	service: withList({ naturalOrder: 'updatedAt', timeUnit: 'min' }),
	trigger: { ...plain.trigger, pageSize: 2 },
	before: [],
	firstLatency: 25 * SECOND,
	steps: [
		...[0, 1, 2].map((record): Step => ({ kind: 'change', record, delay: 0 })),
		CALM_POLL,
		{ kind: 'change', record: 0, delay: OVERLAP },
	],
};

/** Shrunken from a trigger that failed as long as no user showed a time that may be one. */
export const firstDatedNever: History = {
	...plain,
	service: withList({ createdAtField: null }),
	before: [],
	steps: [
		CALM_POLL,
		{ kind: 'change', record: 0, delay: 0, dated: 'never' },
		CALM_POLL,
		{ kind: 'change', record: 1, delay: 0 },
	],
};

/** Shrunken from a trigger that took an update for none, because the creation was dated later. */
export const createdDaysAhead: History = {
	...plain,
	before: [],
	steps: [
		{ kind: 'change', record: 0, delay: 0, dated: 'daysAhead' },
		{ kind: 'rest' },
		{ kind: 'change', record: 0, delay: 1 },
	],
};

/** The same of Updated, if the service shows a time of before 2002 for no update. */
export const updatedDaysBefore: History = {
	...createdDaysAhead,
	service: {
		...plain.service,
		list: { ...plain.service.list, neverUpdated: 'null', neverUpdatedAs: '2001-01-01T00:00:00Z' },
	},
	trigger: { ...plain.trigger, triggerOn: 'updated' },
};

/** Shrunken from one that could not tell the ID, because a user came on two pages of a look. */
export const movedWhileLooking: History = {
	...plain,
	service: { ...withList({ maxPageSize: 4, pageBeyondEnd: 'error' }), undated: 7 },
	before: [],
	steps: [
		{ kind: 'change', record: 0, delay: 14_001 },
		{ kind: 'change', record: 7, delay: 0 },
		{ kind: 'poll', dies: false, acts: [], fault: null, latency: 7_000 },
	],
};

/** Shrunken from one in which a user of the year 9999 hid that users never updated are left out. */
export const foundByYear9999: History = {
	...plain,
	service: withList({ neverUpdated: 'notFound' }),
	before: [],
	steps: [
		{ kind: 'change', record: 0, delay: 0, dated: 'never' },
		{ kind: 'change', record: 1, delay: 0 },
	],
};

/** Shrunken from one that did not find what waits: `Date` and the filter are behind. */
export const waitingBehind: History = {
	...plain,
	service: {
		...withList({ updatedSince: { aheadMs: -50 * MINUTE } }),
		dateAhead: -HOUR,
	},
	trigger: { ...plain.trigger, maxItems: 1 },
	before: [],
	firstLatency: 7_000,
	steps: [
		{ kind: 'change', record: 0, delay: 0 },
		{ kind: 'rest' },
		{ kind: 'change', record: 0, delay: 1 },
		{ kind: 'change', record: 1, delay: 1 },
	],
};

const record = fc.nat(7);
const delay = fc.oneof(
	{ weight: 3, arbitrary: fc.constant(0) },
	{ weight: 1, arbitrary: fc.integer({ min: 1, max: OVERLAP }) },
	{ weight: 1, arbitrary: fc.constant(OVERLAP) },
);
const change: fc.Arbitrary<Act> = fc.record({
	kind: fc.constant('change' as const),
	record,
	delay,
});
const act: fc.Arbitrary<Act> = fc.oneof(
	{ weight: 12, arbitrary: change },
	{ weight: 3, arbitrary: fc.record({ kind: fc.constant('remove' as const), record }) },
	{
		weight: 1,
		arbitrary: fc.record({
			kind: fc.constant('clamp' as const),
			maxPageSize: fc.integer({ min: 1, max: 8 }),
		}),
	},
);
const pass: fc.Arbitrary<Step> = fc.record({
	kind: fc.constant('pass' as const),
	time: fc.constantFrom(MINUTE, 6 * MINUTE, HOUR, DAY, 20 * SECOND, SECOND, 300, 1),
});

const fault = fc.constantFrom<Fault>(
	{ status: 500 },
	{ status: 503, retryAfter: 120 },
	{ status: 429, retryAfter: 3600 },
	'reset',
	'truncatedJson',
	'html',
);

/** Of one response: none, or so long that a poll has time for a few pages only. */
const latency = fc.oneof(
	{ weight: 3, arbitrary: fc.constant(0) },
	{ weight: 1, arbitrary: fc.constantFrom(7 * SECOND, 3 * SECOND, 13 * SECOND, 25 * SECOND) },
);

const poll = (dies: fc.Arbitrary<boolean>): fc.Arbitrary<Step> =>
	fc.record({
		kind: fc.constant('poll' as const),
		dies,
		acts: fc.array(fc.option(act, { freq: 1 }), { maxLength: 6 }),
		fault: fc.option(fc.record({ request: fc.nat(5), fault }), { freq: 5, nil: null }),
		latency,
	});

const onlyOnce = fc.constant(false);
const common: Array<fc.WeightedArbitrary<Step>> = [
	{ weight: 16, arbitrary: change },
	{ weight: 12, arbitrary: poll(onlyOnce) },
	{ weight: 10, arbitrary: pass },
	{ weight: 4, arbitrary: act },
	{ weight: 2, arbitrary: fc.constant({ kind: 'rest' as const }) },
];
const rare: Array<fc.WeightedArbitrary<Step>> = [
	{ weight: 2, arbitrary: fc.constant({ kind: 'overlappingPolls' as const }) },
	{ weight: 2, arbitrary: fc.constant({ kind: 'neighbour' as const }) },
	{ weight: 2, arbitrary: fc.constant({ kind: 'restart' as const }) },
];
const steps = (more: Array<fc.WeightedArbitrary<Step>>) =>
	fc.array(fc.oneof({ withCrossShrink: true }, ...common, ...more), {
		minLength: 1,
		maxLength: 30,
		size: 'max',
	});

const trigger: fc.Arbitrary<Trigger> = fc
	.record({
		resource: fc.constantFrom<Resource>('users', 'users', 'users', 'companies', 'visits', 'tasks'),
		triggerOn: fc.constantFrom<TriggerOn>(
			'createdOrUpdated',
			'createdOrUpdated',
			'created',
			'updated',
			'removed',
			'startsToMatch',
		),
		startsBefore: fc.constantFrom(null, null, null, 30 * MINUTE, DAY),
		maxItems: fc.constantFrom(10_000, 3, 1),
		pageSize: fc.constantFrom(100, 8, 4, 3, 2),
		largerPageSize: fc.constantFrom(undefined, undefined, 5, 20),
	})
	.map((drawn) => {
		const hasStart = drawn.resource === 'users' && drawn.triggerOn === 'createdOrUpdated';
		return { ...drawn, startsBefore: hasStart ? drawn.startsBefore : null };
	});

const historyOf = (
	steps: fc.Arbitrary<Step[]>,
	service: fc.Arbitrary<PolledService> = polledService,
): fc.Arbitrary<History> =>
	fc
		.record({
			service,
			trigger,
			host: fc.constantFrom<HostKind>('process', 'process', 'durable', 'scheduler'),
			before: fc.array(fc.record({ record, age: fc.constantFrom(6 * HOUR, 3 * HOUR, MINUTE, 1) }), {
				maxLength: 8,
				size: 'max',
			}),
			firstLatency: latency,
			steps,
		})
		.map((history) => {
			const { service, trigger } = history;
			const { createdAheadMs, neverUpdated = 'dated', ...list } = service.list;
			// Else a creation by another clock is the update, or none.
			const isOwn = trigger.triggerOn === 'created' && neverUpdated === 'dated';
			return {
				...history,
				service: { ...service, list: { ...list, neverUpdated, ...(isOwn && { createdAheadMs }) } },
			};
		});

/** What happens all the time. */
export const usual = historyOf(steps(rare));

/** Little else than changes that show late, or within one tick of the clock, and many polls. */
export const appearing: fc.Arbitrary<History> = fc
	.record({
		service: polledService,
		trigger,
		steps: fc.array(
			fc.oneof(
				change,
				fc.constant<Step>({ kind: 'pass', time: MINUTE }),
				fc.constant<Step>(CALM_POLL),
			),
			{ minLength: 20, maxLength: 40, size: 'max' },
		),
	})
	.map(({ service: { list: drawn }, trigger, steps }) => {
		const { timeUnit, updatedAtFormat } = drawn;
		const list = { ...plain.service.list, timeUnit, updatedAtFormat };
		return {
			...plain,
			service: { ...plain.service, list },
			trigger: { ...trigger, startsBefore: null, pageSize: 100 },
			steps: [CALM_POLL, ...steps],
		};
	});

const ofMany = fc.nat(15);
const movingAct: fc.Arbitrary<Act> = fc.oneof(
	fc.record({ kind: fc.constant('change' as const), record: ofMany, delay: fc.constant(0) }),
	fc.record({ kind: fc.constant('remove' as const), record: ofMany }),
);
const movingPoll: fc.Arbitrary<Step> = fc.record({
	kind: fc.constant('poll' as const),
	dies: onlyOnce,
	acts: fc.array(fc.option(movingAct, { freq: 4 }), { minLength: 4, maxLength: 12, size: 'max' }),
	fault: fc.constant(null),
	latency: fc.constant(0),
});

/** A list of many pages moves under nearly every one, and changes are old when first read. */
export const moving = historyOf(
	fc.array(
		fc.oneof(
			{ weight: 4, arbitrary: movingAct },
			{ weight: 2, arbitrary: movingPoll },
			{ weight: 1, arbitrary: pass },
		),
		{ minLength: 10, maxLength: 40, size: 'max' },
	),
).map((history): History => {
	const { naturalOrder, metadata, updatedSince } = history.service.list;
	const maxPageSize = history.trigger.largerPageSize ?? 2;
	const list = { naturalOrder, metadata, updatedSince, maxPageSize };
	const before = Array.from({ length: 16 }, (_, record) => ({ record, age: 6 * HOUR }));
	const steps = [CALM_POLL, ...history.steps];
	return { ...history, service: { ...plain.service, list }, before, firstLatency: 0, steps };
});

/** The process ends between starting the workflow and storing the place. */
export const crashing = historyOf(
	steps([{ weight: 6, arbitrary: poll(fc.constant(true)) }, ...rare]),
);

/** Somebody sets the clock of n8n, or the one behind the `Date` header. */
export const settingClocks = historyOf(
	steps([
		...rare,
		{
			weight: 4,
			arbitrary: fc.record({
				kind: fc.constant('setClock' as const),
				of: fc.constantFrom('n8n' as const, 'date' as const),
				by: fc.constantFrom(HOUR, MINUTE, -MINUTE, -HOUR, -DAY),
			}),
		},
	]),
);

/** The clock that stamps changes is set back, and `Date` is not. */
export const stampingBack = historyOf(
	steps([
		...rare,
		{
			weight: 2,
			arbitrary: fc.record({
				kind: fc.constant('setStampsBack' as const),
				by: fc.constantFrom(MINUTE, HOUR, 2 * HOUR),
			}),
		},
	]),
);

/** The service responds once from a copy of its list that lags behind. */
export const lagging = historyOf(
	steps([
		...rare,
		{ weight: 3, arbitrary: fc.constant({ kind: 'copy' as const }) },
		{ weight: 4, arbitrary: fc.constant({ kind: 'respondFromCopy' as const }) },
	]),
	// States without a time, or of one time, cannot be told to be older.
	polledService.map((service) => ({
		...service,
		undated: null,
		list: { ...service.list, updatedAtFormat: 'iso', timeUnit: 'ms' },
	})),
);

/** The service comes to read `updatedSince` otherwise. */
export const misreading = historyOf(
	steps([
		...rare,
		{
			weight: 2,
			arbitrary: fc.record({
				kind: fc.constant('misread' as const),
				how: fc.constantFrom('asLater' as const, 'ignored' as const),
			}),
		},
	]),
);

const listOf = (
	service: PolledService,
	list: PolledService['list'],
	updatedSince: PolledService['list']['updatedSince'] = {},
): PolledService => ({
	...service,
	list: {
		...service.list,
		...list,
		updatedSince: { ...service.list.updatedSince, ...updatedSince },
	},
});

/** The service refuses to look back further than so many days; and times pass. */
export const lookingBack = historyOf(
	steps([
		...rare,
		{
			weight: 5,
			arbitrary: fc.record({
				kind: fc.constant('pass' as const),
				time: fc.constantFrom(DAY, 3 * DAY, 8 * DAY, 33 * DAY, 95 * DAY),
			}),
		},
	]),
	fc
		.tuple(polledService, fc.constantFrom(HOUR, 7 * DAY, 30 * DAY, 90 * DAY))
		.map(([service, maxAgeMs]) => listOf(service, {}, { maxAgeMs, ignored: false })),
).map((history): History => ({ ...history, trigger: { ...history.trigger, resource: 'users' } }));

/** A field differs in each response, in all records or in some, from the beginning or later on. */
export const renewing = historyOf(
	steps([
		...rare,
		{
			weight: 3,
			arbitrary: fc.record({
				kind: fc.constant('renew' as const),
				ofState: fc.constantFrom('arrived' as const, null),
			}),
		},
	]),
	fc
		.tuple(
			polledService,
			fc.constantFrom(null, 'arrived'),
			fc.constantFrom('isoSeconds', 'isoDate', 'iso'),
			fc.boolean(),
		)
		.map(([service, ofState, updatedAtFormat, isRenewed]) =>
			listOf(service, {
				updatedAtFormat: updatedAtFormat,
				renewed: isRenewed ? { every: 'response', as: 'path', ofState } : null,
			}),
		),
);

/** Records change, leave and move while the first reading goes from page to page. */
export const movingAtFirst = fc
	.tuple(
		moving,
		fc.array(fc.option(movingAct, { freq: 2 }), { minLength: 6, maxLength: 24, size: 'max' }),
	)
	.map(
		([history, firstActs]): History => ({
			...history,
			// Only times tell what is of before.
			trigger: { ...history.trigger, startsBefore: null },
			firstActs,
		}),
	);

/** Pages come in no order that stays. */
export const unordered = moving.map((history): History => {
	const service = listOf(history.service, { naturalOrder: 'none' });
	return { ...history, service };
});

/** Some changes are dated ahead of every clock, or by what stands for no time. */
export const datedOddly = historyOf(
	steps([
		...rare,
		{
			weight: 6,
			arbitrary: fc.record({
				kind: fc.constant('change' as const),
				record,
				delay: fc.constant(0),
				dated: fc.constantFrom<Dated>('hoursAhead', 'daysAhead', 'never'),
			}),
		},
	]),
	fc.tuple(polledService, fc.boolean()).map(([service, isNever]) =>
		listOf(
			service,
			// Of the two times one has to show.
			isNever && service.list.createdAtField !== null
				? { neverUpdated: 'null', neverUpdatedAs: '9999-12-31T23:59:59Z' }
				: {},
		),
	),
);

/** What the filter compares is behind what is shown. */
export const filterBehind = historyOf(
	steps(rare),
	fc
		.tuple(polledService, fc.constantFrom(62 * SECOND, 90 * SECOND, 50 * MINUTE, 20 * HOUR))
		.map(([service, behind]) =>
			listOf(service, {}, { aheadMs: -behind, ignored: false, rejectsFuture: false }),
		),
).map((history): History => ({ ...history, trigger: { ...history.trigger, resource: 'users' } }));

/** The clock of the service as a whole is set, back and forward, whatever zone its times are in. */
export const settingServiceClock = historyOf(
	steps([
		...rare,
		{
			weight: 3,
			arbitrary: fc.record({
				kind: fc.constant('setClock' as const),
				of: fc.constant('service' as const),
				by: fc.constantFrom(2 * HOUR, HOUR, MINUTE, -MINUTE, -HOUR, -2 * HOUR),
			}),
		},
	]),
);
