import {
	readDelivery,
	type WebhookRequest,
} from '../../../../../nodes/VisitorService/webhook/exchange';

function request(change: Partial<WebhookRequest> = {}): WebhookRequest {
	return { headers: { 'x-a': '1' }, query: { q: '1' }, ip: '192.0.2.1', ...change };
}

describe('readDelivery', () => {
	it('takes the bytes n8n has read', async () => {
		const readRawBody = jest.fn();
		const rawBody = Buffer.from('abc');
		expect(await readDelivery(request({ rawBody, readRawBody }), 5)).toEqual({
			headers: { 'x-a': '1' },
			query: { q: '1' },
			rawBody,
			address: '192.0.2.1',
			receivedAt: 5,
		});
		expect(readRawBody).not.toHaveBeenCalled();
	});

	it('has n8n read them where it has not', async () => {
		const unread = request();
		unread.readRawBody = () => {
			unread.rawBody = Buffer.from('abc');
			return Promise.resolve();
		};
		expect(await readDelivery(unread, 0)).toMatchObject({ rawBody: Buffer.from('abc') });
	});

	it('takes a missing body for an empty one', async () => {
		const empty = { rawBody: Buffer.alloc(0) };
		expect(await readDelivery(request(), 0)).toMatchObject(empty);
		const readRawBody = () => Promise.resolve();
		expect(await readDelivery(request({ readRawBody }), 0)).toMatchObject(empty);
	});

	it.each([
		['was cut off', new Error('aborted'), 400],
		[
			'is too large',
			Object.assign(new Error('request entity too large'), { type: 'entity.too.large' }),
			413,
		],
	])('says so of a body that %s', async (_, error, statusCode) => {
		const readRawBody = () => Promise.reject(error);
		expect(await readDelivery(request({ readRawBody }), 0)).toMatchObject({ statusCode });
	});

	it('lets the rest of a body that is too large run out, so that its sender sees the answer', async () => {
		const [unpipe, resume] = [jest.fn(), jest.fn()];
		const tooLarge = Object.assign(new Error('too large'), { type: 'entity.too.large' });
		const readRawBody = () => Promise.reject(tooLarge);
		await readDelivery(request({ readRawBody, unpipe, resume }), 0);
		expect(unpipe).toHaveBeenCalledTimes(1);
		expect(resume).toHaveBeenCalledTimes(1);
	});

	it('does not wait for a form with files, which n8n has used up', async () => {
		const readRawBody = () => new Promise<void>(() => {});
		const headers = { 'content-type': 'Multipart/form-data; boundary=x' };
		expect(await readDelivery(request({ headers, readRawBody }), 0)).toMatchObject({
			rawBody: Buffer.alloc(0),
		});
	}, 5000);
});
