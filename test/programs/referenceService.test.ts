import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

import {
	type DeepPartial,
	type ListSwitches,
	type ReferenceService,
	type ReferenceServiceOptions,
	startReferenceService,
	syntheticRecord,
} from '../reference-service';
import { controlOf } from '../reference-service/control';

const stops: Array<() => Promise<unknown>> = [];

afterEach(async () => {
	for (const stop of stops.splice(0).reverse()) await stop();
});

async function start(options: ReferenceServiceOptions = {}): Promise<ReferenceService> {
	const service = await startReferenceService(options);
	stops.push(async () => await service.stop());
	return service;
}

async function exchange(service: ReferenceService, changes: Record<string, string> = {}) {
	const { clientId, clientSecret, url } = service;
	const fields = { grant_type: 'client_credentials', client_id: clientId };
	const body = new URLSearchParams({ ...fields, client_secret: clientSecret, ...changes });
	const response = await fetch(`${url}/auth/app-oauth`, { method: 'POST', body });
	return { status: response.status, json: (await response.json()) as Record<string, unknown> };
}

async function list(
	service: ReferenceService,
	target = 'users',
	authorization = `Bearer ${service.issueToken()}`,
) {
	const address = `${service.url}/api/external/v2/${target}`;
	const response = await fetch(address, { headers: { authorization } });
	return { status: response.status, headers: response.headers, body: await response.text() };
}

async function ids(switches: DeepPartial<ListSwitches>, query: string): Promise<number[] | number> {
	const service = await start({ switches: { list: { envelope: 'array', ...switches } } });
	await service.seed('users', 10);
	const { body, status } = await list(service, `users?${query}`);
	if (status !== 200) return status;
	return (JSON.parse(body) as Array<{ id: string }>).map(({ id }) => Number(id.slice(-6)));
}

describe('a page of the reference service', () => {
	it.each<[DeepPartial<ListSwitches>, string, number[] | number]>([
		[{}, 'page=1&pageSize=4', [5, 6, 7, 8]],
		[{}, 'page=-1', 400],
		[{ badParameters: 'ignored', defaultPageSize: 2 }, 'page=-1', [1, 2]],
		[{ defaultPageSize: 3 }, 'page=1', [4, 5, 6]],
		[{ minPageSize: 4 }, 'page=1&pageSize=2', [5, 6, 7, 8]],
		[{ maxPageSize: 3, beyondMaximum: 'error' }, 'pageSize=5', 400],
		[
			{ maxPageSize: 3, beyondMaximum: 'clampKeepingOffsetOfRequestedSize' },
			'page=1&pageSize=5',
			[6, 7, 8],
		],
		[
			{ maxPageSize: 3, defaultPageSize: 2, beyondMaximum: 'useDefault' },
			'page=1&pageSize=5',
			[3, 4],
		],
		[{ pageSizeIgnored: true, defaultPageSize: 4 }, 'page=1&pageSize=2', [5, 6, 7, 8]],
		[{ pageIgnored: true }, 'page=4&pageSize=2', [1, 2]],
		[{ firstPageNumber: 1 }, 'page=2&pageSize=2', [3, 4]],
		[{ firstPageNumber: 1, pageBeforeFirst: 'empty' }, 'page=0&pageSize=2', []],
		[{ pageBeyondEnd: 'lastPage' }, 'page=9&pageSize=4', [9, 10]],
		[{ hiddenAfterPaging: 3 }, 'page=1&pageSize=4', [5, 7, 8]],
		[{ duplicatesAcrossPages: 2 }, 'page=1&pageSize=4', [3, 4, 5, 6, 7, 8]],
		[{ sortSpellings: ['-field'] }, 'pageSize=2&sort=-id', [10, 9]],
		[{ unknownSort: 'error' }, 'sort=nothing', 400],
		[{}, 'updatedSince=2100-01-01T00:00:00Z', []],
		[{}, 'updatedSince=yesterday', 400],
		[{ updatedSince: { unreadable: 'empty' } }, 'updatedSince=yesterday', []],
		[{ updatedSince: { ignored: true } }, 'pageSize=1&updatedSince=yesterday', [1]],
	])('of %j for %s', async (switches, query, expected) => {
		expect(await ids(switches, query)).toEqual(expected);
	});

	const records = [syntheticRecord('users', 3), syntheticRecord('users', 4)];
	const plain = { page: 1, pageSize: 2, total: 5, totalPages: 3 };
	const spring = { totalElements: 5, totalPages: 3, number: 1, size: 2 };

	it.each<[DeepPartial<ListSwitches>, unknown]>([
		[{ envelope: 'array' }, records],
		[{ envelope: 'data' }, { data: records, ...plain }],
		[{ envelope: 'named' }, { users: records, ...plain }],
		[{ envelope: 'resultList' }, { result: { list: records, ...plain } }],
		[{ envelope: 'content' }, { content: records, first: false, last: false, ...spring }],
		[{ envelope: 'embedded' }, { _embedded: { users: records }, page: spring }],
		[{ envelope: { template: { a: '{records}', n: '{total}' } } }, { a: records, n: 5 }],
		[{ metadata: 'none' }, { data: records }],
		[{ metadata: ['hasMore', 'last'] }, { data: records, hasMore: true, last: false }],
	])('is written with %j', async (switches, expected) => {
		const service = await start({ switches: { list: switches } });
		await service.seed('users', 5);
		const { body } = await list(service, 'users?page=1&pageSize=2');
		expect(JSON.parse(body)).toEqual(expected);
	});
});

