import { Conversation } from '../../../../../nodes/VisitorService/diagnosis/conversation';
import {
	checkEarlyRefusal,
	exchangeTwice,
} from '../../../../../nodes/VisitorService/diagnosis/tokens';
import type { HttpAnswer } from '../../../../../nodes/VisitorService/http/message';
import { ImpatientClock } from '../../../../simulation/clock';
import { answer } from './askedTenant';

/** A conversation with a tenant: the answers to exchanges, one after the other. */
function conversationWith(exchanges: readonly HttpAnswer[]): Conversation {
	let exchanged = 0;
	return new Conversation({
		client: { authUrl: 'https://auth.test', clientId: 'a', clientSecret: 'b-0001', tokenField: '' },
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
