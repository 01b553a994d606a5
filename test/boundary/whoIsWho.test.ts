/**
 * What decides who is who, part by part: a key without one of its parts, a list without one of its
 * names, a call that is missing.
 */
import type { NodeOperationError } from 'n8n-workflow';
import { MemoryHost, type NodeSettings } from '../host/memoryHost';
import { PublishedWorkflow } from '../host/publishedWorkflow';
import { diagnose, hostWith, list, requestedPages, tokenRequests } from './listedHost';
import { SECRET, sign, signed, Trigger } from './webhook/trigger';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

it('many items with an expired token request another one once, if it is denied', async () => {
	const host = await hostWith({ users: 3 }, { switches: { token: { lifetimeSeconds: 60 } } });
	await list(host);
	host.time.pass(2 * MINUTE);
	host.service.clearRequests();
	host.service.set({ token: { force: { status: 401 } } });
	await list(host, {}, { onError: 'continueRegularOutput', items: Array(20).fill({}) });
	expect(tokenRequests(host)).toHaveLength(1);
});

it('a list does not end with pages that are forbidden', async () => {
	const host = await hostWith({ users: 60 }, { switches: { list: { metadata: 'none' } } });
	const pageFaults = [2, 3, 4, 5, 6].map((page) => ({ page, fault: { status: 403 }, times: 0 }));
	host.service.set({ list: { pageFaults } });
	const { error, items } = await list(host, { options: { pageSize: 10, concurrency: 1 } });
	expect(items).toEqual([]);
	expect(error?.message).toContain('status 403');
});

it('no page is read ahead after one that failed', async () => {
	const host = await hostWith({ users: 200 });
	host.service.set({ list: { pageFaults: [{ page: 2, fault: { status: 500 }, times: 0 }] } });
	host.service.onListRequest(async ({ page }) => {
		if (page === 1) await host.time.sleep(5 * SECOND);
	});
	await list(host, { options: { pageSize: 10, concurrency: 4 } });
	const last = Math.max(...requestedPages(host).map(({ page }) => Number(page)));
	expect(last).toBeLessThanOrEqual(6);
});

it('a finding does not repeat the token, bare in a text of the service', async () => {
	const host = await hostWith({ users: 300 }, { switches: { token: { prefix: 'tok-' } } });
	const tokens = new Set<string>();
	host.network.intercept(async (options, send) => {
		const { Authorization = '' } = (options.headers ?? {}) as Record<string, string>;
		if (Authorization !== '') tokens.add(Authorization.replace('Bearer ', ''));
		return await send(options);
	});
	const message = () => `No: ${[...tokens].join(' ')} is bad`;
	const respondWith = () => ({ status: 403, body: { message: message() } });
	host.service.set({ list: { respondWith } });
	const { items } = await diagnose(host);
	expect(tokens.size).toBeGreaterThan(1);
	const issued = [...tokens].filter((token) => token.startsWith('tok-'));
	expect(issued.length).toBeGreaterThan(0);
	const shown = JSON.stringify(items);
	expect(issued.filter((token) => shown.includes(token))).toEqual([]);
});

const CONDITIONS = { conditions: [{ field: 'id', condition: 'isNotEmpty' }] };
const matching = (matchType: string, value = '') => ({
	...{ triggerOn: 'startsToMatch', matchType },
	match: value === '' ? CONDITIONS : { conditions: [{ field: 'id', condition: 'equals', value }] },
});
const query = (value: string) => ({ queryParameters: { parameters: [{ name: 'siteId', value }] } });

/** One part of what names a polled list, before and after; parameters, and options. */
it.each<[part: string, before: object[], after: object[]]>([
	['Trigger On', [{ triggerOn: 'created' }], [{ triggerOn: 'createdOrUpdated' }]],
	['Path Segment', [{}], [{ pathSegment: 'meetings' }]],
	['list', [{}], [{ resource: 'task' }]],
	['Must Match', [matching('all')], [matching('any')]],
	['condition', [matching('all', '1')], [matching('all', '2')]],
	['Items Path', [{}], [{}, { itemsPath: 'two' }]],
	['ID Path', [{}], [{}, { idPath: 'id' }]],
	['Updated At Path', [{}], [{}, { updatedAtPath: 'at' }]],
	['Created At Path', [{}], [{}, { createdAtPath: 'at' }]],
	['query parameter', [{}, query('1')], [{}, query('2')]],
	['ignored field', [{}], [{}, { ignoreFields: 'photo' }]],
	['client', [{}], [{}]],
])('another %s is another list, which is only remembered', async (part, before, after) => {
	const envelope = { template: { one: '{records}', two: '{records}' } };
	const host = new MemoryHost({ switches: { list: { envelope } } });
	const nodes = ([parameters = {}, options = {}]: object[]): NodeSettings[] => [
		{
			node: 'polling',
			parameters: { resource: 'visit', ...parameters, options: { itemsPath: 'one', ...options } },
		},
	];
	const record = (id: number) => ({ id, at: '2026-01-05T08:00:00Z' });
	await host.service.seed('visits', [record(1)]);
	const workflow = new PublishedWorkflow(host, nodes(before));
	await workflow.publish();
	for (const name of ['visits', 'tasks'] as const)
		await host.service.seed(name, [1, 2].map(record));
	if ('pathSegment' in { ...after[0] })
		host.service.set({ list: { paths: { visits: 'meetings' } } });
	if (part === 'client') host.credentials.put('one', host.credential({ clientId: 'another' }));
	// The service knows one client only.
	host.network.intercept(async (options, send) => {
		const body = typeof options.body === 'string' ? options.body : undefined;
		return await send({ ...options, body: body?.replace('=another', `=${host.service.clientId}`) });
	});
	host.time.pass(MINUTE);
	expect(await workflow.publish(nodes(after))).toEqual([]);
	expect(host.logged).toContainEqual(
		expect.stringContaining('it only remembers the list as it is now'),
	);
});

