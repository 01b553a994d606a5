import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { fieldsOfList } from '../../nodes/VisitorService/descriptions/conditions';
import { type MemoryHost, NODES, type Run } from '../host/memoryHost';
import { PublishedWorkflow } from '../host/publishedWorkflow';
import { type Resource, syntheticRecord } from '../reference-service';
import { hostWith, list, requestedPages, synthetic } from './listedHost';

/** [field, condition, value] */
type Row = [field: unknown, condition: unknown, value?: unknown];

const conditions = (...rows: Row[]) =>
	({
		match: { conditions: rows.map(([field, condition, value]) => ({ field, condition, value })) },
	}) as INodeParameters;

const receptionists = (count: number) =>
	synthetic('users', count).filter(({ role }) => role === 'receptionist');

/** The one hint, after its kind. */
const hinted = ({ hints }: Run) =>
	hints.map(({ message, type }) => `${type}: ${message}`).join('\n');

const names = ({ items }: Run) => items.map(({ name }) => name);

describe('Conditions', () => {
	it('finds a user by e-mail, whatever the letter case, and says how to stop at the first', async () => {
		const host = await hostWith({ users: 2_600 });
		const run = await list(host, conditions(['email', 'equals', 'USER-002345@example.test']));
		expect(run.items).toEqual([syntheticRecord('users', 2_345)]);
		expect(hinted(run)).toMatch(
			/^info: Found 1 of 2,600 users read \(3 pages, 4 requests, .* To stop at the first match, use Find, or set Limit to 1\.$/,
		);
	});

	it.each<[string, Resource, Row, RegExp]>([
		['company', 'companies', ['name', 'contains', 'y 00004'], /"name":"Company 00004/],
		['visit', 'visits', ['state', 'notEquals', 'arrived'], /"state":"(?!arrived")/],
		['task', 'tasks', ['done', 'equals', 'false'], /"done":false/],
	])('chooses from the list of the resource %s', async (resource, plural, row, wanted) => {
		const host = await hostWith({ [plural]: 250 });
		const run = await list(host, { resource, ...conditions(row) });
		const matching = synthetic(plural, 250).filter((record) => wanted.test(JSON.stringify(record)));
		expect(run.items).toEqual(matching);
		expect(run.hints[0]?.message).toContain(`Found ${matching.length} of 250 ${plural} read`);
	});

	it.each([
		['all', ['b']],
		['any', ['a', 'b', 'c']],
	])('must match %s', async (matchType, found) => {
		const users = [
			{ id: 1, name: 'a', state: 'open', room: 1 },
			{ id: 2, name: 'b', state: 'open', room: 2 },
			{ id: 3, name: 'c', state: 'done', room: 2 },
			{ id: 4, name: 'd', state: 'done', room: 3 },
		];
		const rules = conditions(['state', 'equals', 'open'], ['room', 'equals', 2]);
		const run = await list(await hostWith({ users }), { ...rules, matchType });
		expect(names(run)).toEqual(found);
	});

	it.each<[value: unknown, field: string, names: string[]]>([
		['={{ 7 }}', 'room', ['number', 'text']],
		['={{ "7" }}', 'room', ['number', 'text']],
		['7.0', 'room', ['number']],
		['={{ true }}', 'active', ['number']],
		['true', 'active', ['number', 'text']],
		['={{ $json.wanted }}', 'tags', ['text']],
		['={{ new Date("2026-01-31T08:00:00Z") }}', 'at', ['number', 'text']],
	])('compares the value %j with its type', async (value, field, found) => {
		const at = '2026-01-31T08:00:00Z';
		const users = [
			{ id: 'a', name: 'number', room: 7, active: true, at: Date.parse(at) },
			{ id: 'b', name: 'text', room: '7', active: 'true', tags: ['x', 'VIP'], at },
			{ id: 'c', name: 'other', room: '07', active: 1, tags: 'x', at: 'never' },
		];
		const host = await hostWith({ users });
		const run = await list(host, conditions([field, 'equals', value]), {
			items: [{ wanted: 'vip' }],
		});
		expect(names(run)).toEqual(found);
	});

	// In Berlin the clocks are set forward on March 29, and back on October 25. On that day those of
	// the Azores show midnight twice. In Cairo there is no midnight on April 24.
	it.each([
		['Europe/Berlin', '2026-01-31T00:00:00+01:00', '2026-02-01T00:00:00+01:00', 24],
		['Europe/Berlin', '2026-03-29T00:00:00+01:00', '2026-03-30T00:00:00+02:00', 23],
		['Europe/Berlin', '2026-10-25T00:00:00+02:00', '2026-10-26T00:00:00+01:00', 25],
		['Atlantic/Azores', '2026-10-25T00:00:00+00:00', '2026-10-26T00:00:00-01:00', 25],
		['Africa/Cairo', '2026-04-24T01:00:00+03:00', '2026-04-25T00:00:00+03:00', 23],
	])('Is Today is the day of the workflow: %s, %s', async (timezone, first, next, hours) => {
		const day = first.slice(0, 10);
		const start = Date.parse(first);
		const end = Date.parse(next);
		expect((end - start) / 3_600_000).toBe(hours);
		const visits = [
			[new Date(start - 1000).toISOString(), 'the day before'],
			[first, 'first moment'],
			[`${day}T12:00:00`, 'noon, without a zone'],
			[day, 'the day alone'],
			[end / 1000 - 1, 'last second'],
			[next, 'the day after'],
			[null, 'no time'],
		].map(([expectedAt, name], index) => ({ id: `visit-${index}`, expectedAt, name }));
		for (const startsAt of [start, end - 60_000]) {
			const host = await hostWith({ visits }, { startsAt, timezone });
			const rules = conditions(['expectedAt', 'isToday']);
			const run = await list(host, { resource: 'visit', ...rules });
			const found = ['first moment', 'noon, without a zone', 'the day alone', 'last second'];
			expect(names(run)).toEqual(found);
		}
	});

	it.each([
		['2026-01-31', ['first moment', 'noon, without a zone', 'the day alone', 'last moment']],
		[
			'={{ DateTime.fromISO("2026-01-31T15:00:00Z") }}',
			['first moment', 'noon, without a zone', 'the day alone', 'last moment'],
		],
		['2026-02-01T00:00:00+01:00', ['the day after']],
	])('Is on Day of %s is that day in the workflow', async (value, found) => {
		const visits = [
			['2026-01-30T22:59:59Z', 'the day before'],
			['2026-01-30T23:00:00Z', 'first moment'],
			['2026-01-31T12:00:00', 'noon, without a zone'],
			['2026-01-31', 'the day alone'],
			['2026-01-31T22:59:59.999Z', 'last moment'],
			['2026-01-31T23:00:00Z', 'the day after'],
			['134142912000000000', 'a file time'],
		].map(([at, name], id) => ({ id, at, name }));
		const host = await hostWith({ visits }, { timezone: 'Europe/Berlin' });
		const run = await list(host, { resource: 'visit', ...conditions(['at', 'isOnDay', value]) });
		expect(names(run)).toEqual(found);
	});

	it.each<[string, INodeParameters]>([
		['isToday', conditions(['at', 'isToday'])],
		['isOnDay', conditions(['at', 'isOnDay', '2026-01-31'])],
		['after', conditions(['at', 'after', '2026-01-31'])],
		['a whole time', conditions(['at', 'equals', '2026-01-31T08:00:00'])],
		['Updated Since', { filters: { updatedSince: '2026-01-31' } }],
	])('names the setting of a time zone that is unknown: %s', async (_, parameters) => {
		for (const timezone of ['Europe/Kyev', 'Berlin', '"Europe/Berlin"']) {
			const host = await hostWith({ users: 3 }, { timezone });
			const { error } = await list(host, parameters);
			expect(error?.message).toBe(`The time zone of the workflow, "${timezone}", is unknown.`);
			expect(host.service.requests).toEqual([]);
			expect((await list(host)).items).toHaveLength(3);
		}
	});

	it.each([
		['webhook', { authentication: 'none' }],
		['webhook', { authentication: 'none', ...conditions(['at', 'isToday']) }],
		['polling', {}],
		['polling', conditions(['at', 'isToday'])],
		['polling', { startFrom: 'date', startDate: '2026-01-31' }],
	] as Array<['webhook' | 'polling', INodeParameters]>)(
		'names that setting when a %s trigger is published: %j',
		async (node, parameters) => {
			const host = await hostWith({ users: 3 }, { timezone: 'Europe/Kyev' });
			const settings = [{ node, webhookId: '1', parameters }];
			const published = new PublishedWorkflow(host, settings).publish();
			await expect(published).rejects.toThrow(/"Europe\/Kyev", is unknown\./);
			expect(host.service.requests).toEqual([]);
		},
	);

	it.each<[string, unknown, string[]]>([
		['withinLastHours', 2, ['2 ago', 'half ago', 'now']],
		['withinLastHours', '0.5', ['half ago', 'now']],
		['withinNextHours', '={{ 2 }}', ['now', 'half on', '2 on']],
	])('%s %j counts real hours, those of a day of 25 too', async (condition, value, found) => {
		// 02:30 in Berlin, for the second time.
		const now = Date.parse('2026-10-25T02:30:00+01:00');
		const users = [
			[-2.01, 'more than 2 ago'],
			[-2, '2 ago'],
			[-0.5, 'half ago'],
			[0, 'now'],
			[0.5, 'half on'],
			[2, '2 on'],
			[2.01, 'more than 2 on'],
		].map(([hours, name], id) => ({ id, name, at: now + Number(hours) * 3_600_000 }));
		const host = await hostWith({ users }, { startsAt: now, timezone: 'Europe/Berlin' });
		expect(names(await list(host, conditions(['at', condition, value])))).toEqual(found);
	});

	it('returns the first ones up to Limit, and asks for no more pages than that takes', async () => {
		const host = await hostWith({ users: 20_000 });
		const rules = conditions(['role', 'equals', 'Receptionist']);
		const run = await list(host, { ...rules, returnAll: false, limit: 3 });
		expect(run.items).toEqual(receptionists(60));
		expect(requestedPages(host)).toEqual([{ page: '0', pageSize: '100' }]);
		expect(run.hints[0]?.message).toMatch(
			/^Found 3 of 60 users read \(1 page, .* Stopped at Limit: there may be more\.$/,
		);
	});

	it('starts the search at Page, whose size is that of a page without conditions', async () => {
		const host = await hostWith({ users: 250 });
		const run = await list(host, {
			...conditions(['active', 'equals', '={{ false }}']),
			...{ returnAll: false, limit: 15, page: 4 },
		});
		expect(run.items[0]?.id).toBe('user-000070');
		expect(requestedPages(host)[0]).toEqual({ page: '4', pageSize: '15' });
	});

	it('works with Until Stable, Updated Since, and fields that are not returned', async () => {
		const since = '2025-10-01T00:00:00Z';
		const host = await hostWith({ users: 300 });
		host.service.set({ list: { duplicatesAcrossPages: 3 } });
		const run = await list(host, {
			...conditions(['role', 'equals', 'receptionist']),
			filters: { updatedSince: since },
			options: { untilStable: true, fields: ['id'] },
		});
		expect(run.items).toEqual(
			receptionists(300)
				.filter(({ updatedAt }) => typeof updatedAt === 'string' && updatedAt > since)
				.map(({ id }) => ({ id })),
		);
		expect(requestedPages(host)[0]).toMatchObject({ updatedSince: since });
	});

	it('warns of a field that no record has, and names those there are', async () => {
		const host = await hostWith({ users: [{ id: 1, email: 'a@example.test' }] });
		const run = await list(host, conditions(['emial', 'equals', 'a@example.test']));
		expect(run.items).toEqual([]);
		expect(hinted(run)).toMatch(
			/^warning: Found 0 of 1 user read .* None of the users has "emial": check the name of the field\. Fields: id, email\.$/,
		);
	});

	it.each<[string, unknown[], boolean]>([
		['a field without times', ['soon', ['later']], true],
		['file times', ['134142912000000000', 134_142_912_000_000_000], true],
		['ticks', [639_054_432_000_000_000], true],
		['digits of a date', ['202601310800', '2601310800', 2_612_312_359], true],
		['one time among others', ['soon', '2026-01-30'], false],
		['empty fields', [null, '', []], false],
	])('warns of times that cannot be read: %s', async (_, values, isWarning) => {
		const users = values.map((at, id) => ({ id, at })) as IDataObject[];
		const run = await list(await hostWith({ users }), conditions(['at', 'isToday']));
		expect(run.hints[0]?.type).toBe(isWarning ? 'warning' : 'info');
		expect(/has a time that can be read at "at"/.test(run.hints[0]?.message ?? '')).toBe(isWarning);
	});

	it('says nothing of fields if the lists on the way to them are empty', async () => {
		const host = await hostWith({ users: [{ id: 1, hosts: [] }] });
		const run = await list(host, conditions(['hosts.email', 'equals', 'x']));
		expect(run.hints[0]?.type).toBe('info');
	});

	it('keeps an empty list that a place is wanted of, and says nothing of it', async () => {
		const host = await hostWith({ users: [{ id: 1, hosts: [] }] });
		const run = await list(host, { options: { fields: 'id, hosts.0.email' } });
		expect(run.items).toEqual([{ id: 1, hosts: [] }]);
		expect(run.hints[0]?.type).toBe('info');
	});

	it('reads everything if there is no condition', async () => {
		const host = await hostWith({ users: 5 });
		for (const match of [{}, { conditions: [] }, '', null]) {
			const run = await list(host, { match, matchType: 'any' });
			expect(run.hints[0]?.message).toMatch(/^Read 5 users/);
		}
	});

	const noValue = /^The condition on "id" has no value\.$/;

	it.each<[string, INodeParameters, RegExp]>([
		[
			'an empty field',
			conditions([' ', 'equals', 'a']),
			/^A condition in Conditions has no Field\.$/,
		],
		['an unknown condition', conditions(['id', 'like', 'a']), /Condition must be equals, /],
		['an unreadable time', conditions(['id', 'after', 'soon']), /not a point in time/],
		[
			'a length of time',
			conditions(['id', 'after', "={{ $now.diff($now, 'hours') }}"]),
			/not a point/,
		],
		['an object as the value', conditions(['id', 'equals', '={{ {} }}']), /must be text, a number/],
		['hours below 0', conditions(['id', 'withinLastHours', '-1']), /number of hours, more than 0/],
		[
			'text instead of conditions',
			{ match: { conditions: 'id = 1' } },
			/^A condition in Conditions has no Field/,
		],
		['an unknown way to match', { matchType: 'some' }, /^Must Match must be all or any/],
		...['equals', 'notEquals', 'contains', 'startsWith', 'before', 'after', 'withinNextHours'].map(
			(condition): [string, INodeParameters, RegExp] => [
				`no value for ${condition}`,
				conditions(['id', condition, '={{ $json.missing }}']),
				noValue,
			],
		),
		['a space as the value', conditions(['id', 'contains', ' ']), noValue],
		['an empty list as the value', conditions(['id', 'equals', '={{ [] }}']), noValue],
	])('fails for %s, before anything is asked', async (_, parameters, message) => {
		const host = await hostWith({ users: 5 });
		const { error } = await list(host, parameters);
		expect(error?.message).toMatch(message);
		expect(host.service.requests).toEqual([]);
	});

	it('fails for the one input item only with Continue On Fail', async () => {
		const host = await hostWith({ users: 20 });
		const run = await list(
			host,
			{ ...conditions(['email', 'contains', '={{ $json.email }}']), returnAll: false, limit: 1 },
			{ items: [{ email: '01@' }, {}, { email: '02@' }], onError: 'continueRegularOutput' },
		);
		expect(run.output.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2].map((item) => ({ item })),
		);
		expect(run.items[1]).toEqual({
			error: 'The condition on "email" has no value.',
			description: 'Set Value. If it is an expression, check what it returns.',
		});
		expect(run.items[2]?.id).toBe('user-000002');
		expect(run.hints).toEqual([
			expect.objectContaining({ group: expect.objectContaining({ key: 'info' }) as unknown }),
		]);
	});
});

describe('Find', () => {
	const find = async (host: MemoryHost, parameters: INodeParameters, items?: IDataObject[]) =>
		await host.execute(
			{ resource: 'user', operation: 'find', ...parameters },
			{ items, onError: items && 'continueRegularOutput' },
		);

	it('returns the first record whose field equals the value, and reads no further', async () => {
		const host = await hostWith({ users: 20_000 });
		const wanted = { field: 'role', value: 'RECEPTIONIST' };
		const run = await find(host, { ...wanted, options: { fields: 'id' } });
		expect(run.items).toEqual([{ id: 'user-000020' }]);
		expect(requestedPages(host)).toEqual([{ page: '0', pageSize: '100' }]);
		expect(hinted(run)).toMatch(/^info: Found 1 of 20 users read \([^)]*\)\.$/);
	});

	it('is a tool of an agent, whose model says the field and the value', async () => {
		const host = await hostWith({ users: 250 });
		const fromModel = { field: "={{ $fromAI('field') }}", value: "={{ $fromAI('value') }}" };
		const equals = { field: 'email', value: 'USER-000123@example.test' };
		expect((await find(host, fromModel, [equals])).items).toEqual([syntheticRecord('users', 123)]);
		expect(NODES.action.description.usableAsTool).toBe(true);
	});

	it.each<[string, INodeParameters[string]]>([
		['chosen from the list', { __rl: true, mode: 'list', value: 'email' }],
		['typed by name', { __rl: true, mode: 'name', value: 'email' }],
		['an expression by name', { __rl: true, mode: 'name', value: '={{ "email" }}' }],
		['text alone, as workflows were saved before', 'email'],
		['an expression alone', '={{ "email" }}'],
	])('looks at a field that is %s', async (_, field) => {
		const host = await hostWith({ users: 5 });
		const value = 'user-000003@example.test';
		expect((await find(host, { field, value })).items).toEqual([syntheticRecord('users', 3)]);
		const match = { conditions: [{ field, value }] };
		const listed = await host.execute({ resource: 'user', operation: 'list', match });
		expect(listed.items).toEqual([syntheticRecord('users', 3)]);
	});

	it('returns the first in the order that Sort asks for', async () => {
		const users = ['b', 'a', 'c'].map((id) => ({ id, role: 'guard' }));
		const run = await find(await hostWith({ users }), {
			...{ field: 'role', value: 'guard', options: { sort: 'id,asc' } },
		});
		expect(run.items).toEqual([{ id: 'a', role: 'guard' }]);
	});

	it('returns no item if nothing is found, or fails, as chosen', async () => {
		const host = await hostWith({ users: 120 });
		const none = { field: 'email', value: 'nobody@example.test' };
		const run = await find(host, none);
		expect(run.error).toBeUndefined();
		expect(run.items).toEqual([]);
		expect(run.hints[0]?.message).toMatch(/^Found 0 of 120 users read/);
		const failed = await find(host, { ...none, options: { ifNotFound: 'error' } });
		expect(failed.error).toMatchObject({
			message: 'Found no such user among 120 users read.',
			description: 'Check Field and Value, or set If Not Found to Return No Item.',
		});
		const wrong = await find(host, { ...none, field: 'mail', options: { ifNotFound: 'error' } });
		expect(wrong.error?.description).toMatch(/^None of the users has "mail".* Fields: id, /);
	});

	it('fails for an input item without a value, and asks nothing for it', async () => {
		const host = await hostWith({ users: 5 });
		const items = [{}, { id: 'user-000003' }];
		const run = await find(host, { field: 'id', value: '={{ $json.id }}' }, items);
		expect(run.items).toEqual([
			expect.objectContaining({ error: 'The condition on "id" has no value.' }),
			syntheticRecord('users', 3),
		]);
		const unset = await find(host, { value: 'a' });
		expect(unset.error?.message).toBe('Field is not set.');
		expect(unset.error?.description).toMatch(/^Choose a field, or type its name\. If it is/);
	});
});

