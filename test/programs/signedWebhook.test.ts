import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { type Request, SECRET, Trigger } from '../boundary/webhook/trigger';
import { listen } from '../loopback';

const document = readFileSync(path.join(__dirname, '..', '..', 'docs', 'webhooks.md'), 'utf8');
const [, script = ''] = /```sh\n(.*?)```/s.exec(document) ?? [];

/** What the lines of the document send, with this URL and this secret in them. */
async function requestOf(secret: string): Promise<Request> {
	const server = createServer();
	const filledIn = script
		.replace('<Test URL>', `http://${await listen(server)}/`)
		.replace('<Webhook Secret>', secret);
	void promisify(execFile)('sh', ['-ec', filledIn]);
	const [request, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
	const { method, headers } = request;
	const body = await buffer(request);
	response.end();
	server.close();
	return { method, headers, body };
}

describe('the lines that try a signed webhook', () => {
	it('start the workflow with the right secret only', async () => {
		const genuine = await requestOf(SECRET);
		expect((await new Trigger().deliver(genuine)).items).toMatchObject([
			{ event: 'visit.created', id: 1 },
		]);
		const forged = await requestOf('another-secret');
		expect((await new Trigger().deliver(forged)).statusCode).toBe(401);
	});
});
