import { ServiceFailure } from '../../../../../nodes/VisitorService/failure/serviceFailure';
import {
	findVolatile,
	type ListRules,
	openList,
	requireReadableFilter,
} from '../../../../../nodes/VisitorService/polling/open';
import { type ListSource, PolledList } from '../../../../../nodes/VisitorService/polling/reading';
import { ServiceTime } from '../../../../../nodes/VisitorService/polling/serviceTime';
import type { TriggerOn } from '../../../../../nodes/VisitorService/polling/versions';
import type { JsonObject } from '../../../../../nodes/VisitorService/values/json';
import { ImpatientClock } from '../../../../simulation/clock';
import { HOUR, MINUTE, START } from './polledTenant';

const DAY = 24 * HOUR;
const text = (time: number) => new Date(time).toISOString();

/**
 * Records changed on different days, the last one an hour ago. Times at one hour of the day would
 * count as cut to days.
 */
const RECORDS: JsonObject[] = [0, 1, 2].map((days) => ({
	id: days,
	createdAt: text(START - 30 * DAY),
	updatedAt: text(START - HOUR - days * (DAY + MINUTE)),
}));

interface List {
	records?: JsonObject[];
	/** What the filter lets through. */
	filter?: (record: JsonObject, since: number) => boolean;
	/** Thrown when a time to come is asked for. */
	failure?: Error;
}

const newerThan = (record: JsonObject, since: number) =>
	Date.parse(String(record.updatedAt)) >= since;

function listWith({ records = RECORDS, filter = newerThan, failure }: List = {}) {
	const asked: Array<number | undefined> = [];
	const clock = new ImpatientClock(() => START);
	const source: ListSource = {
		service: 'tenant-1',
		names: { name: 'user', plural: 'users' },
		keys: ['users'],
		itemsPath: '',
		now: () => clock.now(),
		mayReadOn: () => true,
		pause: async (milliseconds) => await clock.sleep(milliseconds),
		fetchPage: async (page, pageSize, updatedSince) => {
			await Promise.resolve();
			asked.push(updatedSince);
			if (failure !== undefined && (updatedSince ?? 0) > START) throw failure;
			const found = records.filter(
				(record) => updatedSince === undefined || filter(record, updatedSince),
			);
			const data = found.slice(page * pageSize, (page + 1) * pageSize);
			return {
				statusCode: 200,
				headers: { date: new Date(START).toUTCString() },
				body: { data, total: found.length },
			};
		},
	};
	const serviceTime = new ServiceTime(undefined);
	return { asked, serviceTime, list: new PolledList(source, serviceTime) };
}

const rulesOf = (triggerOn: TriggerOn): ListRules => ({
	triggerOn,
	acceptsUpdatedSince: true,
	paths: { id: '', updatedAt: '', createdAt: '' },
	pageSize: 100,
});

async function readsOf(list: List, triggerOn: TriggerOn = 'createdOrUpdated') {
	const { serviceTime, list: polled } = listWith(list);
	return (await openList(polled, serviceTime, rulesOf(triggerOn)))?.reads;
}

const refusal = new ServiceFailure('A time to come.', 'Ask for another.', { kind: 'badRequest' });

describe('how changes of a list are found', () => {
	it.each<[string, TriggerOn, List, string]>([
		['by the filter', 'createdOrUpdated', {}, 'changes'],
		['by the filter, if only creations count', 'created', {}, 'changes'],
		['by comparison, if removals count', 'removed', {}, 'comparison'],
		[
			'by comparison, if creations count and no time of them shows',
			'created',
			{ records: RECORDS.map(({ id, updatedAt }) => ({ id, updatedAt })) },
			'comparison',
		],
		[
			'by comparison, if updates count and no time of them shows',
			'updated',
			{ records: RECORDS.map(({ id, createdAt }) => ({ id, createdAt })) },
			'comparison',
		],
		['by reading all, if the filter is ignored', 'updated', { filter: () => true }, 'allIgnored'],
		[
			'by the filter, although it refuses times to come',
			'createdOrUpdated',
			{ failure: refusal },
			'changes',
		],
		[
			'by reading all, if a filter that refuses times to come is ignored',
			'createdOrUpdated',
			{ failure: refusal, filter: () => true },
			'allIgnored',
		],
	])('changes are found %s', async (_how, triggerOn, list, reads) => {
		expect(await readsOf(list, triggerOn)).toBe(reads);
	});

	it('a service whose clock is in another zone than it says honors the filter that refuses times to come', async () => {
		const records = RECORDS.map((record) => ({ ...record, updatedAt: text(START - 14 * HOUR) }));
		expect(await readsOf({ records, failure: refusal, filter: () => true })).toBe('changes');
	});

	it('recognizes an ignored filter by a record without any time', async () => {
		const records = [{ id: 9, updatedAt: null, createdAt: null }, ...RECORDS];
		expect(await readsOf({ records, filter: () => true })).toBe('allIgnored');
	});

	it('takes no filter for ignored because of a user dated hours after the time that is asked for', async () => {
		const ahead = { id: 9, updatedAt: text(START + 366 * DAY + 3 * HOUR) };
		expect(await readsOf({ records: [...RECORDS, ahead] })).toBe('changes');
	});

	it('knows by the first page how far the clock that stamps changes is at least', async () => {
		const { serviceTime, list } = listWith();
		await openList(list, serviceTime, rulesOf('createdOrUpdated'));
		expect(START - HOUR - serviceTime.reached).toBe(1000);
	});

	it.each([
		['of the service', new ServiceFailure('It failed.', 'Wait.', { kind: 'service' })],
		['of ours', new TypeError('No list.')],
	])('a failure %s says nothing of the filter', async (_whose, failure) => {
		await expect(readsOf({ failure })).rejects.toBe(failure);
	});
});

