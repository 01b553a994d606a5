import { type PollCursor, readCursor } from '../../../../../nodes/VisitorService/polling/cursor';
import { type PollSettings, poll } from '../../../../../nodes/VisitorService/polling/poll';
import type { ListSource } from '../../../../../nodes/VisitorService/polling/reading';
import type { TriggerOn } from '../../../../../nodes/VisitorService/polling/versions';
import type { JsonObject } from '../../../../../nodes/VisitorService/values/json';
import { plainSettings } from './simulatedTrigger';

const START = Date.UTC(2026, 2, 2, 8);
const MINUTE = 60_000;
const DAY = 1440 * MINUTE;

/** A list that respects `updatedSince`, and the trigger that polls it. */
class Polled {
	readonly records = new Map<string, JsonObject>();

	time = START + 7;

	total?: number;

	/** Fields that differ in each answer. */
	sign: (answer: number) => JsonObject = () => ({});

	private answers = 0;

	private cursor?: PollCursor;

	private requests = 0;

	readonly settings: PollSettings;

	constructor(triggerOn: TriggerOn, settings: Partial<PollSettings> = {}) {
		this.settings = { ...plainSettings, triggerOn, ...settings };
	}

	set(id: string, fields: JsonObject = {}): void {
		const createdAt = this.records.get(id)?.createdAt ?? this.now();
		this.records.set(id, { id, createdAt, updatedAt: this.now(), ...fields });
	}

	pass(time = 5 * MINUTE): void {
		this.time += time;
	}

	async poll(pages = Infinity): Promise<unknown[]> {
		this.requests = 0;
		const outcome = await poll(this.source(pages), this.settings, this.cursor);
		this.cursor = readCursor(JSON.parse(JSON.stringify(outcome.cursor)));
		this.notes = outcome.notes;
		this.pass();
		return outcome.records.map(({ id }) => id).sort();
	}

	notes: string[] = [];

	/** The IDs of several polls in a row. */
	async polls(count: number): Promise<unknown[]> {
		const ids: unknown[] = [];
		for (let number = 0; number < count; number++) ids.push(...(await this.poll()));
		return ids;
	}

	private now(): string {
		return new Date(this.time).toISOString();
	}

	private source(pages: number): ListSource {
		return {
			service: 'tenant-1',
			names: { name: 'visit', plural: 'visits' },
			keys: ['visits'],
			itemsPath: '',
			now: () => this.time,
			mayReadOn: () => this.requests < pages,
			fetchPage: async (page, pageSize, updatedSince = 0) => {
				this.requests++;
				const listed = [...this.records.values()].filter(
					({ updatedAt }) => updatedSince === 0 || Date.parse(String(updatedAt)) >= updatedSince,
				);
				const data = listed
					.slice(page * pageSize, (page + 1) * pageSize)
					.map((record) => ({ ...record, ...this.sign(this.answers) }));
				this.answers++;
				return await Promise.resolve({
					statusCode: 200,
					headers: { date: new Date(this.time).toUTCString() },
					body: { data, total: this.total ?? listed.length, pageSize },
				});
			},
		};
	}
}

function published(triggerOn: TriggerOn, settings: Partial<PollSettings> = {}): Polled {
	const polled = new Polled(triggerOn, settings);
	for (let number = 0; number < 12; number++) polled.set(`old-${number}`);
	polled.pass(DAY);
	return polled;
}

describe.each([
	['asked for changes', true],
	['compared', false],
])('of a list that is %s,', (_how, acceptsUpdatedSince) => {
	it('each new record is emitted once, whatever becomes of it', async () => {
		const polled = published('created', { acceptsUpdatedSince });
		expect(await polled.polls(2)).toEqual([]);
		polled.set('new');
		polled.set('old-3');
		expect(await polled.poll()).toEqual(['new']);
		polled.set('new', { changed: true });
		expect(await polled.polls(3)).toEqual([]);
	});

	it('each change of a record that was there is emitted once, and no creation', async () => {
		const polled = published('updated', { acceptsUpdatedSince });
		expect(await polled.polls(2)).toEqual([]);
		polled.set('new');
		polled.set('old-3');
		expect(await polled.poll()).toEqual(['old-3']);
		polled.set('new');
		expect(await polled.poll()).toEqual(['new']);
		expect(await polled.polls(3)).toEqual([]);
	});

	it('new and changed records are emitted once', async () => {
		const polled = published('createdOrUpdated', { acceptsUpdatedSince });
		expect(await polled.polls(2)).toEqual([]);
		polled.set('new');
		polled.set('old-3');
		expect(await polled.poll()).toEqual(['new', 'old-3']);
		expect(await polled.polls(3)).toEqual([]);
	});

	it('new records are emitted though each reading takes several polls', async () => {
		const polled = published('createdOrUpdated', { acceptsUpdatedSince, pageSize: 3 });
		for (let number = 0; number < 6; number++) expect(await polled.poll(2)).toEqual([]);
		for (let number = 0; number < 7; number++) polled.set(`new-${number}`);
		const ids: unknown[] = [];
		for (let number = 0; number < 30; number++) ids.push(...(await polled.poll(2)));
		expect(ids.sort()).toEqual(Array.from({ length: 7 }, (_, number) => `new-${number}`));
	});
});

