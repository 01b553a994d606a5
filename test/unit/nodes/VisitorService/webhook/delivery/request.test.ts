import {
	headerValue,
	isWebhookRequest,
	isWebhookResponse,
	queryAsSent,
	readRawBody,
	redactHeaders,
	type WebhookRequest,
} from '../../../../../../nodes/VisitorService/webhook/delivery/request';

function request(change: Partial<WebhookRequest> = {}): WebhookRequest {
	return { method: 'POST', headers: { 'x-a': '1' }, query: { q: '1' }, ...change };
}

describe('readRawBody', () => {
	it('takes the bytes n8n has read', async () => {
		const read_ = jest.fn();
		const rawBody = Buffer.from('abc');
		const read = await readRawBody(request({ rawBody, readRawBody: read_ }));
		expect(read).toEqual({ kind: 'whole', bytes: rawBody });
		expect(read_).not.toHaveBeenCalled();
	});

	it('has n8n read the bytes if it has not', async () => {
		const unread = request();
		unread.readRawBody = () => {
			unread.rawBody = Buffer.from('abc');
			return Promise.resolve();
		};
		expect(await readRawBody(unread)).toEqual({ kind: 'whole', bytes: Buffer.from('abc') });
	});

	it('takes a missing body for an empty one', async () => {
		const empty = { kind: 'whole', bytes: Buffer.alloc(0) };
		expect(await readRawBody(request())).toEqual(empty);
		expect(await readRawBody(request({ readRawBody: () => Promise.resolve() }))).toEqual(empty);
	});

	it.each([
		['was cut off', new Error('aborted'), 'cutOff'],
		['has another fault', Object.assign(new Error('x'), { type: 'entity.parse.failed' }), 'cutOff'],
		[
			'is too large',
			Object.assign(new Error('request entity too large'), { type: 'entity.too.large' }),
			'tooLarge',
		],
	])('finds no bytes of a body that %s', async (_, error, kind) => {
		const failing = () => Promise.reject(error);
		expect(await readRawBody(request({ readRawBody: failing }))).toEqual({ kind });
	});

	it('lets the rest of a body that is too large run out, so that its sender sees the answer', async () => {
		const [unpipe, resume] = [jest.fn(), jest.fn()];
		const tooLarge = Object.assign(new Error('too large'), { type: 'entity.too.large' });
		await readRawBody(request({ readRawBody: () => Promise.reject(tooLarge), unpipe, resume }));
		expect(unpipe).toHaveBeenCalledTimes(1);
		expect(resume).toHaveBeenCalledTimes(1);
	});

	it('does not wait for a form with files, which n8n has used up', async () => {
		const never = () => new Promise<void>(() => {});
		const headers = { 'content-type': 'Multipart/form-data; boundary=x' };
		expect(await readRawBody(request({ headers, readRawBody: never }))).toEqual({
			kind: 'whole',
			bytes: Buffer.alloc(0),
		});
	}, 5000);
});

describe('queryAsSent', () => {
	it.each([
		['/webhook/1/webhook?b=2&a=%20x', '?b=2&a=%20x'],
		['/webhook/1/webhook', ''],
		['/webhook?', '?'],
		[undefined, ''],
	])('reads the query of the URL %j as %j', (originalUrl, expected) => {
		expect(queryAsSent(request({ originalUrl }))).toBe(expected);
	});
});

describe('what n8n hands over', () => {
	it.each([undefined, null, 7, [], {}, { headers: {} }, { method: 'POST', headers: [] }])(
		'what n8n hands over is not taken for a request if it is %j',
		(value) => {
			expect(isWebhookRequest(value)).toBe(false);
			expect(isWebhookResponse(value)).toBe(false);
		},
	);
});

describe('headerValue', () => {
	const headers = { 'x-a': ' a ', 'x-list': ['a', 'b'], 'x-empty': '', 'x-missing': undefined };
	it.each([
		['x-a', 'a'],
		[' X-A ', 'a'],
		['x-list', 'a, b'],
		['x-empty', ''],
		['x-missing', ''],
		['x-other', ''],
		['', ''],
		['constructor', ''],
		['__proto__', ''],
	])('reads the header %j as the value %j', (name, expected) => {
		expect(headerValue(headers, name)).toBe(expected);
	});

	it('needs a number of steps in proportion to the value, whatever is in it', () => {
		// A pattern that tries again at each space would need minutes for these.
		for (const inside of [' '.repeat(2 ** 20), 'a '.repeat(2 ** 19)]) {
			const value = `a${inside}b`;
			expect(headerValue({ 'x-a': `\t ${value} \t` }, 'x-a')).toBe(value);
		}
	});
});

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
		expect(redactHeaders(headers, undefined)).toEqual({
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
		expect(redactHeaders(headers, ' X-WEBHOOK-Token ')).toEqual({
			...redactHeaders(headers, undefined),
			'x-webhook-token': '[redacted]',
		});
	});

	it('leaves the headers of the request as they were', () => {
		const before = structuredClone(headers);
		redactHeaders(headers, undefined);
		expect(headers).toEqual(before);
	});
});
