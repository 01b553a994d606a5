import { gunzipSync } from 'node:zlib';

import {
	type DeepPartial,
	type JsonObject,
	type ListSwitches,
	resources,
	syntheticRecord,
} from '../../reference-service';
import { referenceServices } from './services';

const start = referenceServices();

async function seeded(list: DeepPartial<ListSwitches> = {}, count = 10) {
	const running = await start({ switches: { list: { envelope: 'array', ...list } } });
	await running.service.seed('users', count);
	const ids = async (target?: string) => {
		const { json, text } = await running.list(target);
		if (!Array.isArray(json)) throw new Error(`No list: ${text}`);
		return (json as Array<{ id: string }>).map(({ id }) => Number(id.slice(-6)));
	};
	return { ...running, ids };
}

describe('what records show besides', () => {
	it('a photo of each answer, or of each hour, which may differ in its signature only', async () => {
		const { list } = await seeded({ renewed: { every: 'answer', as: 'path' } }, 1);
		const photoOf = async () => ((await list()).json as JsonObject[])[0]?.photo;
		expect(await photoOf()).not.toBe(await photoOf());
		const hourly = await seeded({ renewed: { every: 3_600_000, as: 'signature' } }, 1);
		const { json } = await hourly.list();
		expect((json as JsonObject[])[0]?.photo).toMatch(
			/^https:\/\/photos\.example\.test\/7\?expires=(\d+)&size=90&Signature=\1$/,
		);
	});

	it('no creation time, or one of another clock, and another zero for no update', async () => {
		const none = await seeded({ createdAtField: null }, 1);
		expect(((await none.list()).json as JsonObject[])[0]).not.toHaveProperty('createdAt');
		const own = { createdAheadMs: 60_000, neverUpdated: 'null', neverUpdatedAs: 0 } as const;
		const { list, service } = await seeded(own, 0);
		const time = '2026-01-01T00:00:00.000Z';
		await service.upsert('users', { id: 'a', createdAt: time, updatedAt: time });
		const shown = { id: 'a', createdAt: '2026-01-01T00:01:00.000Z', updatedAt: 0 };
		expect((await list()).json).toEqual([shown]);
	});
});

