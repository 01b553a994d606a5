import { DAY, HOUR, MINUTE, SECOND } from '../../drawn/polledService';
import {
	type Act,
	CALM_POLL,
	type Dated,
	type History,
	OVERLAP,
	plain,
	type Step,
	type Trigger,
} from './history';

interface Unusual extends Partial<Omit<History, 'service' | 'trigger'>> {
	list?: History['service']['list'];
	service?: Partial<Omit<History['service'], 'list'>>;
	trigger?: Partial<Trigger>;
}

/** A plain history, but for this. */
const historyWith = ({ list, service, trigger, ...more }: Unusual): History => ({
	...plain,
	...more,
	service: { ...plain.service, ...service, list: { ...plain.service.list, ...list } },
	trigger: { ...plain.trigger, ...trigger },
});

const change = (record: number, more: { delay?: number; dated?: Dated } = {}): Act => ({
	...{ kind: 'change', record, delay: 0 },
	...more,
});
const pass = (time: number): Step => ({ kind: 'pass', time });
const aged = (age: number, ...records: number[]) => records.map((record) => ({ record, age }));

/** n8n leaves time for a few pages. */
const SLOW = 25 * SECOND;

/**
 * From a trigger that took the age of the newest change for the zone of a clock. It started a
 * workflow for record 2, and for 40,521 users of a bulk import of the night.
 */
export const slowFirstReading = historyWith({
	trigger: { pageSize: 2 },
	before: aged(6 * HOUR, 0, 1, 2),
	firstLatency: SLOW,
	steps: [CALM_POLL, CALM_POLL],
});

