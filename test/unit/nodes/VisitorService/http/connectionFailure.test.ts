import { describeConnectionFailure } from '../../../../../nodes/VisitorService/http/connectionFailure';

const url = 'https://tenant.example.test:8443/api/users';
const describeFailure = (error: unknown) => describeConnectionFailure(error, 'Tenant API URL', url);
const coded = (code: string, message = 'failed') => Object.assign(new Error(message), { code });

describe('describeConnectionFailure', () => {
	it.each([
		['ECONNRESET', /broke before the answer was complete\.$/, 'temporary'],
		['EPIPE', /broke before/, 'temporary'],
		['ERR_BAD_RESPONSE', /broke before/, 'temporary'],
		['ECONNREFUSED', /refused the connection/, 'temporary'],
		['ETIMEDOUT', /did not answer in time/, 'temporary'],
		['ECONNABORTED', /did not answer in time/, 'temporary'],
		['EAI_AGAIN', /broke before/, 'temporary'],
		['ENOTFOUND', /was not found/, 'lasting'],
		['CERT_HAS_EXPIRED', /No secure connection/, 'lasting'],
		['DEPTH_ZERO_SELF_SIGNED_CERT', /No secure connection/, 'lasting'],
		['ERR_SSL_WRONG_VERSION_NUMBER', /No secure connection/, 'lasting'],
		['ERR_CANCELED', /was cancelled/, 'lasting'],
		['ERR_SOMETHING_ELSE', /broke before/, 'lasting'],
	])('%s: says what happened and whether to try again', (code, message, expected) => {
		const { kind, failure } = describeFailure(coded(code));
		expect(failure.message).toMatch(message);
		expect(failure.remedy).toMatch(/^[A-Z].*\.$/);
		expect(kind).toBe(expected);
	});

	it('looks for the code along the chain of causes', () => {
		const wrapped = new Error('outer', {
			cause: new Error('inner', { cause: coded('ENOTFOUND') }),
		});
		expect(describeFailure(wrapped).failure.message).toBe(
			'The host tenant.example.test:8443 was not found.',
		);
	});

	it('finds the code n8n 1.123 keeps', () => {
		const error = Object.assign(new Error('x'), { httpCode: 'ENOTFOUND' });
		expect(describeFailure(error).kind).toBe('lasting');
	});

	it('does not follow a chain of causes in circles', () => {
		const error = new Error('a');
		error.cause = error;
		expect(describeFailure(error).failure.message).toMatch(/broke before/);
	});

	it.each([
		[
			'SSRF protection',
			Object.assign(new Error('x'), { name: 'SsrfBlockedIpError' }),
			/SSRF protection/,
		],
		['an abort', Object.assign(new Error('x'), { name: 'AbortError' }), /cancelled/],
	])('recognizes %s as the cause of a failed request', (_, error, message) => {
		const { kind, failure } = describeFailure(error);
		expect(failure.message).toMatch(message);
		expect(kind).toBe('lasting');
	});

	it.each([[null], [undefined], ['text'], [42], [{}]])(
		'takes %p for a broken connection',
		(error) => {
			expect(describeFailure(error)).toMatchObject({
				kind: 'temporary',
				failure: { kind: 'connection' },
			});
		},
	);

	it('quotes nothing of the error: it may hold anything', () => {
		const { failure } = describeFailure(coded('ECONNRESET', 'secret of the client'));
		expect(failure.message + failure.description).not.toContain('secret of the client');
	});
});
