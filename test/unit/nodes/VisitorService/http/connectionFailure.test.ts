import { describeConnectionFailure } from '../../../../../nodes/VisitorService/http/connectionFailure';

const url = 'https://tenant.example.test:8443/api/users';
const describeFailure = (error: unknown) => describeConnectionFailure(error, 'Tenant API URL', url);
const coded = (code: string, message = 'failed') => Object.assign(new Error(message), { code });

describe('describeConnectionFailure', () => {
	it.each([
		['ECONNRESET', /broke before a whole answer came\.$/, true],
		['EPIPE', /broke before/, true],
		['ERR_BAD_RESPONSE', /broke before/, true],
		['ECONNREFUSED', /refused the connection/, true],
		['ETIMEDOUT', /did not answer in time/, true],
		['ECONNABORTED', /did not answer in time/, true],
		['EAI_AGAIN', /broke before/, true],
		['ENOTFOUND', /was not found/, false],
		['CERT_HAS_EXPIRED', /No secure connection/, false],
		['DEPTH_ZERO_SELF_SIGNED_CERT', /No secure connection/, false],
		['ERR_SSL_WRONG_VERSION_NUMBER', /No secure connection/, false],
		['ERR_CANCELED', /was cancelled/, false],
		['ERR_SOMETHING_ELSE', /broke before/, false],
	])('%s: says what happened and whether to try again', (code, message, transient) => {
		const { failure, transient: mayRetry } = describeFailure(coded(code));
		expect(failure.message).toMatch(message);
		expect(failure.remedy).toMatch(/^[A-Z].*\.$/);
		expect(mayRetry).toBe(transient);
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
		expect(
			describeFailure(Object.assign(new Error('x'), { httpCode: 'ENOTFOUND' })).transient,
		).toBe(false);
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
		const { failure, transient } = describeFailure(error);
		expect(failure.message).toMatch(message);
		expect(transient).toBe(false);
	});

	it.each([[null], [undefined], ['text'], [42], [{}]])(
		'takes %p for a broken connection',
		(error) => {
			expect(describeFailure(error)).toMatchObject({
				transient: true,
				failure: { kind: 'connection' },
			});
		},
	);

	it('quotes nothing of the error: it may hold anything', () => {
		const { failure } = describeFailure(coded('ECONNRESET', 'secret of the client'));
		expect(failure.message + failure.description).not.toContain('secret of the client');
	});
});
