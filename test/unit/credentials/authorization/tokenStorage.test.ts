import type { CredentialFields } from '../../../../credentials/authorization/credentialFields';
import {
	readStoredToken,
	storeToken,
	withLaterToken,
} from '../../../../credentials/authorization/tokenStorage';
import { thrownFailure } from '../thrownFailure';

const fields = {
	authUrl: 'https://auth.example.com',
	baseUrl: 'https://tenant.example.com',
	clientId: 'client',
	clientSecret: 'secret',
	tokenState: 'valid',
};
const token = { accessToken: 'synthetic-token', issuedAt: 1000, renewAt: 2000.7 };

describe('storeToken and readStoredToken', () => {
	it('keep a token and what is known of its life', () => {
		const stored = storeToken(token, fields);
		expect(stored.tokenState).toBe('={{ Date.now() < $self.renewAt ? "valid" : "" }}');
		expect(readStoredToken({ ...fields, ...stored })).toEqual({ ...token, renewAt: 2000 });
	});

	it('keep a token of unknown lifetime as valid', () => {
		const stored = storeToken({ accessToken: 'synthetic-token', issuedAt: 1000 }, fields);
		expect(stored).toMatchObject({ tokenState: 'valid', renewAt: 0 });
		expect(readStoredToken({ ...fields, ...stored })).toEqual({
			accessToken: 'synthetic-token',
			issuedAt: 1000,
		});
	});

	it('hide client and secret', () => {
		expect(JSON.stringify(storeToken(token, { ...fields, clientSecret: 'canary' }))).not.toContain(
			'canary',
		);
	});

	it.each([
		['authorization server', { authUrl: 'https://other.example.com' }],
		['tenant', { baseUrl: 'https://other.example.com' }],
		['client ID', { clientId: 'other' }],
		['secret', { clientSecret: 'other' }],
		['token field', { tokenField: 'token' }],
	])('know no token any more once another %s was set', (_, change) => {
		const stored = { ...fields, ...storeToken(token, fields) };
		expect(readStoredToken({ ...stored, ...change })).toBeUndefined();
	});

	it('take the same address written otherwise for the same', () => {
		const stored = { ...fields, ...storeToken(token, fields) };
		expect(readStoredToken({ ...stored, baseUrl: ' https://Tenant.example.com/ ' })).toBeDefined();
	});

	it.each([[''], [undefined], [42]])('know none where %j is stored', (accessToken) => {
		expect(
			readStoredToken({ ...fields, ...storeToken(token, fields), accessToken }),
		).toBeUndefined();
	});

	it('say what is wrong with the credential', async () => {
		const stored = { ...fields, ...storeToken(token, fields), clientId: '' };
		expect((await thrownFailure(() => readStoredToken(stored))).message).toBe(
			'The Client ID is empty.',
		);
	});
});

describe('withLaterToken', () => {
	const older: CredentialFields = { ...fields, ...storeToken(token, fields), clientId: 'one' };
	const newer: CredentialFields = {
		...fields,
		...storeToken({ accessToken: 'newer', issuedAt: 1001 }, fields),
		clientId: 'other',
	};

	it('takes over the later token and nothing else', () => {
		expect(withLaterToken(older, newer)).toEqual({ ...newer, clientId: 'one' });
	});

	it('keeps its own where that is the later one', () => {
		expect(withLaterToken(newer, older)).toBe(newer);
		expect(withLaterToken(newer, { ...fields })).toBe(newer);
	});

	it('takes over a first one', () => {
		const first: CredentialFields = { ...fields };
		expect(withLaterToken(first, newer)).toMatchObject({ accessToken: 'newer' });
	});
});
