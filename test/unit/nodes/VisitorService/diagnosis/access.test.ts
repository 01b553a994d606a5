import {
	checkLifetime,
	exchangeTwice,
	readUsers,
} from '../../../../../nodes/VisitorService/diagnosis/access';
import { Conversation } from '../../../../../nodes/VisitorService/diagnosis/conversation';
import type { Check, Finding } from '../../../../../nodes/VisitorService/diagnosis/finding';
import { BAD_TOKEN } from '../../../../../nodes/VisitorService/diagnosis/refusals';
import type { HttpAnswer } from '../../../../../nodes/VisitorService/http/message';
import { ImpatientClock } from '../../../../simulation/clock';
import { answer, askedTenant } from './askedTenant';

/** A conversation with a tenant: the answers to exchanges, one after the other. */
function conversationWith(exchanges: readonly HttpAnswer[]): Conversation {
	let exchanged = 0;
	return new Conversation({
		client: {
			authUrl: 'https://auth.test',
			clientId: 'a',
			clientSecret: 'b-0001',
			answerPath: '',
			scope: '',
			audience: '',
			allowUnauthorizedCerts: false,
		},
		apiUrl: 'https://tenant.test/api/external/v2',
		transport: async () => {
			await Promise.resolve();
			return exchanges[exchanged++] ?? answer(400);
		},
		clock: new ImpatientClock(() => 0),
		random: () => 0.5,
	});
}

const issued = (token: string, more: object = {}) => answer(200, { access_token: token, ...more });

const TWO = [issued('first'), issued('second')];

const lifetimeOf = (findings: readonly Finding[]) =>
	findings.find(({ check }) => check === 'tokenLifetime');

describe('two exchanges of a diagnosis', () => {
	it('finds that tokens are issued, their field and their lifetime', async () => {
		const conversation = conversationWith([
			issued('first', { expires_in: 3600 }),
			issued('second'),
		]);
		const { tokens, findings } = await exchangeTwice(conversation);
		const lifetime = lifetimeOf(findings);
		expect(tokens.map(({ accessToken }) => accessToken)).toEqual(['first', 'second']);
		expect(findings.map(({ check, status, observed }) => [check, status, observed])).toEqual([
			['tokenExchange', 'ok', true],
			['tokenField', 'ok', 'access_token'],
			['tokenLifetime', 'ok', 3600],
		]);
		expect(lifetime).toMatchObject({ check: 'tokenLifetime', status: 'ok', observed: 3600 });
		expect(lifetime?.meaning).toContain('3,600 seconds');
	});

	it('goes on with one token if only one of two is issued', async () => {
		for (const answers of [
			[issued('first'), answer(400)],
			[answer(400), issued('second')],
		]) {
			const { tokens, findings } = await exchangeTwice(conversationWith(answers));
			expect(tokens).toHaveLength(1);
			expect(findings[0]).toMatchObject({ check: 'tokenExchange', status: 'ok' });
		}
	});

	it('says why no token is issued, by the first of two refusals', async () => {
		const refusal = (error: string) => answer(401, { error });
		const answers = [refusal('invalid_client'), refusal('server_error')];
		const { tokens, findings } = await exchangeTwice(conversationWith(answers));
		expect([tokens.length, findings.length]).toEqual([0, 1]);
		expect(findings[0]).toMatchObject({ status: 'failed', observed: false });
		expect(findings[0]?.meaning).not.toBe('');
	});

	it.each([
		[604_800, 'ok'],
		[604_801, 'unknown'],
		[60_000, 'unknown'],
		[59_000, 'ok'],
		[60_001, 'ok'],
		[3_599_000, 'unknown'],
	])(
		'says of a lifetime of %i that it is %s, because it may be milliseconds',
		async (seconds, status) => {
			const token = issued('first', { expires_in: seconds });
			const lifetime = lifetimeOf((await exchangeTwice(conversationWith([token, token]))).findings);
			expect(lifetime).toMatchObject({
				check: 'tokenLifetime',
				status,
				observed: status === 'ok' ? seconds : null,
			});
		},
	);

	it('does not know a lifetime that is not announced', async () => {
		const lifetime = lifetimeOf((await exchangeTwice(conversationWith(TWO))).findings);
		expect(lifetime).toMatchObject({ status: 'unknown', observed: null });
	});
});