describe('pages', () => {
	it('pages start at 0 and end with an empty one', async () => {
		const { ids } = await seeded();
		expect(await ids('users?page=0&pageSize=4')).toEqual([1, 2, 3, 4]);
		expect(await ids('users?page=2&pageSize=4')).toEqual([9, 10]);
		expect(await ids('users?page=3&pageSize=4')).toEqual([]);
	});

	it('defaultPageSize is for requests without one', async () => {
		const { ids } = await seeded({ defaultPageSize: 3 });
		expect(await ids('users?page=1')).toEqual([4, 5, 6]);
		expect(await ids()).toEqual([1, 2, 3]);
	});

	it.each([
		['clamp', [4, 5, 6]],
		['clampKeepingOffsetOfAskedSize', [6, 7, 8]],
		['useDefault', [3, 4]],
	] as const)('answers a page size over the maximum with %s', async (beyondMaximum, expected) => {
		const { ids } = await seeded({ maxPageSize: 3, defaultPageSize: 2, beyondMaximum });
		expect(await ids('users?page=1&pageSize=5')).toEqual(expected);
		expect(await ids('users?page=1&pageSize=3')).toEqual([4, 5, 6]);
	});

	it('beyondMaximum error', async () => {
		const { list } = await seeded({ maxPageSize: 3, beyondMaximum: 'error' });
		expect(await list('users?pageSize=4')).toMatchObject({
			status: 400,
			json: { error: 'bad_request', message: 'pageSize must be at most 3.' },
		});
	});

	it('ignores the page size if pageSizeIgnored is set', async () => {
		const { ids } = await seeded({ pageSizeIgnored: true, defaultPageSize: 4 });
		expect(await ids('users?page=1&pageSize=2')).toEqual([5, 6, 7, 8]);
		expect(await ids('users?pageSize=none')).toEqual([1, 2, 3, 4]);
	});

	it('returns the first page for every page if pageIgnored is set', async () => {
		const { ids } = await seeded({ pageIgnored: true });
		expect(await ids('users?page=4&pageSize=2')).toEqual([1, 2]);
	});

	it('firstPageNumber 1 and pageBeforeFirst', async () => {
		const { ids, list, service } = await seeded({ firstPageNumber: 1 });
		expect(await ids('users?page=1&pageSize=2')).toEqual([1, 2]);
		expect(await ids('users?page=2&pageSize=2')).toEqual([3, 4]);
		expect(await ids('users?pageSize=2')).toEqual([1, 2]);
		expect(await ids('users?page=0&pageSize=2')).toEqual([1, 2]);
		service.set({ list: { pageBeforeFirst: 'empty' } });
		expect(await ids('users?page=0&pageSize=2')).toEqual([]);
		service.set({ list: { pageBeforeFirst: 'error' } });
		expect((await list('users?page=0')).status).toBe(400);
		service.set({ list: { envelope: 'data' } });
		expect((await list('users?page=2&pageSize=2')).json).toMatchObject({ page: 2, totalPages: 5 });
	});

	it('answers a page after the end as pageBeyondEnd says', async () => {
		const { ids, list, service } = await seeded({ pageBeyondEnd: 'lastPage' });
		expect(await ids('users?page=9&pageSize=4')).toEqual([9, 10]);
		service.set({ list: { pageBeyondEnd: 'error' } });
		expect((await list('users?page=3&pageSize=4')).status).toBe(400);
		expect(await ids('users?page=2&pageSize=4')).toEqual([9, 10]);
	});

	it('hiddenAfterPaging by number and by predicate, totalCountsHidden', async () => {
		const { ids, list, service } = await seeded({ hiddenAfterPaging: 3 });
		expect(await ids('users?page=0&pageSize=4')).toEqual([1, 2, 4]);
		expect(await ids('users?page=1&pageSize=4')).toEqual([5, 7, 8]);
		service.set({ list: { hiddenAfterPaging: ({ lastName }) => lastName === '000002' } });
		expect(await ids('users?page=0&pageSize=4')).toEqual([1, 3, 4]);
		service.set({ list: { envelope: 'data' } });
		expect((await list()).json).toMatchObject({ total: 10 });
		service.set({ list: { totalCountsHidden: false } });
		expect((await list()).json).toMatchObject({ total: 9 });
	});

	it('repeats the last records of a page on the next one', async () => {
		const { ids } = await seeded({ duplicatesAcrossPages: 2 });
		expect(await ids('users?page=0&pageSize=4')).toEqual([1, 2, 3, 4]);
		expect(await ids('users?page=1&pageSize=4')).toEqual([3, 4, 5, 6, 7, 8]);
		expect(await ids('users?page=2&pageSize=4')).toEqual([7, 8, 9, 10]);
		expect(await ids('users?page=3&pageSize=4')).toEqual([]);
	});

	it.each(['page=-1', 'page=1.5', 'page=x', 'page=', 'pageSize=0', 'pageSize=-1', 'pageSize=x'])(
		'refuses the parameter %s',
		async (query) => {
			const { ids, list, service } = await seeded({ defaultPageSize: 2 });
			expect((await list(`users?${query}`)).status).toBe(400);
			service.set({ list: { badParameter: { status: 422, body: 'html' } } });
			const answer = await list(`users?${query}`);
			expect(answer.status).toBe(422);
			expect(answer.text).toMatch(/^<!doctype html>/);
			service.set({ list: { badParameters: 'ignored' } });
			expect(await ids(`users?${query}`)).toEqual([1, 2]);
		},
	);

	it('refuses unknown parameters only if it is told to', async () => {
		const { list, service } = await seeded();
		expect((await list('users?limit=3')).status).toBe(200);
		service.set({ list: { unknownParameters: 'refused' } });
		expect((await list('users?limit=3')).status).toBe(400);
		expect(
			(await list('users?page=0&pageSize=1&sort=id&updatedSince=2020-01-01T00:00:00Z')).status,
		).toBe(200);
	});
});

