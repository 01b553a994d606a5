import { deflateSync, gzipSync } from 'node:zlib';
import { PublishedWorkflow } from '../../host/publishedWorkflow';
import type { Delivery } from '../../host/webhookRequest';
import { type Request, SECRET, sign, signed, Trigger } from './trigger';

const body = '{"event":"visit.created"}';
const withSecret = (secret: string): Request => signed(body, { 'x-signature': sign(body, secret) });

async function codes(trigger: Trigger, requests: Request[]): Promise<number[]> {
	const outcomes = await Promise.all(requests.map(async (one) => await trigger.deliver(one)));
	return outcomes.map(({ statusCode }) => statusCode);
}

describe('the secrets', () => {
	it('may be two while they are replaced; a new one counts at once, a removed one for a second', async () => {
		const both = { webhookSecret: 'new secret', previousWebhookSecret: SECRET };
		const trigger = new Trigger({}, both);
		const requests = [withSecret('new secret'), withSecret(SECRET), withSecret('x')];
		expect(await codes(trigger, requests)).toEqual([0, 0, 401]);
		trigger.host.credentials.put('one', { webhookSecret: 'x' });
		expect(await codes(trigger, requests)).toEqual([0, 0, 0]);
		trigger.host.time.pass(1000);
		expect(await codes(trigger, requests)).toEqual([401, 401, 0]);
	});

	it.each([{}, { webhookSecret: '', previousWebhookSecret: '' }])(
		'let nothing in if there are none: %j',
		async (credential) => {
			expect(await codes(new Trigger({}, credential), [withSecret('')])).toEqual([401]);
		},
	);

	it('put a delivery off if they cannot be read, so that the sender tries again', async () => {
		const trigger = new Trigger();
		jest.spyOn(trigger.host.credentials, 'read').mockImplementation(() => {
			throw new Error('There is no such credential.');
		});
		expect(await codes(trigger, [signed(body)])).toEqual([503]);
	});

	it('are read once for deliveries that come at the same time, each of which is verified', async () => {
		const trigger = new Trigger();
		const requests = Array.from({ length: 10 }, () => [signed(body), withSecret('x')]).flat();
		const expected = requests.map((_, index) => (index % 2 === 0 ? 0 : 401));
		expect(await codes(trigger, requests)).toEqual(expected);
		expect(trigger.host.credentials.reads).toBe(1);
	});

	it('serve for a second, but refuse nothing that the secret read anew verifies', async () => {
		const trigger = new Trigger();
		const reads: number[] = [];
		for (const [later, request] of [
			[0, signed(body)],
			[999, signed(body)],
			[0, withSecret('x')],
			[999, signed(body)],
			[1, signed(body)],
		] as const) {
			trigger.host.time.pass(later);
			await trigger.deliver(request);
			reads.push(trigger.host.credentials.reads);
		}
		expect(reads).toEqual([1, 1, 2, 2, 3]);
	});

	it('are those of each trigger, whatever comes at the same time', async () => {
		const { host } = new Trigger();
		host.credentials.put('two', { webhookSecret: 'second' });
		const credentials = { visitorServiceApi: { id: 'two', name: 'Second' } };
		const workflow = new PublishedWorkflow(host, [
			{ node: 'webhook', name: 'First' },
			{ node: 'webhook', name: 'Second', credentials },
		]);
		const sent = [0, 1].flatMap((index) =>
			[SECRET, 'second'].map(
				async (secret) => await workflow.deliver(withSecret(secret) as Delivery, index),
			),
		);
		const received = await Promise.all(sent);
		expect(received.map(({ statusCode }) => statusCode)).toEqual([200, 401, 401, 200]);
	});

	it.each<[string, object, Request]>([
		['from a stranger', { options: { ipAllowlist: '198.51.100.0/24' } }, signed(body)],
		['without a signature', {}, { body }],
		['without the header that holds it', { authentication: 'header' }, { body }],
		['without Standard Webhooks', { authentication: 'standardWebhooks' }, { body }],
		['that needs none', { authentication: 'none' }, { body }],
	])('are not read for a delivery %s', async (_, parameters, request) => {
		const trigger = new Trigger(parameters);
		await trigger.deliver(request);
		expect(trigger.host.credentials.reads).toBe(0);
	});
});

it.each([
	[200, 200],
	['204', 204],
	['={{ 200 + 1 }}', 200],
	...[410, 500, 200.5, 'abc'].map((code): [unknown, number] => [code, 200]),
	['=', 200],
	[null, 200],
])('the Response Code %j gets %d', async (responseCode, expected) => {
	const { workflow } = new Trigger({ options: { responseCode } });
	expect((await workflow.deliver(signed(body) as Delivery)).statusCode).toBe(expected);
});

it.each([
	['gzip', gzipSync],
	['deflate', deflateSync],
])('a body that comes as %s is read', async (coding, pack) => {
	const packed = signed(body, { 'content-encoding': coding });
	const { items } = await new Trigger().deliver({ ...packed, body: pack(body) });
	expect(items).toMatchObject([{ event: 'visit.created' }]);
});

it.each<[string, Request['headers'], number]>([
	['gzip that is none', { 'content-encoding': 'gzip' }, 400],
	['multipart/form-data', { 'content-type': 'multipart/form-data; boundary=x' }, 415],
])('a body that cannot be read is rejected: %s', async (_, headers, expected) => {
	expect(await codes(new Trigger(), [signed(body, headers)])).toEqual([expected]);
});

it('the URL that is signed is the Test URL while the editor listens', async () => {
	const trigger = new Trigger({ signatureFormat: 'custom', signedContent: '{body}{url}' });
	const content = `${body}https://n8n.example.test/webhook/1/webhook?site=a%20b`;
	const request = { ...signed(body, { 'x-signature': sign(content) }), search: '?site=a%20b' };
	expect((await trigger.deliver(request, 'manual')).items).toHaveLength(1);
	const elsewhere = { ...request, search: '?site=b' };
	await expect(trigger.deliver(elsewhere, 'manual')).rejects.toThrow('no signature matches');
});