describe('What Equals says of a value', () => {
	const find = async (value: unknown, ...emails: string[]) => {
		const users = emails.map((email, id) => ({ id, email }));
		const parameters = { resource: 'user', operation: 'find', field: 'email', value };
		return await (await hostWith({ users })).execute(parameters as INodeParameters);
	};

	it.each([
		[' a@example.test', 'a space at its start'],
		['a@example.test\n', 'a line break at its end'],
		['\ufeffa@example.test ', 'a byte order mark at its start and a space at its end'],
		['a@exam\u00adple.test', 'a soft hyphen within'],
		['a@example.test\u00a0\u200b', 'a no-break space at its end and a zero-width space at its end'],
		['a@\u2060example.test', 'the character U+2060 within'],
	])('%j finds nobody, because of what nobody sees', async (value, which) => {
		const run = await find(value, 'a@example.test');
		expect(run.items).toEqual([]);
		expect(hinted(run)).toMatch(/^warning: Found 0 of 1 user /);
		expect(hinted(run)).toContain(
			`Nothing matches the value for "email", which has ${which}: check Value.`,
		);
		expect(hinted(await find(value, value))).toMatch(/^info: Found 1/);
	});

	it.each([
		['a@example.test', 'A@example.test ', 'a space at its end'],
		['a@example.test', 'a@\u200bexample.test', 'a zero-width space within'],
		['Ada Lovelace', 'Ada\u00a0Lovelace', 'a no-break space within'],
	])(
		'%j does not find %j, and says why, for one input item or two',
		async (value, email, which) => {
			const sentence = `A record has this value in "email", but with ${which}: search with Contains, or correct the record.`;
			expect(hinted(await find(value, email))).toContain(sentence);
			expect(hinted(await find(value, email, value))).not.toContain('A record has this value');
			const host = await hostWith({ users: [{ email }] });
			const parameters = { resource: 'user', operation: 'find', field: 'email' };
			const items = [{ value }, { value: 'b@example.test' }];
			const run = await host.execute({ ...parameters, value: '={{ $json.value }}' }, { items });
			expect(run.items).toEqual([]);
			expect(hinted(run)).toContain(sentence);
		},
	);

	it('is said of texts alone: spaces in hours or a time mean nothing', async () => {
		const host = await hostWith({ users: [{ at: '2020-01-01T00:00:00Z' }] });
		for (const [condition, value] of [
			['withinLastHours', ' 8'],
			['after', '2025-01-01 '],
			['notEquals', '2020-01-01T00:00:00Z '],
		]) {
			const run = await list(host, conditions(['at', condition, value]));
			expect(run.items).toEqual([]);
			expect(hinted(run)).not.toContain('check Value');
		}
	});

	it.each([
		['ß@example.test', 'SS@example.test', true],
		['MÜLLER@example.test', 'müller@example.test', true],
		['MIKE@example.test', 'mi\u212ae@example.test', true],
		['MIKE@example.test', 'mike@EXAMPLE.test', false],
		['Müller', 'MüLLER', false],
		['Mu\u0308ller', 'M\u00fcLLER', false],
	])('%j finds %j, with other letters: %j', async (value, email, isStated) => {
		const run = await find(value, email, 'mıke@example.test');
		expect(run.items).toEqual([{ id: 0, email }]);
		const warning =
			'A record was found by other letters than those of Value, which count as the same, as ß and ss do';
		expect(hinted(run).includes(warning)).toBe(isStated);
	});

	it('finds the address that is spelled as asked for, wherever it stands', async () => {
		const users = synthetic('users', 300).map((user, id) => ({
			...{ ...user, id, email: `u${id}@x.test` },
		}));
		const spelled = (...all: Array<[number, string]>) =>
			users.map((user, id) => ({ ...user, email: new Map(all).get(id) ?? user.email }));
		const of = async (records: IDataObject[]) => {
			const host = await hostWith({ users: records });
			const parameters = { operation: 'find', field: 'email', value: 'Mike@x.test' };
			const run = await host.execute({ resource: 'user', ...parameters });
			return [run.items.map(({ id }) => id), requestedPages(host).length, hinted(run)];
		};
		const letters = expect.stringContaining('other letters than those of Value') as string;
		const none = expect.not.stringContaining('other letters') as string;
		expect(await of(spelled([3, 'mike@x.test'], [7, 'Mike@x.test']))).toEqual([[7], 1, none]);
		expect(await of(spelled([3, 'mi\u212ae@x.test'], [250, 'Mike@x.test']))).toEqual([
			[250],
			2,
			none,
		]);
		expect(await of(spelled([3, 'MIKE@x.test'], [250, 'mike@x.test']))).toEqual([[3], 2, none]);
		expect(await of(spelled([3, 'mi\u212ae@x.test']))).toEqual([[3], 2, letters]);
	});

	const states = ['arrived', 'left', 'expected', 'Arrived', 'no show', 'denied'];

	it.each<[string, string, unknown[], string | undefined]>([
		['a status', 'state', states, states.join(', ')],
		['a status further in', 'visit.checkInStatus', ['in', 'out'], 'in, out'],
		['true and false', 'active', [true, false], 'true, false'],
		['more than six', 'state', [...states, 'lost'], undefined],
		['long ones', 'state', ['a'.repeat(25)], undefined],
		['personal data', 'name', ['Anna', 'Ben'], undefined],
		['an address as a type', 'type', ['anna@example.test'], undefined],
	])('names the values of a field if nothing equals one: %s', async (_, field, values, list) => {
		const [name = '', inner] = field.split('.');
		const visits = values.map((value, id) => ({
			...{ id, [name]: inner === undefined ? value : { [inner]: value } },
		})) as IDataObject[];
		const host = await hostWith({ visits });
		const parameters = { resource: 'visit', operation: 'find', field, value: 'here' };
		const run = await host.execute(parameters);
		const { error } = await host.execute({ ...parameters, options: { ifNotFound: 'error' } });
		const notes = list === undefined ? '' : `Values of "${field}" that were read: ${list}.`;
		expect(/Values of .*\./.exec(hinted(run))?.[0] ?? '').toBe(notes);
		expect(error?.description).toContain(notes);
		expect(JSON.stringify([hinted(run), error])).not.toContain('anna@');
	});

	it('rejects a number that n8n has rounded', async () => {
		const { error } = await find('={{ 9007199254740993 }}', 'a@example.test');
		expect(error).toMatchObject({
			message:
				'The value of the condition on "email" is a number beyond 9,007,199,254,740,991, which n8n rounds.',
			description: 'Pass it as text: in JSON with quotes around it.',
		});
	});
});