describe('records', () => {
	it('idField and updatedAtField, also nested, also none', async () => {
		const { list, service } = await seeded(
			{ idField: 'key.uuid', updatedAtField: 'meta.changed' },
			1,
		);
		const { id, updatedAt, ...others } = syntheticRecord('users', 1);
		expect((await list()).json).toEqual([
			{ key: { uuid: id }, ...others, meta: { changed: updatedAt } },
		]);
		service.set({ list: { idField: null, updatedAtField: null } });
		expect((await list()).json).toEqual([others]);
	});

	it.each([
		['iso', '2026-03-04T05:06:07.089Z'],
		['isoSeconds', '2026-03-04T05:06:07Z'],
		['isoMicroseconds', '2026-03-04T05:06:07.089000Z'],
		['isoOffset', '2026-03-04T03:36:07.089-01:30'],
		['isoLocal', '2026-03-04T03:36:07.089'],
		['epochMs', Date.UTC(2026, 2, 4, 5, 6, 7, 89)],
		['epochS', Date.UTC(2026, 2, 4, 5, 6, 7) / 1000],
		['epochSText', String(Date.UTC(2026, 2, 4, 5, 6, 7) / 1000)],
	] as const)('writes update times in the format %s', async (updatedAtFormat, expected) => {
		const { list, service } = await seeded({ updatedAtFormat, zoneOffsetMinutes: -90 });
		await service.seed('users', [
			{ id: 1, updatedAt: '2026-03-04T05:06:07.089Z' },
			{ id: 2, updatedAt: 'never' },
			{ id: 3 },
		]);
		expect((await list()).json).toEqual([
			{ id: 1, updatedAt: expected },
			{ id: 2, updatedAt: 'never' },
			{ id: 3 },
		]);
	});

	it('seeds records by count in the id style of the switch, or as given', async () => {
		const { list, service } = await start({ switches: { seeding: { idStyle: 'integer' } } });
		for (const resource of resources) {
			await service.seed(resource, 2);
			expect((await list(resource)).json).toMatchObject({
				data: [syntheticRecord(resource, 1, 'integer'), syntheticRecord(resource, 2, 'integer')],
				total: 2,
			});
		}
		await service.seed('tasks', [{ a: 1 }, { a: 1 }]);
		expect((await list('tasks')).json).toMatchObject({ data: [{ a: 1 }, { a: 1 }] });
		expect(service.count('tasks')).toBe(2);
	});

	it('records are added at the end, replaced in place, removed', async () => {
		const { ids, list, service } = await seeded({}, 3);
		await service.upsert('users', { id: 'user-000009', updatedAt: '2020-01-01T00:00:00Z' });
		await service.upsert('users', {
			id: 'user-000002',
			name: 'changed',
			updatedAt: '2020-01-01T00:00:00Z',
		});
		expect(await ids()).toEqual([1, 2, 3, 9]);
		expect((await list('users?page=1&pageSize=1')).json).toEqual([
			{ id: 'user-000002', name: 'changed', updatedAt: '2020-01-01T00:00:00Z' },
		]);
		await service.remove('users', 'user-000001');
		await service.remove('users', 'user-000001');
		expect(await ids()).toEqual([2, 3, 9]);
	});

	it("records get an update time of the service's clock if they are upserted without one", async () => {
		const { list, service } = await start({
			clock: () => Date.UTC(2026, 5, 1),
			switches: { clockOffsetMs: -1_000 },
		});
		await service.upsert('users', { id: 1 });
		expect((await list()).json).toMatchObject({
			data: [{ id: 1, updatedAt: '2026-05-31T23:59:59.000Z' }],
		});
	});
});

