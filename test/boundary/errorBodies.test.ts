import { spellings } from '../host/spellings';
import type { JsonObject } from '../reference-service';
import { hostWith, list } from './listedHost';

const data = [{ id: 1 }];

/** Lists the users of a service that responds to every request with this body, and status 200. */
async function listed(body: JsonObject) {
	const host = await hostWith({}, { switches: { list: { force: { status: 200, body } } } });
	const { error, items } = await list(host, { options: { maxPages: 1 } });
	return error?.message ?? items;
}

it.each<JsonObject>([
	{ errorMessage: 'Failed', data },
	{ err_msg: 'Failed', data },
	{ isError: true, data },
	{ hasErrors: true, data },
	{ failed: true, data },
	{ success: false, data },
	{ ok: 'No', data },
	{ success: 0, data },
	{ status: 'FAILED', data },
	{ code: 400, data },
	{ code: 599, data },
	{ code: 600 },
	{ code: -1 },
	{ success: true, error: 'Failed' },
	{ success: true, error: { text: 'Failed' }, data },
	// An empty list beside an error.
	{ code: 'FAIL', message: 'DB down', data: [] },
	{ fault: { code: 500 }, data: [] },
	{ error: 1234, data: [] },
	{ error: { number: 17 }, data: [] },
	{ errors: [{ code: 1001 }], data: [] },
	{ success: false, message: '<b>Internal error</b>', data: [] },
	{ success: false, errors: ['Database is down'], data: [] },
	{ success: false, message: 'Company not found', data: [] },
	// That there is no such page may be true of a later one.
	{ errors: [{ status: '404', title: 'Not Found' }] },
	{ error: { code: 'NOT_FOUND' } },
	{ fault: { code: 404 } },
])('a body says that the request failed, although its status is 200: %j', async (body) => {
	expect(await listed(body)).toBe(
		'The service rejected the request, but responded with a success status.',
	);
});

it.each<JsonObject>([
	{ success: true, errorMessage: 'Failed', data },
	{ success: true, error: 'Failed', data },
	{ success: 'true', error: 'Failed', data },
	{ isError: false, data },
	{ isError: 'true', data },
	{ success: 'nothing', data },
	{ success: 'piano', data },
	{ status: 5, data },
	{ code: 600, data },
	{ code: -1, data },
	{ code: 399 + 1000, data },
	{ errorMessage: 'Operation completed.', data },
	{ err: { errno: 0, errmsg: 'Done' }, data },
	// What goes with it holds the list if nothing else does.
	{ search: { users: data }, tags: ['x'] },
])('a body is a page, whatever it says beside its records: %j', async (body) => {
	expect(await listed(body)).toEqual(data);
});

it.each<JsonObject>([
	{ success: false, errors: ['No users found'], data: [] },
	{ data: [], errors: [{ code: 404, detail: 'No records found' }] },
	{ status: 'error', errors: [{ message: 'Invalid page' }], data: [] },
	{ error: { message: 'Could not find any users' } },
	{ code: 0 },
])('a body says that there is nobody: %j', async (body) => {
	expect(await listed(body)).toEqual([]);
});

it.each<[status: number, body: JsonObject]>([
	[400, { user: { description: 'Anna is ill' }, error: 'bad sort' }],
	[400, { request: { user: { description: 'Anna is ill' } }, error: { reason: 'bad sort' } }],
	[400, { details: [{ description: 'Anna is ill' }], message: 'bad sort' }],
	[200, { result: { description: 'Anna is ill' }, success: false, error: 'bad sort' }],
])('an error is quoted, and no record beside it: %d %j', async (status, body) => {
	const host = await hostWith({}, { switches: { list: { force: { status, body } } } });
	const { error } = await list(host);
	expect(error?.description).toMatch(/ The service said: "bad sort"\.$/);
});

describe('a secret that the service repeats', () => {
	const TOKEN = 'short-token-0001/+~';
	const base64 = (text: string) => Buffer.from(text).toString('base64');

	const echoes = (secret: string): string[] => [
		...spellings(secret),
		...['', 'a', 'ab', 'abc:', 'Bearer '].flatMap((before) => {
			const encoded = base64(`${before}${secret}`);
			return [encoded, `Basic ${encoded}`, `Basic%20${encoded}`, `${encoded}&x=1`];
		}),
		// Half of it would not be recognized.
		...(/^[!-~]+$/.test(secret) ? [`${' '.repeat(1985)}${secret}`] : []),
	];

	it.each([
		TOKEN,
		'a-secret-0001',
		'with"quotes"0001',
		'with spaces  0001',
		'with\u200bnothing',
		'like-555-123-4567-a-phone',
		'like+49 151 23456789 one',
	])('is not shown, however it is written: %j', async (secret) => {
		const token = { force: { status: 200, body: { access_token: TOKEN } } };
		const host = await hostWith({}, { clientSecret: secret, switches: { token } });
		for (const echo of echoes(secret))
			for (const status of [200, 400]) {
				const body = { success: false, error: `for ${echo} and` };
				host.service.set({ list: { force: { status, body } } });
				const { description = '' } = (await list(host)).error ?? {};
				const [, quoted = 'for'] = / The service said: "(.*)"\.$/.exec(description) ?? [];
				expect(quoted).toMatch(/^for(?: (?:Basic )?…)?(?: and)?…?$/);
			}
	});
});

it.each([
	[
		{ detail: [{ loc: ['query', 'pageNumber'], msg: 'must be >= 1' }] },
		'Check Page if the node has it.',
	],
	[{ message: 'The limit must be less than 100' }, 'Try a smaller Page Size.'],
	[{ modified_after: ['invalid date'] }, 'Check Updated Since, and the format it is sent in.'],
	['"per_page" must be at most 50', 'Try a smaller Page Size.'],
	['"pageSize" must be at most 50', 'Try a smaller Page Size.'],
	[{ errors: { SiteId: [], siteId: ['unknown'] } }, 'Check the query parameter "siteId".'],
	[{ message: 'Invalid.' }, 'Try a smaller Page Size. Check Sort and Updated Since,'],
])('an error that says %j names what to check', async (body, remedy) => {
	const host = await hostWith(
		{ users: 5 },
		{ switches: { list: { force: { status: 422, body } } } },
	);
	const queryParameters = { parameters: [{ name: 'siteId', value: '7' }] };
	const { error } = await list(host, { options: { queryParameters } });
	expect(error?.description).toContain(remedy);
	// What the node sends by itself has another name in its settings.
	expect(error?.description).not.toMatch(/query parameter "(?!siteId)/);
});
