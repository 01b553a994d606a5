import { createHmac } from 'node:crypto';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';

import { request } from 'undici';

import { itemsOf } from '../n8n/execution';
import type { StoredWorkflow } from '../n8n/n8nClient';
import { ownNode, webhookUrl } from '../n8n/workflow';
import { Testbed } from './harness/testbed';

const SECRET = 'e2e-webhook-secret';
const TRIGGER = 'Trigger';

const testbed = Testbed.shared();

const hmac = (content: Buffer | string, secret = SECRET) =>
	createHmac('sha256', secret).update(content).digest('hex');

/** Posts a body with what is said to be its signature. */
async function post(
	url: string,
	body: Buffer | string | Readable,
	signature: string,
	headers: Record<string, string> = { 'content-type': 'application/json' },
) {
	const response = await request(url, {
		method: 'POST',
		headers: { ...headers, 'x-signature': signature },
		body,
	});
	return { statusCode: response.statusCode, text: await response.body.text() };
}

describe('The webhook trigger in the real n8n', () => {
	async function activate(
		parameters: Record<string, unknown> = {},
		fields: Record<string, unknown> = { webhookSecret: SECRET },
	): Promise<{ workflow: StoredWorkflow; url: string }> {
		const credential = await testbed.createCredential(fields);
		const node = ownNode('webhook', TRIGGER, credential, parameters);
		const workflow = await testbed.createWorkflow([node]);
		await testbed.n8n.activateWorkflow(workflow);
		return { workflow, url: webhookUrl(testbed.n8nUrl, workflow, TRIGGER) };
	}

	it('is not activated without the secret it needs, and says what to set', async () => {
		await expect(activate({}, {})).rejects.toThrow(/Webhook Secret/);
	});

	it('shows a rejected test event as an error of the trigger, after which no node runs', async () => {
		const credential = await testbed.createCredential({ webhookSecret: SECRET });
		const test = async (sent: unknown, secret = SECRET) => {
			// One of its own: n8n ends a test after it has responded, and would end the next one with it.
			const workflow = await testbed.createWorkflow([
				ownNode('webhook', TRIGGER, credential, { events: 'visit.ended' }),
				{ name: 'Open', type: 'n8n-nodes-base.noOp' },
			]);
			await testbed.n8n.listenForTestEvent(workflow, TRIGGER);
			const url = webhookUrl(testbed.n8nUrl, workflow, TRIGGER);
			const body = JSON.stringify(sent);
			const testUrl = url.replace('/webhook/', '/webhook-test/');
			const { statusCode, text } = await post(testUrl, body, hmac(body, secret));
			const [only] = await testbed.n8n.waitForExecutions(workflow.id, 1);
			const execution = await testbed.n8n.waitForExecution(String(only?.id));
			const { nodes, error } = execution;
			return { statusCode, text, ran: Object.keys(nodes), error: error?.message };
		};
		expect(await test({ event: 'visit.ended' }, 'forged')).toEqual({
			statusCode: 401,
			text: '{"message":"Unauthorized"}',
			ran: [TRIGGER],
			error: expect.stringMatching(/^A webhook delivery was rejected: no signature/) as string,
		});
		expect(await test({ event: 'visit.created' })).toMatchObject({
			statusCode: 200,
			ran: [TRIGGER],
			error: 'A webhook delivery was left out: the event "visit.created" is not among Events.',
		});
		expect(await test([{ event: 'visit.created' }, { event: 'visit.ended' }])).toMatchObject({
			statusCode: 200,
			error: undefined,
		});
	});

	it('takes bodies of any kind, and rejects what cannot be read', async () => {
		const { workflow, url } = await activate();
		const latin1 = Buffer.from('{"a":"ü"}', 'latin1');
		const nested = `${'['.repeat(300)}${']'.repeat(300)}`;
		const note = 'x'.repeat(16 * 1024 * 1024 - 100);
		const json = 'application/json';
		const binary = 'application/octet-stream';
		const gzip = { 'content-encoding': 'gzip' };
		const taken: Array<[body: Buffer | string, headers: Record<string, string>, items: unknown[]]> =
			[
				['', { 'content-type': json }, [null]],
				['', {}, [null]],
				['hello', { 'content-type': 'text/plain' }, ['hello']],
				['x', { 'content-type': `${binary}; charset=x-unknown` }, ['x']],
				['{"a":1}', {}, [{ a: 1 }]],
				['{"a":1}', { 'content-type': binary }, [{ a: 1 }]],
				['[{"n":1},{"n":2}]', { 'content-type': json }, [{ n: 1 }, { n: 2 }]],
				[JSON.stringify({ note }), { 'content-type': json }, [{ note }]],
				[
					'a=1&b=2&b=3',
					{ 'content-type': 'application/x-www-form-urlencoded' },
					[{ a: '1', b: ['2', '3'] }],
				],
				['{"a":"packed"}', { 'content-type': json, ...gzip }, [{ a: 'packed' }]],
				['{"a":"packed"}', { 'content-type': binary, ...gzip }, [{ a: 'packed' }]],
			];
		const rejected: Array<
			[body: Buffer | string, headers: Record<string, string>, statusCode: number]
		> = [
			['{"a":', { 'content-type': json }, 422],
			['x', { 'content-type': binary, 'content-encoding': 'br' }, 415],
			[nested, { 'content-type': json }, 413],
			[latin1, { 'content-type': `${json}; charset=latin1` }, 415],
			[latin1, { 'content-type': 'application/vnd.x; charset=windows-1252' }, 415],
			['--x--\r\n', { 'content-type': 'multipart/form-data; boundary=x' }, 415],
		];
		const send = async (index: number, body: Buffer | string, headers: Record<string, string>) => {
			const sent = headers['content-encoding'] === 'gzip' ? gzipSync(body) : body;
			return (await post(`${url}?index=${index}`, sent, hmac(body), headers)).statusCode;
		};

		for (const [index, [body, headers, statusCode]] of rejected.entries()) {
			expect([index, await send(index, body, headers)]).toEqual([index, statusCode]);
		}
		for (const [index, [body, headers]] of taken.entries()) {
			expect([index, await send(index, body, headers)]).toEqual([index, 200]);
		}
		const executions = await testbed.n8n.endedExecutions(workflow.id, taken.length);
		expect(executions).toHaveLength(taken.length);
		const received = new Map<number, unknown[]>();
		for (const execution of executions) {
			const items = itemsOf(execution, TRIGGER);
			const index = Number((items[0]?.query as { index?: string } | undefined)?.index);
			received.set(
				index,
				items.map(({ body }) => body),
			);
		}
		for (const [index, [, , items]] of taken.entries()) expect(received.get(index)).toEqual(items);
	});

	it('rejects a body larger than n8n takes, and goes on', async () => {
		const { workflow, url } = await activate();
		const body = Buffer.alloc(17 * 1024 * 1024, 'x');
		const send = async (contentType: string, sent: Buffer | Readable = body) =>
			(await post(url, sent, 'x', { 'content-type': contentType })).statusCode;
		// What n8n reads itself it responds to itself, as it does for its own Webhook node.
		expect(await send('application/json')).toBeGreaterThanOrEqual(400);
		const statusCode = await send('application/octet-stream');
		expect(statusCode).toBe(413);
		// Without a length nobody but the trigger can tell before it is too late.
		expect(await send('application/octet-stream', Readable.from([body]))).toBe(413);
		expect(await testbed.deliver({ url, secret: SECRET })).toBe(200);
		expect(await testbed.n8n.waitForExecutions(workflow.id, 1)).toHaveLength(1);
	});

	it('responds to requests that check the URL by GET and POST, and starts nothing', async () => {
		const { workflow, url } = await activate({
			options: { verificationRequests: 'answer', responseCode: 202 },
		});
		const verify = async (method: 'GET' | 'POST', search: string) => {
			const { statusCode, headers, body } = await request(`${url}${search}`, { method });
			const type = String(headers['content-type']).split(';')[0];
			return [statusCode, type, await body.text(), headers['x-content-type-options']];
		};
		expect(await verify('GET', '?hub.challenge=115')).toEqual([
			200,
			'text/plain',
			'115',
			'nosniff',
		]);
		const token = '?validationToken=abc-1';
		expect(await verify('POST', token)).toEqual([200, 'text/plain', 'abc-1', 'nosniff']);
		expect((await verify('GET', ''))[0]).toBe(405);
		expect(await testbed.deliver({ url, secret: SECRET })).toBe(202);
		expect(await testbed.n8n.waitForExecutions(workflow.id, 1)).toHaveLength(1);
	});

	it('has no other method than POST unless such requests get a response', async () => {
		const { url } = await activate();
		for (const method of ['GET', 'HEAD', 'PUT'] as const) {
			const { statusCode, body } = await request(`${url}?challenge=abc`, { method });
			await body.dump();
			expect([method, statusCode]).toEqual([method, 404]);
		}
	});

	it('verifies a signature over the URL with its query', async () => {
		const { workflow, url } = await activate({
			signatureFormat: 'custom',
			signedContent: '{method}{url}\n{body}',
		});
		const body = '{"event":"visit.created"}';
		const send = async (signed: string, to: string) =>
			(await post(to, body, hmac(`POST${signed}\n${body}`))).statusCode;
		const called = `${url}?tenant=a%20b&x=%C3%A4`;
		expect(await send(called, called)).toBe(200);
		expect(await send(called, `${url}?tenant=other`)).toBe(401);
		expect(await send(url, called)).toBe(401);
		expect(await testbed.n8n.waitForExecutions(workflow.id, 1)).toHaveLength(1);
	});
});