describe('order', () => {
	const users: JsonObject[] = [
		{ id: 10, name: 'b', updatedAt: '2026-01-01T00:00:02Z' },
		{ id: 9, name: 'c', updatedAt: '2026-01-01T00:00:01Z' },
		{ id: 8, updatedAt: '2026-01-01T00:00:03Z' },
		{ id: 7, name: 'a', updatedAt: '2026-01-01T00:00:01Z' },
	];

	async function order(list: Partial<ListSwitches>, query = '') {
		const running = await start({ switches: { list: { envelope: 'array', ...list } } });
		await running.service.seed('users', users);
		const answer = await running.list(`users${query}`);
		return Array.isArray(answer.json)
			? (answer.json as Array<{ id: number }>).map(({ id }) => id)
			: answer.status;
	}

	it.each([
		['insertion', [10, 9, 8, 7]],
		['id', [7, 8, 9, 10]],
		['updatedAt', [9, 7, 10, 8]],
		['updatedAtDescending', [8, 10, 9, 7]],
	] as const)('lists records in the natural order %s', async (naturalOrder, expected) => {
		expect(await order({ naturalOrder })).toEqual(expected);
	});

	it.each([
		['field,desc', 'name,desc'],
		['field:desc', 'name:desc'],
		['field desc', 'name+desc'],
		['-field', '-name'],
	] as const)('sorts by the spelling %s', async (spelling, sort) => {
		const sortSpellings = [spelling];
		expect(await order({ sortSpellings }, `?sort=${sort}`)).toEqual([8, 9, 10, 7]);
		expect(await order({ sortSpellings }, '?sort=name')).toEqual([7, 10, 9, 8]);
		expect(await order({ sortSpellings: [] }, `?sort=${sort}`)).toEqual([10, 9, 8, 7]);
		expect(await order({ sortSpellings: [] }, '?sort=name')).toEqual([10, 9, 8, 7]);
	});

	it('unknownSort error, for a spelling and for a field', async () => {
		expect(await order({ unknownSort: 'error' }, '?sort=-name')).toBe(400);
		expect(await order({ unknownSort: 'error' }, '?sort=nothing')).toBe(400);
		expect(await order({ unknownSort: 'error' }, '?sort=id,asc')).toEqual([7, 8, 9, 10]);
	});

	it('goes by the names that records show', async () => {
		const list = { idField: 'userId', updatedAtField: 'changed' };
		expect(await order(list, '?sort=userId,asc')).toHaveLength(4);
		expect(await order({ ...list, unknownSort: 'error' }, '?sort=createdAt')).toBe(400);
		expect(await order({ ...list, unknownSort: 'error' }, '?sort=changed')).toHaveLength(4);
	});

	it('keeps order only until records change', async () => {
		const { ids, service } = await seeded({}, 3);
		expect(await ids('users?sort=id,desc')).toEqual([3, 2, 1]);
		await service.upsert('users', { id: 'user-000004' });
		expect(await ids('users?sort=id,desc')).toEqual([4, 3, 2, 1]);
	});
});

describe('updatedSince', () => {
	const at = Date.UTC(2026, 0, 1, 12, 0, 0, 500);
	const users = [-1_000, -1, 0, 1, 1_000].map((offset, index) => ({
		id: index,
		updatedAt: new Date(at + offset).toISOString(),
	}));

	async function since(
		text: string,
		updatedSince: Partial<ListSwitches['updatedSince']> = {},
		others: Partial<ListSwitches> = {},
	) {
		const running = await start({
			switches: { list: { envelope: 'array', ...others, updatedSince } },
		});
		await running.service.seed('users', users);
		const { json, status } = await running.list(`users?updatedSince=${encodeURIComponent(text)}`);
		return Array.isArray(json) ? (json as Array<{ id: number }>).map(({ id }) => id) : status;
	}

	const formats = ['iso', 'isoSeconds', 'isoLocal', 'epochMs', 'epochS', 'date'] as const;

	it.each<[string, Array<(typeof formats)[number]>, number[]]>([
		['2026-01-01T12:00:00.500Z', ['iso'], [2, 3, 4]],
		['2026-01-01T13:30:00.500+01:30', ['iso'], [2, 3, 4]],
		['2026-01-01T13:30:00.500+0130', ['iso'], [2, 3, 4]],
		// A service that reads a fraction reads a time without one too.
		['2026-01-01T12:00:00Z', ['iso', 'isoSeconds'], [1, 2, 3, 4]],
		['2026-01-01T13:30:00+01:30', ['iso', 'isoSeconds'], [1, 2, 3, 4]],
		['2026-01-01T14:00:00.500', ['isoLocal'], [2, 3, 4]],
		['2026-01-01T14:00:00', ['isoLocal'], [1, 2, 3, 4]],
		[String(at), ['epochMs'], [2, 3, 4]],
		[String(Math.ceil(at / 1000)), ['epochS'], [4]],
		['2026-01-01', ['date'], [0, 1, 2, 3, 4]],
		['2026-01-02', ['date'], []],
	])(
		'accepts the updatedSince %s in the formats %j and in no other',
		async (text, own, expected) => {
			const zone = { zoneOffsetMinutes: 120 };
			for (const format of formats) {
				const answered = await since(text, { accepted: [format] }, zone);
				expect([format, answered]).toEqual([format, own.includes(format) ? expected : 400]);
			}
			const others = formats.filter((format) => !own.includes(format));
			expect(await since(text, { accepted: others }, zone)).toBe(400);
		},
	);

	it.each(['yesterday', '', '2026-13-01T00:00:00.000Z', '2026-01-01T12:00:00.500 01:00'])(
		'answers the unreadable updatedSince %p as it is told to',
		async (text) => {
			expect(await since(text)).toBe(400);
			expect(await since(text, { unreadable: 'ignored' })).toEqual([0, 1, 2, 3, 4]);
			expect(await since(text, { unreadable: 'empty' })).toEqual([]);
		},
	);

	it('leaves out the records of that very time if inclusive is off', async () => {
		expect(await since(new Date(at).toISOString(), { inclusive: false })).toEqual([3, 4]);
	});

	it('compares whole seconds if the precision is s', async () => {
		const text = new Date(at).toISOString();
		expect(await since(text, { precision: 's' })).toEqual([1, 2, 3, 4]);
		expect(await since(text, { precision: 's', inclusive: false })).toEqual([4]);
	});

	it('returns every user if updatedSince is ignored', async () => {
		expect(await since('2030-01-01T00:00:00Z', { ignored: true })).toEqual([0, 1, 2, 3, 4]);
	});

	it('misreadEpoch takes one unit for the other', async () => {
		const [seconds, milliseconds] = [String(Math.ceil(at / 1000)), String(at)];
		expect(await since(seconds, { accepted: ['epochMs'], misreadEpoch: true })).toHaveLength(5);
		expect(await since(milliseconds, { accepted: ['epochS'], misreadEpoch: true })).toEqual([]);
		expect(await since(milliseconds, { accepted: ['iso'], misreadEpoch: true })).toBe(400);
	});

	it('counts in the total, and leaves out records without a readable time', async () => {
		const { list, service } = await start();
		await service.seed('users', [...users, { id: 9 }, { id: 10, updatedAt: 'x' }]);
		const answer = await list(`users?updatedSince=${new Date(at).toISOString()}&pageSize=2`);
		expect(answer.json).toMatchObject({ data: [{ id: 2 }, { id: 3 }], total: 3, totalPages: 2 });
	});

	it('updatedSince is for users only', async () => {
		const { list, service } = await start();
		await service.seed('visits', 3);
		expect((await list('visits?updatedSince=2030-01-01T00:00:00Z')).json).toMatchObject({
			total: 3,
		});
		expect((await list('visits?updatedSince=nonsense')).status).toBe(200);
	});
});