describe('Other List', () => {
	const badges = { list: { paths: { visits: 'users/7/badges' } } };
	const other = { resource: 'other', pathSegment: '/users/7/badges/' };

	it('lists and finds what is at any path, with the words of the path', async () => {
		const records = Array.from({ length: 130 }, (_, index) => ({
			badgeId: `badge-${index}`,
			state: index === 70 ? 'lost' : 'in use',
		}));
		const host = await hostWith({ visits: records }, { switches: badges });
		const every = await list(host, other);
		expect(every.items).toEqual(records);
		expect(every.hints[0]?.message).toMatch(/^Read 130 badges \(2 pages/);
		const lost = await list(host, { ...other, ...conditions(['state', 'equals', 'lost']) });
		expect(lost.items).toEqual([records[70]]);
		const find = { operation: 'find', field: 'state', value: 'lost' };
		const found = await list(host, { ...other, ...find });
		expect(found.items).toEqual([records[70]]);
	});

	it.each([
		...['', ' ', '..', 'a/../b', 'a//b', 'a/./b', 'a#b', '%2e%2e/b', 'a\\b'],
		'//host/a/..',
	])('rejects the path %j, because the token would go there', async (pathSegment) => {
		const host = await hostWith({ users: 1 });
		const { error } = await list(host, { resource: 'other', pathSegment });
		expect(error?.message).toBe('Path Segment is empty or not a valid path.');
		expect(host.service.requests).toEqual([]);
	});

	it.each([
		['visits?state=arrived', 'Path Segment holds a query.', 'Query Parameters'],
		['https://a.example/api/external/v2/visits?x=1', 'Path Segment is a whole URL.', 'Cut off'],
	])('says what to do with the rest of %j', async (pathSegment, message, remedy) => {
		const host = await hostWith({ users: 1 });
		const { error } = await list(host, { resource: 'other', pathSegment });
		expect(error?.message).toBe(message);
		expect(error?.description).toContain(remedy);
		expect(host.service.requests).toEqual([]);
	});
});

describe('Query Parameters', () => {
	const query = (...parameters: IDataObject[]) =>
		({ resource: 'visit', options: { queryParameters: { parameters } } }) as INodeParameters;

	it('are sent with each page as they are', async () => {
		const host = await hostWith({ visits: 250 });
		const run = await list(host, query({ name: 'siteId', value: 'a b&c=ä,' }));
		expect(run.items).toHaveLength(250);
		expect(requestedPages(host).map(({ siteId }) => siteId)).toEqual(Array(2).fill('a b&c=ä,'));
	});

	it.each([
		...['page', 'pageSize', 'sort', 'updatedSince', 'PAGESIZE'],
		...['__proto__', 'constructor', 'prototype'],
	])('must not hold %s, which the node sets or n8n does not send', async (name) => {
		const host = await hostWith({ visits: 5 });
		const { error } = await list(host, query({ name, value: '1' }));
		expect(error?.message).toBe(`Query Parameters must not hold "${name}".`);
		expect(host.service.requests).toEqual([]);
	});

	it.each([
		['A query parameter has no name.', [{ name: ' ', value: '1' }]],
		[
			'The query parameter "siteId" has no value.',
			[{ name: 'siteId', value: '={{ $json.site }}' }],
		],
		[
			'The query parameter "siteId" is set twice.',
			[
				{ name: 'siteId', value: '1' },
				{ name: 'siteId', value: '2' },
			],
		],
	])('must have one name and a value: %s', async (message, parameters) => {
		const { error } = await list(await hostWith({ visits: 5 }), query(...parameters));
		expect(error?.message).toBe(message);
	});
});

describe('The fields offered in the editor', () => {
	const offered = async (host: MemoryHost, parameters: INodeParameters = {}) =>
		(await host.loadOptions('getFields', { resource: 'user', ...parameters })).map(
			({ value }) => value,
		);

	it('are those of the records, with their dot paths, each once', async () => {
		const users = [
			{ id: 1, name: 'a' },
			{ id: 2, host: { name: 'b', desk: { floor: 1 } }, visits: [{ room: 1 }, { host: 'c' }] },
		];
		expect(await offered(await hostWith({ users }))).toEqual(
			'id name host host.name host.desk host.desk.floor visits visits.room visits.host'.split(' '),
		);
	});

	it('are those that hold what is typed', async () => {
		const users = [{ id: 1, firstName: 'a', host: { name: 'b' } }];
		const host = await hostWith({ users });
		const search = async (filter?: string) =>
			await host.searchList('searchFields', { resource: 'user' }, filter);
		expect(await search('NAME')).toEqual([
			{ name: 'firstName', value: 'firstName' },
			{ name: 'host.name', value: 'host.name' },
		]);
		expect(await search()).toHaveLength(4);
	});

	it('are those of the list that is set up', async () => {
		const envelope = { template: { other: [{ id: 'x' }], deep: { list: '{records}' } } };
		const switches = { list: { envelope, paths: { visits: 'meetings' } } };
		const host = await hostWith({ visits: 3 }, { switches });
		const queryParameters = { parameters: [{ name: 'siteId', value: '7' }] };
		const options = { itemsPath: 'deep.list', queryParameters };
		const parameters = { resource: 'visit', pathSegment: 'meetings' };
		const fields = await offered(host, { ...parameters, options });
		expect(fields).toEqual(Object.keys(syntheticRecord('visits', 1)));
		// The editor asks again when one of them changes.
		expect(fieldsOfList.loadOptionsDependsOn).toEqual([
			...Object.keys(parameters),
			...Object.keys(options).map((name) => `options.${name}`),
		]);
		expect(requestedPages(host)).toEqual([expect.objectContaining({ siteId: '7' })]);
	});

	it('are none if the list is empty, and an error without a secret if it cannot be read', async () => {
		const host = await hostWith({});
		expect(await offered(host)).toEqual([]);
		const failed = offered(host, { resource: 'visit', pathSegment: 'no-such-list' });
		await expect(failed).rejects.toThrow(/has nothing at \/api\/external\/v2\/no-such-list/);
		await expect(failed).rejects.toThrow(/check .* To type .* choose By Name or Expression\.$/i);
		expect(JSON.stringify(await failed.catch((error: unknown) => error))).not.toContain(
			host.service.clientSecret,
		);
	});
});
