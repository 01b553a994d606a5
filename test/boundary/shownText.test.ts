import type { IDataObject } from 'n8n-workflow';
import { PublishedWorkflow } from '../host/publishedWorkflow';
import { referencesOf } from '../host/spellings';
import type { JsonObject } from '../reference-service';
import { diagnose, hostWith, list } from './listedHost';

/** What n8n would lay over its whole editor. */
const LINK =
	'<a href="https://other.example.test" style="position:fixed;inset:0">Sign in again</a>';
const TOKEN = 'tok+0001/word=';
/** As a field may be called. */
const WORD = 'token_of_one_word';

/** A service that returns this as each page of each list. */
async function hostOf(body: JsonObject, issued = TOKEN, holder = 'data') {
	const response = { [holder]: { access_token: issued, expires_in: 3600 } };
	const token = { force: { status: 200, body: response } };
	return await hostWith({}, { switches: { list: { force: { status: 200, body } }, token } });
}

/** Names that are none, for the list, the ID, the update time, and something in each record. */
function bodyWith(name: string): JsonObject {
	const record = (id: number) => ({
		...{ [`${name}:id`]: id, [`${name}:updatedAt`]: `2026-01-0${id}T08:00:00Z` },
		...{ [name]: 1, card: '~' },
	});
	const records = [record(1), record(2), record(3)];
	return { [`${name}:users`]: records, others: [{ note: 1 }] };
}

const match = { conditions: [{ field: 'nothing', condition: 'equals', value: '1' }] };
const requests: IDataObject[] = [
	{},
	{ match },
	{ options: { fields: ['nothing'] } },
	{ operation: 'find', field: 'nothing', value: '1', options: { ifNotFound: 'error' } },
	{ filters: { updatedSince: '2026-01-09T00:00:00Z' } },
	{ options: { itemsPath: 'nothing' } },
	{ options: { pageSize: 3, maxPages: 2 } },
	{ resource: 'connection', operation: 'diagnose' },
];

describe.each([
	['a link', LINK],
	['an address', 'anna@example.test'],
	['a sentence', 'Sign in again'],
	['a long text', 'x'.repeat(60)],
	['the token', TOKEN],
	['the token as HTML', referencesOf(TOKEN)[0] ?? ''],
	['a token that is a word', WORD],
])('%s in the place of a name', (_, name) => {
	const shows = (texts: unknown) => {
		const text = JSON.stringify(texts);
		return [name, JSON.stringify(name).slice(1, -1), name.slice(0, 30)].some((one) =>
			text.includes(one),
		);
	};

	const hostOfName = async () => await hostOf(bodyWith(name), name === WORD ? WORD : TOKEN, name);

	it.each(requests)('is shown in no hint, error or item: %j', async (parameters) => {
		const host = await hostOfName();
		const { error, hints, items } = await list(host, parameters as never);
		const findings = parameters.operation === 'diagnose' ? items : [];
		expect(shows([hints, error?.message, error?.description, findings])).toBe(false);
	});

	it('is shown by no trigger, and not in its log', async () => {
		const host = await hostOfName();
		for (const parameters of [{}, { match }, { options: { idPath: 'nothing' } }]) {
			const workflow = new PublishedWorkflow(host, [{ node: 'polling', parameters }]);
			for (let polls = 0; polls < 2; polls++) {
				const { failure } = await workflow.tryPoll();
				expect(shows([failure, host.log])).toBe(false);
				host.time.pass(60_000);
			}
		}
	});
});

it.each(referencesOf(TOKEN))('a token is not shown that comes as %s', async (echo) => {
	const host = await hostOf({});
	host.service.set({ list: { force: { status: 400, body: { error: `unknown ${echo} here` } } } });
	const { error } = await list(host);
	expect(error?.description).not.toContain('unknown');
	const { items, hints } = await diagnose(host);
	expect(JSON.stringify([items, hints])).not.toContain('unknown tok');
});

it('a value that a user looks for opens no tag', async () => {
	const host = await hostWith({ users: 3 });
	const { hints } = await list(host, { options: { fields: [LINK] } });
	expect(hints[0]?.message).toContain('Sign in again');
	expect(hints[0]?.message).not.toContain('<');
	const options = { ifNotFound: 'error' };
	const { error } = await list(host, { operation: 'find', field: LINK, value: '1', options });
	expect(error?.description).toContain('Sign in again');
	expect(error?.description).not.toContain('<');
});

it('the menu of fields offers nothing that n8n would run, and no token', async () => {
	const user = { id: 1, '={{ $env }}': 1, 'a {{ $json }}': { b: 1 }, [TOKEN]: 1, c: { '=d': 1 } };
	const host = await hostOf({ users: [user] });
	const offered = await host.loadOptions('getFields', { resource: 'user' });
	expect(offered.map(({ value }) => value)).toEqual(['id', 'c', 'c.=d']);
});
