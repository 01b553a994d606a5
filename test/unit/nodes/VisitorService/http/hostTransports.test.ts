import type { IHttpRequestOptions } from 'n8n-workflow';
import {
	credentialTransport,
	toRequestOptions,
} from '../../../../../nodes/VisitorService/http/hostTransports';
import fc from '../../../../properties';

const address = { url: 'https://service.example.com/x', timeout: 1000 };

describe('toRequestOptions', () => {
	it('passes a GET request to n8n', () => {
		const query = { page: 0, sort: 'name,asc' };
		expect(
			toRequestOptions({ ...address, method: 'GET', headers: { Accept: 'x' }, query }),
		).toEqual({
			method: 'GET',
			url: 'https://service.example.com/x',
			headers: { Accept: 'x' },
			qs: query,
			timeout: 1000,
			encoding: 'arraybuffer',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		});
	});

	it('passes a form whose fields keep their order to n8n', () => {
		const options = toRequestOptions({
			...address,
			method: 'POST',
			form: [
				['z', '1'],
				['a', 'x y'],
			],
		});
		expect(options).toMatchObject({
			headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
			body: 'z=1&a=x+y',
		});
		expect(options).not.toHaveProperty('qs');
	});

	it.each([
		'&=+%',
		'a b',
		'äöü€',
		'\u{1f511}',
		'%2B%25',
		'+',
		'a&client_secret=b',
		'line\r\nbreak',
		"~!*()'.-_",
		'"\\\u0000',
		'\ufeff',
	])('writes the secret %j so that the server reads the same', (secret) => {
		expect(serverReads(secret)).toEqual([
			['client_id', 'x'],
			['client_secret', secret],
		]);
	});

	it('writes any secret so that the server reads the same, in ASCII', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary' }), (secret) => {
				expect(serverReads(secret)[1]).toEqual(['client_secret', secret]);
				expect(bodyWith(secret)).toMatch(/^[\x21-\x7e]*$/);
			}),
		);
	});
});

describe('credentialTransport', () => {
	it('gives back whatever status comes', async () => {
		const sent: IHttpRequestOptions[] = [];
		const send = credentialTransport(
			{
				httpRequest: async (options: IHttpRequestOptions) => {
					sent.push(options);
					return await Promise.resolve({
						statusCode: 401,
						headers: { Date: 'Thu, 01 Jan 2026 00:00:00 GMT' },
						body: { error: 'invalid_client' },
					});
				},
			},
			false,
		);
		expect(await send({ ...address, method: 'GET' })).toEqual({
			statusCode: 401,
			headers: { date: 'Thu, 01 Jan 2026 00:00:00 GMT' },
			body: { error: 'invalid_client' },
		});
		expect(sent).toHaveLength(1);
	});
});

function bodyWith(secret: string): string {
	const { body } = toRequestOptions({
		...address,
		method: 'POST',
		form: [
			['client_id', 'x'],
			['client_secret', secret],
		],
	});
	if (typeof body !== 'string') throw new Error('The form is no text.');
	return body;
}

/**
 * By the letter of the URL standard, as a separate parser: percent-decoding of UTF-8, + for a
 * space.
 */
function serverReads(secret: string): string[][] {
	return bodyWith(secret)
		.split('&')
		.map((field) => field.split('=').map((part) => decodeURIComponent(part.replaceAll('+', ' '))));
}