it('the log of the reference service holds requests in order, and no credentials', async () => {
	const service = await start();
	const { json } = await exchange(service);
	const token = String(json.access_token);
	await exchange(service, { client_secret: 'almost' });
	await list(service, 'users?page=1', `Bearer ${token}`);
	await list(service, 'users', 'Bearer stolen');
	const [first, second, third, fourth] = service.requests;
	expect([first?.form?.client_secret, second?.form?.client_secret]).toEqual([
		'<secret>',
		'<wrong secret>',
	]);
	expect(third).toMatchObject({ query: { page: '1' }, tokenNumber: 1, status: 200, inFlight: 1 });
	expect(fourth?.headers.authorization).toBe('Bearer <unknown token>');
	const shown = JSON.stringify(service.requests);
	for (const secret of [token, 'almost', 'stolen', service.clientSecret])
		expect(shown).not.toContain(secret);
	expect(service.summary().byPath['/api/external/v2/users']).toEqual({ 200: 1, 401: 1 });
});

it('a webhook is signed over its bytes, and sent again until it is accepted', async () => {
	const received: Array<{ headers: Record<string, string>; body: string }> = [];
	const receiver = createServer((request, response) => {
		void text(request).then((body) => {
			received.push({ headers: request.headers as Record<string, string>, body });
			response.writeHead(received.length < 3 ? 500 : 202).end();
		});
	}).listen(0, '127.0.0.1');
	await once(receiver, 'listening');
	stops.push(async () => await new Promise((resolve) => receiver.close(resolve)));
	const service = await start({ switches: { webhooks: { retryScheduleMs: [1, 1] } } });
	const secret = 'reference webhook secret';
	const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
	const event = { event: 'user.updated', id: 'evt-7', data: { id: 1 } };
	const [delivery] = await service.webhooks.send({ url, secret }, [event]);
	await service.webhooks.settled();
	expect(delivery?.statuses).toEqual([500, 500, 202]);
	for (const { headers, body } of received) {
		expect(JSON.parse(body)).toMatchObject({ event: 'user.updated', id: 'evt-7' });
		const signature = createHmac('sha256', secret).update(body).digest('hex');
		expect(headers['x-signature']).toBe(signature);
	}
});

describe('the reference service as a program', () => {
	const program = path.join(__dirname, '..', 'reference-service', 'main.ts');

	function run(options: readonly string[]): ChildProcessByStdio<null, Readable, null> {
		const child = spawn(process.execPath, ['--import', 'tsx', program, ...options], {
			stdio: ['ignore', 'pipe', 'inherit'],
		});
		stops.push(async () => {
			if (child.exitCode !== null) return;
			child.kill('SIGKILL');
			await once(child, 'exit');
		});
		return child;
	}

	it('says where it is, is steered from another process, and ends at SIGINT', async () => {
		const child = run(['--port', '0', '--users', '7', '--switches', '{"list":{"gzip":true}}']);
		let output = '';
		while (!output.includes('Ctrl-C')) output += String(await once(child.stdout, 'data'));
		expect(output).toContain('with 7 users, 50 companies, 200 visits, 100 tasks');
		const control = controlOf(/Tenant API URL +(\S+)/.exec(output)?.[1] ?? '');
		expect((await control.switches()).list.gzip).toBe(true);
		await control.set({ list: { envelope: 'array' } });
		expect((await control.switches()).list.envelope).toBe('array');
		await control.seed('users', 3);
		await expect(control.set({ nothing: 1 } as object)).rejects.toThrow('no switch "nothing"');
		child.kill('SIGINT');
		expect(await once(child, 'exit')).toEqual([0, null]);
	}, 60_000);
});