describe('the format of the filter', () => {
	const requireReadable = async (list: List) => {
		const { asked, serviceTime, list: polled } = listWith(list);
		const opened = await openList(polled, serviceTime, rulesOf('createdOrUpdated'));
		if (opened === undefined) throw new Error('The list has records.');
		asked.length = 0;
		await requireReadableFilter(polled, serviceTime, opened, rulesOf('createdOrUpdated'));
		return asked;
	};

	it('the format of the filter is tried with a time before the newest update', async () => {
		const [asked = NaN, ...others] = await requireReadable({});
		expect(others).toEqual([]);
		expect(START - HOUR - asked).toBeGreaterThan(0);
		expect(START - HOUR - asked).toBeLessThan(DAY);
	});

	it('the format of the filter is tried with the update of others if a record was never updated', async () => {
		const records = [
			...RECORDS,
			{ id: 9, createdAt: text(START - MINUTE), updatedAt: null as unknown },
		];
		const filter = (record: JsonObject, since: number) =>
			record.updatedAt === null ? since < START : newerThan(record, since);
		const [asked = NaN] = await requireReadable({ records, filter });
		expect(asked).toBeLessThan(START - HOUR);
	});

	it('the format of the filter is not tried if no record was ever updated', async () => {
		const records = RECORDS.map((record) => ({ ...record, updatedAt: null }));
		const filter = (_record: JsonObject, since: number) => since > 0 && since < START - 29 * DAY;
		expect(await requireReadable({ records, filter })).toEqual([]);
	});

	it('the format of the filter is tried with the times that can be read', async () => {
		const records = [...RECORDS, { id: 9, createdAt: text(START), updatedAt: 'soon' }];
		const { serviceTime, list } = listWith({ records });
		const fields = { id: 'id', updatedAt: 'updatedAt', createdAt: 'createdAt' };
		const rules = rulesOf('createdOrUpdated');
		await list.readPage(rules);
		await expect(
			requireReadableFilter(list, serviceTime, { records, fields }, rules),
		).resolves.toBeUndefined();
		const misread = listWith({ records, filter: () => false });
		await misread.list.readPage(rules);
		await expect(
			requireReadableFilter(misread.list, misread.serviceTime, { records, fields }, rules),
		).rejects.toThrow();
	});

	it('the format of the filter is an error if nothing is found', async () => {
		await expect(requireReadable({ filter: () => false })).rejects.toThrow('another date format');
	});
});

describe('a look at a list', () => {
	const opened = async (list: PolledList, serviceTime: ServiceTime, pageSize = 100) =>
		await openList(list, serviceTime, { ...rulesOf('createdOrUpdated'), pageSize });

	it('a look at a list finds its records though page 0 is empty, because the service counts from 1', async () => {
		const { serviceTime, list } = listWith();
		const fetchPage = list.source.fetchPage.bind(list.source);
		list.source.fetchPage = async (page, pageSize, since) => {
			if (page > 0) return await fetchPage(page - 1, pageSize, since);
			return await Promise.resolve({ statusCode: 200, headers: {}, body: { data: [] } });
		};
		expect((await opened(list, serviceTime))?.records).toEqual(RECORDS);
	});

	it('a look at a list asks for no larger pages than were set', async () => {
		const { serviceTime, list } = listWith({ failure: refusal });
		const fetchPage = list.source.fetchPage.bind(list.source);
		list.source.fetchPage = async (page, pageSize, since) => {
			if (pageSize > 50) throw refusal;
			return await fetchPage(page, pageSize, since);
		};
		expect((await opened(list, serviceTime, 50))?.reads).toBe('changes');
	});
});

describe('fields that differ in each answer', () => {
	it.each<[TriggerOn, boolean]>([
		['created', false],
		['removed', false],
		['createdOrUpdated', true],
	])(
		'fields that differ in each answer are looked for only if contents count: %s',
		async (triggerOn, areLookedFor) => {
			const { asked, serviceTime, list } = listWith();
			const rules = rulesOf(triggerOn);
			const opened = await openList(list, serviceTime, rules);
			if (opened === undefined) throw new Error('The list has records.');
			asked.length = 0;
			expect(await findVolatile(list, opened, rules)).toEqual([]);
			expect(asked.length > 0).toBe(areLookedFor);
		},
	);
});