/** Of the credential, but for the last one. */
it.each(['authUrl', 'baseUrl', 'clientId', 'clientSecret', 'scope', 'audience', 'itemsPath'])(
	'an input item with another %s is diagnosed by itself, and one with the same is not',
	async (part) => {
		const sent: number[] = [];
		for (const second of ['', 'other']) {
			const host = await hostWith({ users: 3 });
			const requests = jest.spyOn(host.network, 'httpRequest');
			const fields = host.credential({ scope: '', audience: '' });
			const usual = part === 'itemsPath' ? 'data' : (fields[part] as string);
			const value = '={{ $json.value }}';
			if (part in fields) host.credentials.put('one', { ...fields, [part]: value });
			const options = part === 'itemsPath' ? { itemsPath: value } : {};
			await diagnose(host, options, { items: [{ value: usual }, { value: usual + second }] });
			sent.push(requests.mock.calls.length);
		}
		const [same = 0, other = 0] = sent;
		expect(other).toBeGreaterThan(same);
	},
);

it('each input item is read with its own credential', async () => {
	const host = await hostWith({ users: 3 });
	const { clientSecret } = host.service;
	host.credentials.put('one', host.credential({ clientSecret: '={{ $json.secret }}' }));
	const items = [clientSecret, 'wrong', clientSecret].map((secret) => ({ secret }));
	const run = await list(host, {}, { items, onError: 'continueRegularOutput' });
	expect(run.items).toHaveLength(3 + 1 + 3);
	expect(run.items[3]?.error).toContain('does not accept the client ID and secret');
});

it('what a workflow stores holds no cursor of another one', async () => {
	const published = async (id: string) => {
		const host = await hostWith({ users: 3 });
		const workflow = new PublishedWorkflow(host, [{ node: 'polling', id }]);
		await workflow.publish();
		return workflow.stored;
	};
	expect(await published('first')).toContain('"first"');
	expect(await published('second')).not.toContain('"first"');
});

it.each([
	['waits 10 seconds for a response', 8 * SECOND, true],
	['does not wait longer', 12 * SECOND, false],
])('the menu of fields %s', async (_, latency, isOffered) => {
	const host = await hostWith({ users: 3 }, { switches: { list: { latencyMs: latency } } });
	const offered = host.loadOptions('getFields', { resource: 'user' });
	expect(
		await offered.then(
			({ length }) => length > 0,
			() => false,
		),
	).toBe(isOffered);
});

it('each trigger of a workflow starts it for the same event', async () => {
	const nodes = ['First', 'Second'].map((name) => ({
		node: 'webhook' as const,
		name,
		parameters: { options: { ignoreRepeats: true } },
	}));
	const workflow = new PublishedWorkflow(new Trigger().host, nodes);
	const { body = '', headers } = signed('{"event":"a","id":1}');
	const delivery = { body, headers: headers as Record<string, string> };
	const started: number[] = [];
	for (const trigger of [0, 1, 0, 1]) {
		started.push((await workflow.deliver(delivery, trigger)).items?.length ?? 0);
		await new Promise(setImmediate);
	}
	expect(started).toEqual([1, 1, 0, 0]);
});

it('an error says of which input item it is', async () => {
	const host = await hostWith({ users: 3 });
	const options = { pageSize: '={{ $json.size }}' };
	const { error } = await list(host, { options }, { items: [{ size: 5 }, { size: 0 }] });
	expect((error as NodeOperationError).context.itemIndex).toBe(1);
});

it('a diagnosis follows a redirect to the same origin', async () => {
	const host = await hostWith({ users: 3 });
	const location = `${host.url}/api/external/v2/users`;
	const moved = { status: 302, body: 'moved', headers: { location } };
	// The token that was never issued comes first.
	host.service.set({ list: { faults: ['none', moved] } });
	expect((await diagnose(host)).finding('tokenRevocation')?.observed).toBe(false);
});

it('clocks that agree do so although responses take 800 ms, and tokens come from elsewhere', async () => {
	// The first list is requested at 0.65 s of a second, and answered in the next one.
	const startsAt = Date.UTC(2026, 2, 2, 8) + 50;
	const host = await hostWith({ users: 3 }, { startsAt, latency: () => 400 });
	host.network.intercept(async (options, send) => {
		const response = (await send(options)) as { headers: Record<string, string> };
		if (options.method === 'POST') response.headers.date = new Date(0).toUTCString();
		return response;
	});
	const { finding } = await diagnose(host);
	expect(Math.abs(finding('clockDifference')?.observed as number)).toBe(0);
});

it('deliveries that come together are verified with the credential of their own trigger', async () => {
	const { host } = new Trigger();
	const other = 'another-synthetic-secret';
	host.credentials.put('two', { webhookSecret: other });
	const using = (id: string) => ({ visitorServiceApi: { id, name: id } });
	const workflow = new PublishedWorkflow(host, [{ node: 'webhook', credentials: using('one') }]);
	const body = '{"event":"a","id":1}';
	const deliver = async (secret: string) => {
		const headers = { 'content-type': 'application/json', 'x-signature': sign(body, secret) };
		return (await workflow.deliver({ body, headers })).items?.length;
	};
	const before = deliver(SECRET);
	workflow.nodes = [{ node: 'webhook', credentials: using('two') }];
	expect(await Promise.all([before, deliver(other)])).toEqual([1, 1]);
});