/** Shrunken from triggers that got them wrong, with what these did. */
export const SHRUNKEN: Record<string, History> = {
	// Took a page that came twice in one reading for two readings: a copy behind the first reading
	// started a workflow with a state of before publishing.
	'a page of a copy that lags behind comes twice in one reading': historyWith({
		list: { naturalOrder: 'insertion' },
		trigger: { pageSize: 2 },
		before: [...aged(1, 5), ...aged(6 * HOUR, 0, 1)],
		steps: [{ kind: 'copy' }, change(5), { kind: 'respondFromCopy' }, change(0)],
	}),
	// Took a state without an update time for newer than any with one.
	'a copy that lags behind shows a task before its first update': historyWith({
		list: { neverUpdated: 'notFound' },
		trigger: { resource: 'tasks' },
		before: aged(1, 4),
		steps: [CALM_POLL, { kind: 'copy' }, change(4), CALM_POLL, { kind: 'respondFromCopy' }],
	}),
	// Went on with page 1 in the size it had asked for, although page 0 came in a smaller one: it
	// skipped a record, which then came out although it is of before.
	'pages are cut, and there was time for the first one only': historyWith({
		list: { maxPageSize: 3 },
		trigger: { pageSize: 4 },
		before: aged(6 * HOUR, 0, 1, 2, 3, 4, 5, 6),
		firstLatency: SLOW,
		steps: [{ ...CALM_POLL, fault: { request: 0, fault: 'reset' } }],
	}),
	// Had no time to look for users never updated, and took it that there are none: the service does
	// not find them, so that none ever came out.
	'there is no time to see a user who was never updated': historyWith({
		list: { maxPageSize: 2, neverUpdated: 'notFound' },
		host: 'durable',
		before: [0, 1, 0, 1, 2].map((record, at) => ({ record, age: (6 - at) * HOUR })),
		steps: [{ ...CALM_POLL, latency: 7 * SECOND }],
	}),
	// Failed because each page was the first one again: between them, so many records moved to the
	// beginning of the list.
	'the list moves so that each page is the first one again': historyWith({
		list: { naturalOrder: 'updatedAtDescending' },
		trigger: { triggerOn: 'startsToMatch', pageSize: 2 },
		before: Array.from({ length: 8 }, (_, record) => ({ record, age: 6 * HOUR - record })),
		steps: [
			CALM_POLL,
			{ ...CALM_POLL, acts: [change(2), change(0), change(1), null, change(4), change(7)] },
		],
	}),
	// Looked for fields which differ in each response when a record first seemed to be updated. The
	// service failed just then, and a creation came out.
	'a field differs in each response, and a response is missing': historyWith({
		list: { renewed: { every: 'response', as: 'path' } },
		service: { undated: 7 },
		trigger: { resource: 'companies', triggerOn: 'updated' },
		steps: [
			...[CALM_POLL, change(7), CALM_POLL],
			{ ...CALM_POLL, fault: { request: 1, fault: { status: 500 } } },
		],
	}),
	// Took an updated user for a new one, because it had not seen the creation: the service finds no
	// users never updated.
	'the service did not find a user who is updated now': historyWith({
		list: { neverUpdated: 'notFound' },
		trigger: { triggerOn: 'updated' },
		before: [...aged(6 * HOUR, 1), ...aged(3 * HOUR, 1)],
	}),
	// Looked again, and took times cut to hours for ones cut to days.
	'times are cut to hours, and all are of the same hour': historyWith({
		list: { timeUnit: 'hour' },
		before: [3, 0].map((record) => ({ record, age: record * 2 * HOUR + MINUTE })),
		steps: [pass(2 * DAY), CALM_POLL, change(3), pass(DAY)],
	}),
	// Took a creation and an update for ones in different zones.
	'times have no zone, and one user was updated': historyWith({
		list: { updatedAtFormat: 'isoLocal', neverUpdated: 'notFound' },
		trigger: { triggerOn: 'updated' },
		before: aged(0, 0),
		steps: [change(0)],
	}),
	// Asked for a time which the clock of the service had not reached.
	'changes are stamped ahead of a service that rejects later times': historyWith({
		list: { updatedSince: { rejectsFuture: true } },
		before: [],
		steps: [{ kind: 'setClock', of: 'date', by: -HOUR }],
	}),
	// Could not be published, because a user who was created just then took the place of the one by
	// which it tried `updatedSince`.
	'a user is created while the workflow is published': historyWith({
		list: { naturalOrder: 'updatedAtDescending', neverUpdated: 'null' },
		trigger: { pageSize: 2 },
		before: [...aged(3 * HOUR, 1), ...aged(1, 1)],
		steps: [change(6), { ...CALM_POLL, acts: [null, change(7)] }],
	}),
	// Took it for enough that the filter found users created after the one by whose time it had
	// asked: it is 20 hours behind, and found nobody later.
	'the clock of the filter is behind, and no user was updated': historyWith({
		list: { maxPageSize: 2, neverUpdated: 'null', updatedSince: { aheadMs: -20 * HOUR } },
		before: aged(6 * HOUR, 0, 1),
		steps: [pass(DAY), change(2), change(3)],
	}),
	// Took a day, by which it asks earlier if times are days, for no delay.
	'the same, by less than a day, and times are days': historyWith({
		list: { timeUnit: 'day', updatedSince: { aheadMs: -20 * HOUR } },
		trigger: { triggerOn: 'created' },
		before: [],
		steps: [change(0), pass(DAY), CALM_POLL, change(0)],
	}),
	// Looked again, and took times that were round by chance for cut ones.
	'times are round by chance when the filter is looked at again': historyWith({
		list: {
			...{ naturalOrder: 'updatedAtDescending', timeUnit: 'min' },
			updatedSince: { maxAgeMs: HOUR },
		},
		trigger: { pageSize: 2 },
		before: [...aged(1, 0), ...aged(6 * HOUR, 2)],
		steps: [
			...[change(3, { delay: OVERLAP }), { kind: 'rest' as const }, pass(DAY)],
			...[change(0, { delay: OVERLAP }), change(1)],
		],
	}),
	// Asked for nothing a day later, as it had already asked from as early.
	'the service misreads the filter later, and sends no date': historyWith({
		list: { neverUpdated: 'null' },
		service: { dateHeader: false },
		trigger: { pageSize: 2 },
		before: [],
		firstLatency: 7 * SECOND,
		steps: [
			...[change(0), change(1), CALM_POLL],
			{ kind: 'misread', how: 'asLater' },
			{ kind: 'overlappingPolls' },
		],
	}),
	// Counted anew, at each poll of the first reading, what times show.
	'users change pages while the first reading waits for its second poll': historyWith({
		list: { naturalOrder: 'updatedAt' },
		trigger: { triggerOn: 'created', pageSize: 3 },
		host: 'durable',
		before: [...aged(6 * HOUR, 4), ...aged(MINUTE, 0), ...aged(6 * HOUR, 2), ...aged(MINUTE, 3)],
		firstLatency: 7 * SECOND,
		steps: [change(1), change(2, { delay: OVERLAP }), CALM_POLL],
	}),
	// Took an equal time, of a full minute, for a later one.
	'the first reading misses a user of the minute in which it ends': historyWith({
		list: { naturalOrder: 'updatedAt', timeUnit: 'min' },
		trigger: { pageSize: 2 },
		before: [],
		firstLatency: SLOW,
		steps: [change(0), change(1), change(2), CALM_POLL, change(0, { delay: OVERLAP })],
	}),
	// Failed as long as no user showed a time that may be one.
	'the first user is dated in the year 9999': historyWith({
		list: { createdAtField: null },
		before: [],
		steps: [CALM_POLL, change(0, { dated: 'never' }), CALM_POLL, change(1)],
	}),
	// Took times for exact until one shows: here they are days of a zone.
	'the first company shows no time, and later ones show days': historyWith({
		list: { updatedAtFormat: 'isoLocal', timeUnit: 'day', zoneOffsetMinutes: -300 },
		service: { undated: 7 },
		trigger: { resource: 'companies' },
		before: aged(6 * HOUR, 7),
		steps: [CALM_POLL, change(0)],
	}),
	// Took an update for none, because the creation was dated later; if only updates are told, where
	// the service shows a time of before 2002 for no update.
	...Object.fromEntries(
		(['createdOrUpdated', 'updated'] as const).map((triggerOn) => [
			`the creation of a user is dated days ahead of its update: ${triggerOn}`,
			historyWith({
				list:
					triggerOn === 'updated'
						? { neverUpdated: 'null', neverUpdatedAs: '2001-01-01T00:00:00Z' }
						: {},
				trigger: { triggerOn },
				before: [],
				steps: [change(0, { dated: 'daysAhead' }), { kind: 'rest' }, change(0, { delay: 1 })],
			}),
		]),
	),
	// Could not tell the ID, because a user came on two pages of a look.
	'a user moves to the next page of a look at the list': historyWith({
		list: { maxPageSize: 4, pageBeyondEnd: 'error' },
		service: { undated: 7 },
		before: [],
		steps: [change(0, { delay: 14_001 }), change(7), { ...CALM_POLL, latency: 7 * SECOND }],
	}),
	// Did not find what waits: `Date` and the filter are behind.
	'changes wait, and two clocks are behind the one that stamps them': historyWith({
		list: { updatedSince: { aheadMs: -50 * MINUTE } },
		service: { dateAhead: -HOUR },
		trigger: { maxItems: 1 },
		before: [],
		firstLatency: 7 * SECOND,
		steps: [change(0), { kind: 'rest' }, change(0, { delay: 1 }), change(1, { delay: 1 })],
	}),
	// A user of the year 9999 hid that users never updated are left out.
	'a user of the year 9999 is found, and others who were never updated are not': historyWith({
		list: { neverUpdated: 'notFound' },
		before: [],
		steps: [change(0, { dated: 'never' }), change(1)],
	}),
};
