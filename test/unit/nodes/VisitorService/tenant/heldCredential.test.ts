import { type ICredentialDataDecryptedObject, UserError } from 'n8n-workflow';
import { TokenCoordination } from '../../../../../credentials/authorization/coordination';
import { storeToken, type Token } from '../../../../../credentials/authorization/storage';
import type { Transport } from '../../../../../nodes/VisitorService/http/message';
import { HeldCredential } from '../../../../../nodes/VisitorService/tenant/heldCredential';
import { VirtualClock } from '../../../../simulation/clock';
import { thrownFailure } from '../../../credentials/thrownFailure';

const client = {
	authUrl: 'https://auth.example.com',
	baseUrl: 'https://tenant.example.com',
	clientId: 'client',
	clientSecret: 'synthetic-secret-0001',
};
const request = { method: 'GET' as const, url: 'https://tenant.example.com/x', timeout: 1000 };
const token = (number: number, renewAt?: number): Token => ({
	accessToken: `token-${number}`,
	issuedAt: number,
	renewAt,
});
const holding = (held: Token, fields: ICredentialDataDecryptedObject = client) => ({
	...fields,
	...storeToken(held, fields, 0),
	tokenState: 'valid',
});

/** A host that exchanges tokens of rising numbers; `now` is the number of milliseconds. */
function hold(
	fields: ICredentialDataDecryptedObject,
	{
		stored = fields,
		now = 0,
	}: { stored?: ICredentialDataDecryptedObject | Error; now?: number } = {},
) {
	const clock = new VirtualClock(now);
	const coordination = new TokenCoordination();
	const states: unknown[] = [];
	let next = 10;
	const transportWith =
		(given: ICredentialDataDecryptedObject): Transport =>
		async ({ url }) => {
			states.push(given.tokenState);
			if (given.tokenState === '')
				Object.assign(given, storeToken(token(next++), given, clock.now()));
			await Promise.resolve();
			if (url.endsWith('broken')) throw new Error('synthetic');
			return { statusCode: 200, headers: {}, body: undefined };
		};
	const credential = new HeldCredential(fields, {
		transportWith,
		read: async () =>
			await (stored instanceof Error ? Promise.reject(stored) : Promise.resolve(stored)),
		coordination,
		now: () => clock.now(),
	});
	return { credential, coordination, states };
}

describe('HeldCredential', () => {
	it('sends with the token it holds', async () => {
		const { credential, states } = hold(holding(token(1)));
		expect(credential.isFresh()).toBe(true);
		expect((await credential.send(request)).token).toEqual({ accessToken: 'token-1', issuedAt: 1 });
		expect(states).toEqual(['valid']);
	});

	it.each([
		['there is none', client, 0],
		['it is of a former client', { ...holding(token(1)), clientId: 'other' }, 0],
		['n8n says it is spent', { ...holding(token(1)), tokenState: '' }, 0],
		['its time is over', holding(token(1, 500)), 500],
	])('makes n8n exchange where %s', async (_, fields, now) => {
		const { credential, states } = hold(fields, { now });
		expect(credential.isFresh()).toBe(false);
		expect((await credential.send(request)).token?.accessToken).toBe('token-10');
		expect(states).toEqual(['']);
		expect(credential.isFresh()).toBe(true);
		await credential.send(request);
		expect(states).toHaveLength(2);
		expect(states[1]).not.toBe('');
	});

	it('leaves the data it was given alone', async () => {
		const fields = { ...client, tokenState: '' };
		await hold(fields).credential.send(request);
		expect(fields).toEqual({ ...client, tokenState: '' });
	});

	it('keeps a token that was exchanged for a request which then failed', async () => {
		const { credential } = hold(client);
		await expect(
			credential.send({ ...request, url: 'https://tenant.example.com/broken' }),
		).rejects.toThrow();
		expect(credential.current()?.accessToken).toBe('token-10');
	});

	it('tells which token each of two requests at once was sent with', async () => {
		const { credential } = hold(holding(token(1)));
		const before = credential.send(request);
		credential.discard(token(1));
		const after = credential.send(request);
		expect((await before).token?.accessToken).toBe('token-1');
		expect((await after).token?.accessToken).toBe('token-10');
		expect(credential.current()?.accessToken).toBe('token-10');
	});

	it('does not send a refused token again, also when an older one is refused late', () => {
		const { credential } = hold(holding(token(2)));
		credential.discard(token(2));
		credential.discard(token(1));
		expect(credential.isFresh()).toBe(false);
	});

	it('sends a refused text again where the service has issued it anew', async () => {
		const again = { ...token(2), issuedAt: 5 };
		const { credential } = hold(holding(token(2)), { stored: holding(again) });
		credential.discard(token(2));
		await credential.reload();
		expect(credential.isFresh()).toBe(true);
		// The refusal of the first issue comes in late.
		credential.discard(token(2));
		expect(credential.isFresh()).toBe(true);
		credential.discard(again);
		expect(credential.isFresh()).toBe(false);
	});

	describe('reload', () => {
		it('takes over a later token, and tells the process of it', async () => {
			const { credential, coordination } = hold(holding(token(1)), { stored: holding(token(2)) });
			await credential.reload();
			expect(credential.current()?.accessToken).toBe('token-2');
			const exchange = async () => await Promise.reject(new Error('There was an exchange.'));
			const known = await coordination.tokenFor(
				{ ...client, tokenField: '' },
				token(1),
				0,
				exchange,
			);
			expect(known.accessToken).toBe('token-2');
		});

		it('does not go back to an earlier token', async () => {
			const { credential } = hold(holding(token(2)), { stored: holding(token(1)) });
			await credential.reload();
			expect(credential.current()?.accessToken).toBe('token-2');
		});

		it('takes over what the user changed, and the token of a former client from nobody', async () => {
			const changed = { ...holding(token(1)), clientSecret: 'rotated' };
			const { credential } = hold(holding(token(1)), { stored: changed });
			await credential.reload();
			expect(credential.current()).toBeUndefined();
			expect(credential.secrets()).toContain('rotated');
		});

		it('says what n8n says where the credential is gone', async () => {
			const stored = new UserError('The credential was deleted.', {
				description: 'Choose another.',
			});
			const { credential } = hold(holding(token(1)), { stored });
			const failure = await thrownFailure(() => credential.reload());
			expect(failure).toMatchObject({
				message: 'The credential was deleted.',
				remedy: 'Choose another.',
			});
		});
	});

	it('names every token it sent, and the secret, as not to be shown', async () => {
		const { credential } = hold(holding(token(1)));
		await credential.send(request);
		credential.discard(token(1));
		await credential.send(request);
		expect(credential.secrets()).toEqual(['synthetic-secret-0001', 'token-1', 'token-10']);
	});
});