describe('a token that ends early', () => {
	it('says how often a token was refused before its time', () => {
		expect(checkLifetime({ earlyRefusals: 0 })).toBeUndefined();
		expect(checkLifetime({ earlyRefusals: 1 })?.meaning).toContain('refused once');
		const found = checkLifetime({ earlyRefusals: 2 });
		expect(found).toMatchObject({ check: 'tokenLifetime', status: 'unknown' });
		expect(found?.meaning).toContain('refused 2 times');
	});
});

const USERS = [{ id: 1 }, { id: 2 }];
const LIST = answer(200, USERS);

/** What is read from these answers, one after the other. */
async function readOf(answers: readonly HttpAnswer[], setPath = '') {
	const { conversation, token, asked } = await askedTenant(
		(_, number) => answers[number - 1] ?? answer(500),
	);
	const read = await readUsers(conversation, [token], setPath);
	const find = (check: Check) => read.findings.find((finding) => finding?.check === check);
	const [readable, itemsPath] = [find('usersReadable'), find('itemsPath')];
	return { read, readable, itemsPath, requests: asked.length };
}

describe('the first answer of the users list', () => {
	it('finds that users can be read, and where the list is', async () => {
		const { read, readable, itemsPath, requests } = await readOf([answer(200, { data: USERS })]);
		expect(read).toMatchObject({ users: { pathToSet: '' } });
		expect(readable).toMatchObject({ check: 'usersReadable', status: 'ok', observed: true });
		expect(readable?.meaning).toContain('/api/external/v2/users can be read');
		expect(itemsPath).toMatchObject({ check: 'itemsPath', status: 'ok', observed: 'data' });
		expect(itemsPath?.meaning).toBe('The list is at "data".');
		expect(requests).toBe(1);
	});

	it('finds that the response is the list itself, even if it is empty', async () => {
		for (const body of [USERS, []]) {
			const { itemsPath } = await readOf([answer(200, body)]);
			expect(itemsPath).toMatchObject({ observed: '' });
			expect(itemsPath?.meaning).toBe('The response is the list itself.');
		}
	});

	it('does not know where an empty list is within an answer', async () => {
		const { read, itemsPath } = await readOf([answer(200, { data: [] })]);
		expect(read.users).toBeDefined();
		expect(itemsPath).toBeUndefined();
	});

	it('reads the list at the path that is set, and says whether that is needed', async () => {
		const body = { one: { ones: USERS }, two: { twos: USERS } };
		const { read, itemsPath } = await readOf([answer(200, body)], 'two.twos');
		expect(read).toMatchObject({ users: { pathToSet: 'two.twos' } });
		expect(itemsPath).toMatchObject({ observed: 'two.twos' });
		expect(itemsPath?.meaning).toContain('set Items Path');
		expect((await readOf([answer(200, { data: USERS })], 'data')).read).toMatchObject({
			users: { pathToSet: '' },
		});
	});

	it('says at which places lists are if there are several, and asks for page 1 too', async () => {
		const several = answer(200, { one: { ones: USERS }, two: { twos: USERS }, three: [1] });
		const { read, readable, requests } = await readOf([several, several, several]);
		expect(read.users).toBeUndefined();
		expect(readable).toMatchObject({ status: 'failed', observed: false });
		expect(readable?.meaning).toContain('one.ones, two.twos. Set Items Path');
		expect(requests).toBe(3);
	});

	it.each([
		['404', answer(404)],
		['a web page', answer(200, '<html>')],
		['another object', answer(200, { hello: 'there' })],
		['a redirect', answer(302, '', { location: 'https://elsewhere.test/' })],
		['the same fault', answer(500)],
	])('says that users cannot be read after two such answers: %s', async (_, bad) => {
		const { read, readable } = await readOf([bad, bad]);
		expect(read.users).toBeUndefined();
		expect(readable).toMatchObject({ check: 'usersReadable', status: 'failed', observed: false });
	});

	it('believes the second answer if it is a list', async () => {
		const { read } = await readOf([answer(404), answer(200, USERS)]);
		expect(read.users).toBeDefined();
	});

	it('does not judge a list of which one of two answers says nothing', async () => {
		for (const answers of [
			[answer(404), answer(500)],
			[answer(500), answer(404)],
			[answer(503), answer(503), answer(503)],
		]) {
			const { read, readable } = await readOf(answers);
			expect(read.users).toBeUndefined();
			expect(readable).toMatchObject({ status: 'unknown', observed: null });
			expect(readable?.meaning).toMatch(
				/^The service .*\. Diagnose can tell if the service answers\.$/,
			);
		}
	});

	it.each([
		['404', answer(404)],
		['the same fault', answer(500)],
	])('reads users from page 1 on if two requests without a number get %s', async (_, bad) => {
		const { read, readable } = await readOf([bad, bad, answer(200, { data: USERS })]);
		expect(read.users?.first).toMatchObject({ query: { page: 1 }, came: USERS.length });
		expect(readable).toMatchObject({ status: 'ok', observed: true });
		expect(readable?.meaning).toContain(
			'/api/external/v2/users can be read, but only from page 1 on',
		);
	});

	it('does not take an empty page 1 for the first one', async () => {
		const { read, readable } = await readOf([answer(404), answer(404), answer(200, { data: [] })]);
		expect([read.users, readable?.status]).toEqual([undefined, 'failed']);
	});
});

