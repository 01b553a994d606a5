import { Conversation } from '../../../../../nodes/VisitorService/diagnosis/conversation';
import {
	askForUsers,
	checkEarlyRefusal,
	exchangeTwice,
} from '../../../../../nodes/VisitorService/diagnosis/tokens';
import type { HttpAnswer } from '../../../../../nodes/VisitorService/http/message';
import { ImpatientClock } from '../../../../simulation/clock';
import { answer } from './askedTenant';

const LIST = answer(200, [{ id: 1 }]);

/** A conversation with a tenant: the answers to exchanges, one after the other, and those to lists by their tokens. */
function conversationWith(
	exchanges: readonly HttpAnswer[],
	list: (token: string, number: number) => HttpAnswer = () => LIST,
): Conversation {
	let exchanged = 0;
	let listed = 0;
	return new Conversation({
		client: { authUrl: 'https://auth.test', clientId: 'a', clientSecret: 'b-0001', tokenField: '' },
		apiUrl: 'https://tenant.test/api/external/v2',
		transport: async ({ method, headers }) => {
			await Promise.resolve();
			if (method === 'POST') return exchanges[exchanged++] ?? answer(400);
			return list((headers?.Authorization ?? '').replace('Bearer ', ''), ++listed);
		},
		clock: new ImpatientClock(() => 0),
		random: () => 0.5,
	});
}

const issued = (token: string, more: object = {}) => answer(200, { access_token: token, ...more });

const TWO = [issued('first'), issued('second')];

describe('two exchanges of a diagnosis', () => {
	it('finds that tokens are issued, their field and their lifetime', async () => {
		const conversation = conversationWith([
			issued('first', { expires_in: 3600 }),
			issued('second'),
		]);
		const { tokens, findings } = await exchangeTwice(conversation);
		expect(tokens.map(({ accessToken }) => accessToken)).toEqual(['first', 'second']);
		expect(findings.map(({ check, status, observed }) => [check, status, observed])).toEqual([
			['tokenExchange', 'ok', true],
			['tokenField', 'ok', 'access_token'],
			['tokenLifetime', 'ok', 3600],
		]);
		expect(findings[2]?.meaning).toContain('3,600 seconds');
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
			const { findings } = await exchangeTwice(conversationWith([token, token]));
			expect(findings[2]).toMatchObject({
				check: 'tokenLifetime',
				status,
				observed: status === 'ok' ? seconds : null,
			});
		},
	);

	it('does not know a lifetime that is not announced', async () => {
		const { findings } = await exchangeTwice(conversationWith(TWO));
		expect(findings[2]).toMatchObject({ status: 'unknown', observed: null });
	});
});

describe('the question whether a new token ends the old one', () => {
	async function revocationOf(
		list: (token: string, number: number) => HttpAnswer,
		exchanges: readonly HttpAnswer[] = TWO,
	) {
		const conversation = conversationWith(exchanges, list);
		const [first, second] = (await exchangeTwice(conversation)).tokens;
		if (first === undefined) throw new Error('No token was issued.');
		return { ...(await askForUsers(conversation, [first, second], '')), conversation };
	}

	it('finds that the first token is valid after the second exchange', async () => {
		const { reply, revocation } = await revocationOf(() => LIST);
		expect(reply).toMatchObject({ kind: 'list', answer: LIST });
		expect(revocation).toMatchObject({ status: 'ok', observed: false });
		expect(revocation?.meaning).toContain('leaves the first token valid');
		const same = await revocationOf(() => LIST, [issued('first'), issued('first')]);
		expect(same.revocation?.meaning).toContain('the same token again');
	});

	it.each([
		['401', answer(401)],
		['400', answer(400)],
		['a redirect', answer(302, '', { location: 'https://login.test/' })],
		['an error with a status of success', answer(200, { code: 401 })],
	])('finds that the first token was ended, by %s', async (_, refusal) => {
		const { reply, revocation } = await revocationOf((token) =>
			token === 'first' ? refusal : LIST,
		);
		expect(reply).toMatchObject({ kind: 'list', answer: LIST });
		expect(revocation).toMatchObject({ status: 'warning', observed: true });
	});

	it('asks on with the second token if the first one was ended', async () => {
		const tokens: string[] = [];
		const { conversation } = await revocationOf((token) => {
			tokens.push(token);
			return token === 'first' ? answer(401) : LIST;
		});
		await conversation.ask('users', {});
		expect(tokens).toEqual(['first', 'second', 'first', 'second']);
	});

	it('does not judge a list that both tokens cannot read', async () => {
		const { reply, revocation } = await revocationOf(() => answer(404));
		expect(reply).toMatchObject({ answer: { statusCode: 404 } });
		expect(revocation).toBeUndefined();
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
		['500', answer(500)],
		['something else than a list', answer(200, { hello: 'there' })],
	])('does not ask with the second token if the first one gets %s', async (_, other) => {
		const tokens = new Set<string>();
		const { revocation } = await revocationOf((token) => {
			tokens.add(token);
			return other;
		});
		expect(revocation).toBeUndefined();
		expect([...tokens]).toEqual(['first']);
	});

	it('does not judge it with a single token', async () => {
		const { reply, revocation } = await revocationOf(() => LIST, [issued('first'), answer(400)]);
		expect(reply).toMatchObject({ kind: 'list' });
		expect(revocation).toBeUndefined();
	});
});

describe('a token that ends early', () => {
	it('says how often a token was refused before its time', () => {
		const conversation = conversationWith([]);
		expect(checkEarlyRefusal(conversation)).toBeUndefined();
		conversation.earlyRefusals = 1;
		expect(checkEarlyRefusal(conversation)?.meaning).toContain('refused once');
		conversation.earlyRefusals = 2;
		const found = checkEarlyRefusal(conversation);
		expect(found).toMatchObject({ check: 'tokenLifetime', status: 'unknown' });
		expect(found?.meaning).toContain('refused 2 times');
	});
});
