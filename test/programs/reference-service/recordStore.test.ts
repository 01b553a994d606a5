import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
	type ReferenceService,
	startReferenceService,
	syntheticRecord,
} from '../../reference-service';
import { RecordStore } from '../../reference-service/recordStore';
import { caller } from './services';

describe('a data folder', () => {
	const running: ReferenceService[] = [];
	let dataFolder: string;

	beforeEach(async () => {
		dataFolder = await mkdtemp(join(tmpdir(), 'reference-service-test-'));
	});
	afterEach(async () => {
		await Promise.all(running.splice(0).map((service) => service.stop()));
		await rm(dataFolder, { recursive: true, force: true });
	});
	const start = async () => {
		const service = await startReferenceService({ dataFolder });
		running.push(service);
		return service;
	};

	it('keeps records, their order and their numbers from one run to the next', async () => {
		const first = await start();
		await first.seed('users', 25);
		await first.seed('visits', 3);
		await first.upsert('users', { id: 'user-000002', name: 'changed', updatedAt: 'x' });
		await first.remove('users', 'user-000001');
		await first.stop();

		const second = await start();
		expect([second.count('users'), second.count('visits'), second.count('tasks')]).toEqual([
			24, 3, 0,
		]);
		await second.upsert('users', { id: 'user-new', updatedAt: 'x' });
		await second.upsert('users', { id: 'user-000003', name: 'changed', updatedAt: 'x' });
		await second.stop();

		const third = await start();
		const { json } = await caller(third).list('users?pageSize=100');
		expect(json).toMatchObject({
			data: [
				{ id: 'user-000002', name: 'changed', updatedAt: 'x' },
				{ id: 'user-000003', name: 'changed', updatedAt: 'x' },
				...Array.from({ length: 22 }, (_, index) => syntheticRecord('users', index + 4)),
				{ id: 'user-new', updatedAt: 'x' },
			],
		});
	});

	it('keeps what replaced an earlier seed, and nothing of that', async () => {
		const first = await start();
		await first.seed('users', 12_345);
		await first.seed('users', 3);
		await first.stop();
		expect((await start()).count('users')).toBe(3);
	});

	it('refuses a data folder while another service has it', async () => {
		await start();
		await expect(startReferenceService({ dataFolder })).rejects.toThrow();
	});

	it('does not take tokens over', async () => {
		const first = await start();
		const authorization = `Bearer ${await caller(first).token()}`;
		await first.stop();
		const second = await start();
		expect((await caller(second).list('users', { authorization })).status).toBe(401);
	});
});

describe('RecordStore', () => {
	it('adds a record once, however many add it at the same time', async () => {
		const store = new RecordStore(null);
		const added = await Promise.all([1, 2, 3].map((n) => store.put('users', { id: 'a', n })));
		expect(added).toEqual([true, false, false]);
		expect(store.all('users').map(({ json }) => json)).toEqual(['{"id":"a","n":3}']);
	});

	it('goes on after a change that failed', async () => {
		const store = new RecordStore(null);
		const broken = (function* () {
			yield { id: 1 };
			throw new Error('no more');
		})();
		await expect(store.replace('users', broken)).rejects.toThrow('no more');
		expect(await store.put('users', { id: 2 })).toBe(true);
		expect(store.all('users')).toHaveLength(1);
	});

	it('finds records by number and by text alike', async () => {
		const store = new RecordStore(null);
		await store.replace('users', [{ id: 1 }, { id: '2' }, {}, {}]);
		expect(await store.remove('users', '1')).toBe(true);
		expect(await store.remove('users', 2)).toBe(true);
		expect(await store.remove('users', 3)).toBe(false);
		expect(store.all('users')).toHaveLength(2);
	});
});
