import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Request, SECRET, Trigger } from '../boundary/webhook/trigger';

const document = readFileSync(path.join(__dirname, '..', '..', 'docs', 'webhooks.md'), 'utf8');
const [, script = ''] = /```sh\n(.*?)```/s.exec(document) ?? [];

/** What the lines of the document send, with this URL and this secret in them. */
async function requestOf(secret: string): Promise<Request> {
	const received = new Promise<Request>((resolve) => {
		const server = createServer((request, response) => {
			const chunks: Buffer[] = [];
			request.on('data', (chunk: Buffer) => chunks.push(chunk));
			request.on('end', () => {
				const { method, headers } = request;
				resolve({ method, headers, body: Buffer.concat(chunks) });
				response.end();
				server.close();
			});
		});
		server.listen(0, '127.0.0.1', () => {
			const { port } = server.address() as AddressInfo;
			const filledIn = script
				.replace('<Test URL>', `http://127.0.0.1:${port}/`)
				.replace('<Webhook Secret>', secret);
			void promisify(execFile)('sh', ['-ec', filledIn]);
		});
	});
	return await received;
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
