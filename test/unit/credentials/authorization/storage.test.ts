import type { CredentialFields } from '../../../../credentials/authorization/credentialFields';
import {
	holdSameToken,
	isNewer,
	isSameIssue,
	isSendable,
	readStoredToken,
	storeToken,
	withNewerToken,
} from '../../../../credentials/authorization/storage';
import { thrownFailure } from '../thrownFailure';

const fields = {
	authUrl: 'https://auth.example.com',
	baseUrl: 'https://tenant.example.com',
	clientId: 'client',
	clientSecret: 'secret',
	tokenState: 'valid',
};
const NOW = 1500;
const token = { accessToken: 'synthetic-token', issuedAt: 1000, renewAt: 2000.7 };

describe('storeToken and readStoredToken', () => {
	it('a credential keeps a token and what is known of its life', () => {
		const stored = storeToken(token, fields, NOW);
		expect(stored).toMatchObject({ tokenState: 'valid', storedAt: NOW });
		expect(readStoredToken({ ...fields, ...stored })).toEqual({ ...token, renewAt: 2000 });
	});

	it('a credential keeps no expression, which n8n would evaluate whenever anything reads the credential', () => {
		const stored = Object.values(storeToken(token, fields, NOW));
		expect(stored.filter((value) => String(value).startsWith('='))).toEqual([]);
	});

	it('a credential keeps a token of unknown lifetime', () => {
		const stored = storeToken({ accessToken: 'synthetic-token', issuedAt: 1000 }, fields, NOW);
		expect(stored).toMatchObject({ tokenState: 'valid', renewAt: 0 });
		expect(readStoredToken({ ...fields, ...stored })).toEqual({
			accessToken: 'synthetic-token',
			issuedAt: 1000,
		});
	});

	it('a credential hides client and secret', () => {
		expect(
			JSON.stringify(storeToken(token, { ...fields, clientSecret: 'canary' }, NOW)),
		).not.toContain('canary');
	});

	it.each([
		['authorization server', { authUrl: 'https://other.example.com' }],
		['tenant', { baseUrl: 'https://other.example.com' }],
		['client ID', { clientId: 'other' }],
		['secret', { clientSecret: 'other' }],
		['token field', { tokenField: 'token' }],
	])('a credential has no token any more once another %s was set', (_, change) => {
		const stored = { ...fields, ...storeToken(token, fields, NOW) };
		expect(readStoredToken({ ...stored, ...change })).toBeUndefined();
	});

	it('a credential takes the same URL written otherwise for the same', () => {
		const stored = { ...fields, ...storeToken(token, fields, NOW) };
		const rewritten = { ...stored, baseUrl: ' https://Tenant.example.com/ ' };
		expect(readStoredToken(rewritten)).toEqual({ ...token, renewAt: 2000 });
	});

	it.each([[''], [undefined], [42]])(
		'a credential has no token where %j is stored',
		(accessToken) => {
			expect(
				readStoredToken({ ...fields, ...storeToken(token, fields, NOW), accessToken }),
			).toBeUndefined();
		},
	);

	it('a stored token is read only from a complete credential', async () => {
		const stored = { ...fields, ...storeToken(token, fields, NOW), clientId: '' };
		expect((await thrownFailure(() => readStoredToken(stored))).message).toBe(
			'The Client ID is empty.',
		);
	});
});

describe('a stored token', () => {
	const sendable = (renewAt: number | undefined, now: number) => {
		const held = { accessToken: 'synthetic-token', issuedAt: 1000, renewAt };
		return isSendable(held, storeToken(held, fields, NOW), now);
	};

	it('sends a stored token until its time is over', () => {
		expect(sendable(60_000, 59_999)).toBe(true);
		expect(sendable(60_000, 60_000)).toBe(false);
		expect(sendable(undefined, 1e15)).toBe(true);
	});

	it('sends a stored token for five seconds in any case, however soon its time is over', () => {
		for (const renewAt of [1001, NOW, NOW + 1000]) {
			expect(sendable(renewAt, NOW + 4999)).toBe(true);
			expect(sendable(renewAt, NOW + 5000)).toBe(false);
		}
	});

	it('has no such time if it was stored without', () => {
		const held = { accessToken: 'synthetic-token', issuedAt: 1000, renewAt: 2000 };
		expect(isSendable(held, {}, 2000)).toBe(false);
	});
});

describe('isNewer', () => {
	it.each([
		[2, 1, true],
		[1, 2, false],
		[1, 1, false],
		[0, undefined, true],
	])(
		'tells whether a token issued at %p is newer than one issued at %p: %p',
		(one, other, expected) => {
			const compared = other === undefined ? undefined : { issuedAt: other };
			expect(isNewer({ issuedAt: one }, compared)).toBe(expected);
		},
	);
});

describe('withNewerToken', () => {
	const older: CredentialFields = { ...fields, ...storeToken(token, fields, NOW), clientId: 'one' };
	const newer: CredentialFields = {
		...fields,
		...storeToken({ accessToken: 'newer', issuedAt: 1001 }, fields, NOW),
		clientId: 'other',
	};

	it('takes over the newer token and nothing else', () => {
		expect(withNewerToken(older, newer)).toEqual({ ...newer, clientId: 'one' });
	});

	it('keeps its own if that is the newer one', () => {
		expect(withNewerToken(newer, older)).toBe(newer);
		expect(withNewerToken(newer, { ...fields })).toBe(newer);
	});

	it('takes over a first one', () => {
		const first: CredentialFields = { ...fields };
		expect(withNewerToken(first, newer)).toMatchObject({ accessToken: 'newer' });
	});
});

describe('isSameIssue', () => {
	it.each([
		['the same', token, true],
		['the same text issued again', { ...token, issuedAt: 1001 }, false],
		['another text of the same time', { ...token, accessToken: 'another' }, false],
		['none', undefined, false],
	])('compares a token with %s', (_, other, isSame) => {
		expect(isSameIssue(token, other)).toBe(isSame);
	});
});

describe('holdSameToken', () => {
	const stored = { ...fields, ...storeToken(token, fields, NOW) };

	it('knows the same token again, whatever else the credential holds', () => {
		expect(holdSameToken(stored, { ...stored, apiVersion: 'v3' })).toBe(true);
	});

	it.each(Object.keys(storeToken(token, fields, NOW)))(
		'tells tokens apart by what is stored as %s',
		(name) => {
			expect(holdSameToken(stored, { ...stored, [name]: 'other' })).toBe(false);
		},
	);
});
