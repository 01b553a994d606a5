import { createServer } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import type { INodeParameters } from 'n8n-workflow';

import { listen } from '../loopback';
import { type ReferenceService, syntheticRecord } from '../reference-service';
import type { RunningWorkflow } from './harness/runWorkflow';
import { credentialFor, Process, tenants, until } from './tenants';

type ListSwitches = Parameters<ReferenceService['set']>[0]['list'];

const startService = tenants();

/** A tenant with so many users, and a way to list them. */
async function tenantWith(users: number, list: ListSwitches = {}) {
	const service = await startService({ switches: { list } });
	await service.seed('users', users);
	const process = new Process();
	const used = process.store.add(credentialFor(service));
	const start = (parameters: INodeParameters = {}): RunningWorkflow =>
		process.start(used, { returnAll: true, ...parameters });
	const read = async (parameters?: INodeParameters) => await start(parameters).finished;
	return { service, start, list: read };
}

const users = (count: number) =>
	Array.from({ length: count }, (_, index) => syntheticRecord('users', index + 1));

const requestedPages = ({ requests }: ReferenceService) =>
	requests.filter(({ path }) => path.startsWith('/api/external/')).map(({ query }) => query);

describe('a list in n8n-core', () => {
	it.each<[string, ListSwitches]>([
		['is compressed', { gzip: true }],
		['is called text/plain', { contentType: 'text/plain' }],
		['begins with a byte order mark', { byteOrderMark: true }],
	])('comes whole although a response %s', async (_, switches) => {
		const { list } = await tenantWith(300, switches);
		expect((await list()).json()).toEqual(users(300));
	});
});

it('cancelling the execution ends it within a second, and nothing is sent after', async () => {
	const { start, list, service } = await tenantWith(10_000, { latencyMs: 300 });
	const running = start({ options: { pageSize: 10, concurrency: 8 } });
	await until(() => requestedPages(service).length > 0);
	const cancelledAt = Date.now();
	running.cancel();
	await running.finished.catch(() => undefined);
	expect(Date.now() - cancelledAt).toBeLessThan(1_000);
	service.set({ list: { latencyMs: 0 } });
	const sentOf = (pageSize: string) =>
		requestedPages(service).filter((query) => query.pageSize === pageSize).length;
	// What was on its way by then has arrived when another list has been read.
	await list({ options: { pageSize: 1000 } });
	const sent = sentOf('10');
	await list({ options: { pageSize: 500 } });
	expect(sentOf('10')).toBe(sent);
});

it('a gzip bomb stops at the limit of a page, and its connection is closed', async () => {
	// Each member is a kilobyte, and a megabyte of spaces.
	const member = gzipSync(Buffer.alloc(1024 * 1024, ' '));
	let members = 0;
	const server = createServer((_, response) => {
		response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
		const bomb = function* () {
			for (members = 0; members < 100_000; members++) yield member;
		};
		pipeline(Readable.from(bomb()), response, () => closed());
	});
	let closed: () => void = () => undefined;
	const closing = new Promise<void>((resolve) => {
		closed = resolve;
	});
	const baseUrl = `http://${await listen(server)}`;
	try {
		const service = await startService();
		const process = new Process();
		const used = process.store.add({ ...credentialFor(service), baseUrl });
		const { error } = await process.start(used, { returnAll: true }).finished;
		expect(error?.message).toBe(
			'The response of the service has 65 MB or more. At most 64 MB are read.',
		);
		await closing;
		expect(members).toBeLessThan(50_000);
	} finally {
		server.close();
	}
});