describe('paths', () => {
	it('paths and apiVersions of this tenant', async () => {
		const { call, list, token } = await start({
			switches: {
				list: { paths: { companies: 'org/firms', visits: null }, apiVersions: ['v2', 'v3'] },
			},
		});
		expect((await list('org/firms')).status).toBe(200);
		for (const unknown of ['companies', 'visits', 'users/', 'Users', 'users/1']) {
			expect(await list(unknown)).toMatchObject({ status: 404, json: { error: 'not_found' } });
		}
		const headers = { authorization: `Bearer ${await token()}` };
		expect((await call('/api/external/v3/users', { headers })).status).toBe(200);
		expect((await call('/api/external/v1/users', { headers })).status).toBe(404);
	});

	it('unknownPath, inside the API and outside', async () => {
		const { call, list } = await start({
			switches: { list: { unknownPath: { status: 410, body: 'text' } } },
		});
		expect(await list('nothing')).toMatchObject({ status: 410, text: 'There is nothing here.' });
		expect(await call('/')).toMatchObject({ status: 410, text: 'There is nothing here.' });
		expect((await list('nothing', { authorization: null })).status).toBe(401);
	});

	it('lists are read with GET', async () => {
		const { call, token } = await start();
		const headers = { authorization: `Bearer ${await token()}` };
		const answer = await call('/api/external/v2/users', { method: 'DELETE', headers });
		expect(answer).toMatchObject({ status: 405, headers: { allow: 'GET' } });
	});

	it('redirectTo keeps path and query', async () => {
		const { list } = await start({
			switches: { list: { redirectTo: 'http://127.0.0.1:1/', redirectStatus: 302 } },
		});
		expect(await list('users?page=1&sort=a%2Cdesc')).toMatchObject({
			status: 302,
			headers: { location: 'http://127.0.0.1:1/api/external/v2/users?page=1&sort=a%2Cdesc' },
		});
	});
});

