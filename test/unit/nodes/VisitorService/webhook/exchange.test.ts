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
		expect((await readDelivery(unread, 0))?.rawBody.toString()).toBe('abc');
	});

	it('takes a missing body for an empty one', async () => {
		expect((await readDelivery(request(), 0))?.rawBody).toHaveLength(0);
		expect(
			(await readDelivery(request({ readRawBody: () => Promise.resolve() }), 0))?.rawBody,
		).toHaveLength(0);
	});

	it('gives nothing for a body that cannot be read', async () => {
		const readRawBody = () => Promise.reject(new Error('aborted'));
		expect(await readDelivery(request({ readRawBody }), 0)).toBeUndefined();
	});

	it('does not wait for a form with files, which n8n has used up', async () => {
		const readRawBody = () => new Promise<void>(() => {});
		const headers = { 'content-type': 'Multipart/form-data; boundary=x' };
		expect((await readDelivery(request({ headers, readRawBody }), 0))?.rawBody).toHaveLength(0);
	}, 5000);
});
