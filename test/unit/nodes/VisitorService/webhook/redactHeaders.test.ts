import { redactHeaders } from '../../../../../nodes/VisitorService/webhook/redactHeaders';
import { hmac } from './deliveries';

const headers = {
	authorization: 'Bearer abc',
	'proxy-authorization': 'Basic abc',
	cookie: 'a=b',
	'x-webhook-token': 'secret',
	'x-signature': 'abc',
	'user-agent': 'test',
	'set-cookie': ['a', 'b'],
	missing: undefined,
};

describe('redactHeaders', () => {
	it('replaces what lets somebody in again and leaves the rest', () => {
		expect(redactHeaders(headers, hmac())).toEqual({
			authorization: '[redacted]',
			'proxy-authorization': '[redacted]',
			cookie: '[redacted]',
			'x-webhook-token': 'secret',
			'x-signature': 'abc',
			'user-agent': 'test',
			'set-cookie': ['a', 'b'],
		});
	});

	it('replaces the header with the shared secret, however its name was typed', () => {
		const authentication = { kind: 'header', headerName: ' X-WEBHOOK-Token ' } as const;
		expect(JSON.stringify(redactHeaders(headers, authentication))).not.toContain('secret');
	});

	it('leaves the headers of the request as they were', () => {
		const before = structuredClone(headers);
		redactHeaders(headers, hmac());
		expect(headers).toEqual(before);
	});
});
