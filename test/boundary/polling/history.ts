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

type Kind = Step['kind'];
type StepOf<K extends Kind> = Extract<Step, { kind: K }>;
/** What is drawn of a step. */
type Drawn<Fields> = { [Name in keyof Fields]: fc.Arbitrary<Fields[Name]> };

const stepOf = <K extends Kind>(kind: K, drawn: Drawn<Omit<StepOf<K>, 'kind'>>) =>
	fc.record({ kind: fc.constant(kind), ...drawn }) as fc.Arbitrary<StepOf<K>>;

const record = fc.nat(7);
const delay = fc.oneof(
	{ weight: 3, arbitrary: fc.constant(0) },
	{ weight: 1, arbitrary: fc.integer({ min: 1, max: OVERLAP }) },
	{ weight: 1, arbitrary: fc.constant(OVERLAP) },
);
const change = stepOf('change', { record, delay });
const act: fc.Arbitrary<Act> = fc.oneof(
	{ weight: 12, arbitrary: change },
	{ weight: 3, arbitrary: stepOf('remove', { record }) },
	{ weight: 1, arbitrary: stepOf('clamp', { maxPageSize: fc.integer({ min: 1, max: 8 }) }) },
);
const pass = stepOf('pass', {
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

const poll = (dies: fc.Arbitrary<boolean>) =>
	stepOf('poll', {
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
/** The same, and now and then this. */
const stepsWith = <K extends Kind>(
	weight: number,
	kind: K,
	drawn: Drawn<Omit<StepOf<K>, 'kind'>>,
) => steps([...rare, { weight, arbitrary: stepOf(kind, drawn) }]);

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
	stepOf('change', { record: ofMany, delay: fc.constant(0) }),
	stepOf('remove', { record: ofMany }),
);
const movingPoll = stepOf('poll', {
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
	stepsWith(4, 'setClock', {
		of: fc.constantFrom('n8n', 'date'),
		by: fc.constantFrom(HOUR, MINUTE, -MINUTE, -HOUR, -DAY),
	}),
);

/** The clock that stamps changes is set back, and `Date` is not. */
export const stampingBack = historyOf(
	stepsWith(2, 'setStampsBack', { by: fc.constantFrom(MINUTE, HOUR, 2 * HOUR) }),
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
	stepsWith(2, 'misread', { how: fc.constantFrom('asLater', 'ignored') }),
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
	stepsWith(5, 'pass', { time: fc.constantFrom(DAY, 3 * DAY, 8 * DAY, 33 * DAY, 95 * DAY) }),
	fc
		.tuple(polledService, fc.constantFrom(HOUR, 7 * DAY, 30 * DAY, 90 * DAY))
		.map(([service, maxAgeMs]) => listOf(service, {}, { maxAgeMs, ignored: false })),
).map((history): History => ({ ...history, trigger: { ...history.trigger, resource: 'users' } }));

/** A field differs in each response, in all records or in some, from the beginning or later on. */
export const renewing = historyOf(
	stepsWith(3, 'renew', { ofState: fc.constantFrom('arrived', null) }),
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
	stepsWith(6, 'change', {
		record,
		delay: fc.constant(0),
		dated: fc.constantFrom('hoursAhead', 'daysAhead', 'never'),
	}),
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
	stepsWith(3, 'setClock', {
		of: fc.constant('service'),
		by: fc.constantFrom(2 * HOUR, HOUR, MINUTE, -MINUTE, -HOUR, -2 * HOUR),
	}),
);