describe('the question whether a new token ends the old one', () => {
	/** What is found of a tenant that answers by the token and the number of the request. */
	async function revocationOf(
		list: (token: string, number: number) => HttpAnswer,
		isIssuedTwice = true,
	) {
		const tokens: string[] = [];
		const { conversation, token } = await askedTenant((_, number, sent) => {
			tokens.push(sent);
			return list(sent, number);
		});
		const issued = isIssuedTwice ? [token, await conversation.issue()] : [token];
		const { findings, users } = await readUsers(conversation, issued, '');
		const revocation = findings.find((finding) => finding?.check === 'tokenRevocation');
		return { revocation, users, tokens, conversation };
	}

	it('finds that the first token is valid after the second exchange', async () => {
		const { users, revocation } = await revocationOf(() => LIST);
		expect(users).toBeDefined();
		expect(revocation).toMatchObject({ status: 'ok', observed: false });
		expect(revocation?.meaning).toContain('leaves the first token valid');
	});

	it.each([
		['401', answer(401)],
		['400', answer(400)],
		['a redirect', answer(302, '', { location: 'https://login.test/' })],
		['an error with a status of success', answer(200, { code: 401 })],
	])('finds that the first token was ended, by %s', async (_, refusal) => {
		const { users, revocation } = await revocationOf((token) =>
			token === 'token-2' ? LIST : refusal,
		);
		expect(users).toBeDefined();
		expect(revocation).toMatchObject({ status: 'warning', observed: true });
	});

	it('does not judge a first token that is not answered as one that was never issued', async () => {
		const broken = answer(200, { error: 'Something went wrong' });
		for (const [bad, again] of [
			[answer(401), broken],
			[broken, answer(401)],
			[LIST, broken],
		] as const) {
			const { users, revocation } = await revocationOf((token, number) => {
				if (token === 'token-1') return number === 1 ? broken : again;
				return token === 'token-2' ? LIST : bad;
			});
			expect([users !== undefined, revocation]).toEqual([true, undefined]);
		}
	});

	it('asks on with the second token if the first one was ended', async () => {
		const { conversation, tokens } = await revocationOf((token) =>
			token === 'token-2' ? LIST : answer(401),
		);
		await conversation.ask('users', {});
		expect(tokens).toEqual(['token-1', 'token-2', BAD_TOKEN, 'token-1', 'token-2']);
	});

	it('does not judge a list that both tokens cannot read', async () => {
		const { users, revocation, tokens } = await revocationOf(() => answer(404));
		expect([users, revocation]).toEqual([undefined, undefined]);
		expect(tokens).toEqual(['token-1', 'token-2', 'token-2']);
	});

	it('does not judge a first token that works when it is asked again', async () => {
		const { revocation } = await revocationOf((_, number) => (number === 1 ? answer(401) : LIST));
		expect(revocation).toBeUndefined();
		const failing = await revocationOf((_, number) => {
			if (number === 2) return LIST;
			return answer(number === 1 ? 401 : 500);
		});
		expect(failing.revocation).toBeUndefined();
	});

	it.each([
		['a failure, whatever a bad token gets', answer(500), []],
		[
			'something else than a list, which a bad token gets',
			answer(200, { hello: 'there' }),
			[BAD_TOKEN],
		],
	])('does not ask with the first token again if it got %s', async (_, other, asked) => {
		const { revocation, tokens } = await revocationOf((token) =>
			token === 'token-1' ? other : LIST,
		);
		expect(revocation).toBeUndefined();
		expect(tokens).toEqual(['token-1', 'token-2', ...asked]);
	});

	it('does not judge it with a single token', async () => {
		const { users, revocation } = await revocationOf(() => LIST, false);
		expect(users).toBeDefined();
		expect(revocation).toBeUndefined();
		const refused = await revocationOf((_, number) => answer(number === 1 ? 401 : 404), false);
		expect(refused.revocation).toBeUndefined();
	});
});
