import http from 'node:http';
import https from 'node:https';

/**
 * Posts bytes and tells the status of the answer. Redirects are not followed. Rejects when there is
 * no answer in time.
 */
export class WebhookPost {
	private readonly agents = {
		'http:': new http.Agent({ keepAlive: true }),
		'https:': new https.Agent({ keepAlive: true }),
	};

	async send(
		address: string,
		headers: Record<string, string>,
		body: Buffer,
		timeoutMs: number,
	): Promise<number> {
		const url = new URL(address);
		const secure = url.protocol === 'https:';
		return await new Promise((resolve, reject) => {
			const request = (secure ? https : http).request(
				url,
				{
					method: 'POST',
					agent: this.agents[secure ? 'https:' : 'http:'],
					headers: { ...headers, 'content-length': body.length },
					signal: AbortSignal.timeout(timeoutMs),
				},
				(response) => {
					response.resume();
					response.once('end', () => resolve(response.statusCode ?? 0));
					response.once('error', reject);
				},
			);
			request.once('error', reject);
			request.end(body);
		});
	}

	close(): void {
		this.agents['http:'].destroy();
		this.agents['https:'].destroy();
	}
}
