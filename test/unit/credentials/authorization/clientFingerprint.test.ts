import { clientFingerprint } from '../../../../credentials/authorization/client';
import fc from '../../../properties';

const client = {
	authUrl: 'https://auth.example.com',
	clientId: 'client',
	clientSecret: 'synthetic-secret-0001',
	tokenField: '',
};
const tenant = 'https://tenant.example.com';

describe('clientFingerprint', () => {
	it('clientFingerprint is the same for the same client, and shows no part of it', () => {
		expect(clientFingerprint({ ...client }, tenant)).toBe(clientFingerprint(client, tenant));
		expect(clientFingerprint(client, tenant)).toMatch(/^[0-9a-f]{64}$/);
	});

	it.each([
		['server', { authUrl: 'https://other.example.com' }],
		['client ID', { clientId: 'other' }],
		['secret', { clientSecret: 'other' }],
		['token field', { tokenField: 'token' }],
	])('clientFingerprint is another one for another %s', (_, change) => {
		expect(clientFingerprint({ ...client, ...change }, tenant)).not.toBe(
			clientFingerprint(client, tenant),
		);
	});

	it('clientFingerprint is another one for another tenant', () => {
		expect(clientFingerprint(client, 'https://other.example.com')).not.toBe(
			clientFingerprint(client, tenant),
		);
	});

	it('keeps the parts apart', () => {
		fc.assert(
			fc.property(fc.string(), fc.string(), fc.nat(20), (clientId, clientSecret, shift) => {
				const joined = clientId + clientSecret;
				const other = { clientId: joined.slice(0, shift), clientSecret: joined.slice(shift) };
				const same = other.clientId === clientId && other.clientSecret === clientSecret;
				expect(
					clientFingerprint({ ...client, ...other }) ===
						clientFingerprint({ ...client, clientId, clientSecret }),
				).toBe(same);
			}),
		);
	});
});