describe('answers', () => {
	it.each([
		['json', 'application/json; charset=utf-8', /^\{"error":"not_found","message":"There/],
		[
			'problem',
			'application/problem+json',
			/^\{"type":"about:blank","title":"not_found","status":404/,
		],
		[
			'nested',
			'application/json; charset=utf-8',
			/^\{"error":\{"code":"not_found","message":"There/,
		],
		['errors', 'application/json; charset=utf-8', /^\{"errors":\[\{"code":"not_found"/],
		['text', 'text/plain; charset=utf-8', /^There is nothing here\.$/],
		['html', 'text/html; charset=utf-8', /<h1>404 not_found<\/h1>/],
		['empty', undefined, /^$/],
	] as const)('sends errors with the body %s', async (body, type, text) => {
		const { list } = await start({ switches: { errors: { body } } });
		const answer = await list('nothing');
		expect(answer.status).toBe(404);
		expect(answer.headers['content-type']).toBe(type);
		expect(answer.text).toMatch(text);
	});

	it('gzip, for those who accept it', async () => {
		const { list, service, token, call } = await seeded({ gzip: true }, 100);
		expect((await list()).headers['content-encoding']).toBeUndefined();
		const answer = await call('/api/external/v2/users', {
			headers: { authorization: `Bearer ${await token()}`, 'accept-encoding': 'gzip, br' },
		});
		expect(answer.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
		expect(Number(answer.headers['content-length'])).toBeLessThan(5_000);
		expect(service.requests.at(-1)?.status).toBe(200);
	});

	it('gzip is the same content', async () => {
		const { service, token } = await seeded({ gzip: true }, 3);
		const { request } = await import('undici');
		const { body } = await request(`${service.url}/api/external/v2/users`, {
			headers: { authorization: `Bearer ${await token()}`, 'accept-encoding': 'gzip' },
		});
		const content: unknown = JSON.parse(gunzipSync(await body.arrayBuffer()).toString());
		expect(content).toEqual([1, 2, 3].map((number) => syntheticRecord('users', number)));
	});

	it('contentType and byteOrderMark', async () => {
		const { list } = await seeded({ contentType: 'application/hal+json', byteOrderMark: true }, 0);
		const answer = await list();
		expect(answer.headers['content-type']).toBe('application/hal+json');
		expect(answer.headers['content-length']).toBe('5');
	});

	it('dateHeader and extraHeaders', async () => {
		const { list } = await start({
			switches: { dateHeader: false, extraHeaders: { 'x-request-id': 'r1' } },
		});
		const answer = await list();
		expect(answer.headers.date).toBeUndefined();
		expect(answer.headers['x-request-id']).toBe('r1');
	});

	it('latencyMs and latencyJitterMs', async () => {
		const { list, service, token } = await seeded({ latencyMs: 40, latencyJitterMs: 20 });
		const authorization = `Bearer ${await token()}`;
		const began = performance.now();
		expect((await list('users', { authorization })).status).toBe(200);
		// A timer may fire up to a millisecond early.
		expect(performance.now() - began).toBeGreaterThanOrEqual(39);

		service.set({ list: { latencyMs: 0, latencyJitterMs: 3_600_000 } });
		const calls = [1, 2, 3, 4].map(() => list('users', { authorization }));
		const ended = Promise.allSettled(calls);
		while (service.requests.length < 6) await new Promise(setImmediate);
		expect(service.summary().peakInFlight).toBe(4);
		await service.stop();
		expect((await ended).map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
	});
});

describe('onListRequest', () => {
	it('changes the list before the page is cut, until it is taken away', async () => {
		const { ids, service } = await seeded({}, 6);
		const seen: unknown[] = [];
		const remove = service.onListRequest(async ({ page, number, resource, query }) => {
			seen.push([resource, page, number, query]);
			if (page === 1) await service.remove('users', 'user-000001');
		});
		expect(await ids('users?pageSize=2')).toEqual([1, 2]);
		expect(await ids('users?page=1&pageSize=2')).toEqual([4, 5]);
		remove();
		expect(await ids('users?page=2&pageSize=2')).toEqual([6]);
		expect(seen).toEqual([
			['users', 0, 1, { pageSize: '2' }],
			['users', 1, 2, { page: '1', pageSize: '2' }],
		]);
	});
});