it('takes each record for new if the list was empty at the last poll, however long ago', async () => {
	const polled = new Polled('created', { acceptsUpdatedSince: false });
	expect(await polled.polls(2)).toEqual([]);
	polled.set('new');
	polled.pass(2 * DAY);
	expect(await polled.polls(2)).toEqual(['new']);
});

describe('records without times', () => {
	it('are told apart by what they hold', async () => {
		const polled = new Polled('createdOrUpdated', { acceptsUpdatedSince: false });
		const put = (id: string, fields: JsonObject) => polled.records.set(id, { id, ...fields });
		put('a', { room: 1 });
		put('b', { room: 2 });
		expect(await polled.polls(2)).toEqual([]);
		put('a', { room: 3 });
		expect(await polled.poll()).toEqual(['a']);
		expect(await polled.polls(3)).toEqual([]);
	});
});

describe.each([
	['asked for changes', true],
	['compared', false],
])(
	'a field that begins to differ in each answer, of a list that is %s,',
	(_how, acceptsUpdatedSince) => {
		it('hides no change of the poll that notices it, and repeats each record once at most', async () => {
			const polled = new Polled('createdOrUpdated', { acceptsUpdatedSince });
			// Without fractions of a second the content tells states apart as well.
			const updatedAt = new Date(polled.time + 1000).toISOString().replace(/\.\d+/, '');
			const put = (id: string, room: number) => polled.records.set(id, { id, room, updatedAt });
			for (const id of ['a', 'b', 'c']) put(id, 1);
			expect(await polled.polls(2)).toEqual([]);
			polled.sign = (answer) => ({ photo: `?signature=${answer}` });
			put('b', 2);
			const came = await polled.polls(4);
			expect(came).toContain('b');
			expect(new Set(came).size).toBe(came.length);
		});
	},
);

describe('removed records', () => {
	it('are emitted by their IDs after two readings without them, once', async () => {
		const polled = published('removed');
		expect(await polled.polls(2)).toEqual([]);
		polled.records.delete('old-3');
		expect(await polled.poll()).toEqual([]);
		expect(await polled.poll()).toEqual(['old-3']);
		expect(await polled.polls(3)).toEqual([]);
	});

	it('does not report a record as removed if it comes back in time', async () => {
		const polled = published('removed');
		await polled.poll();
		polled.records.delete('old-3');
		expect(await polled.poll()).toEqual([]);
		polled.set('old-3');
		expect(await polled.polls(4)).toEqual([]);
	});

	it('are none if the list is not read to its end, and that is said', async () => {
		const polled = published('removed');
		await polled.poll();
		polled.total = 12;
		polled.records.delete('old-3');
		expect(await polled.poll()).toEqual([]);
		expect(polled.notes).toEqual([expect.stringContaining('nothing counts as removed')]);
		expect(await polled.polls(4)).toEqual([]);
	});

	it('are emitted though each reading takes several polls', async () => {
		const polled = published('removed', { pageSize: 3 });
		const ids: unknown[] = [];
		for (let number = 0; number < 20; number++) {
			if (number === 5) polled.records.delete('old-11');
			ids.push(...(await polled.poll(2)));
		}
		expect(ids).toEqual(['old-11']);
	});
});

describe('more records than can be compared', () => {
	it('are an error that says so', async () => {
		const polled = published('removed', { maxCompared: 11 });
		await expect(polled.poll()).rejects.toThrow('The list has more than 11 visits');
	});
});
