import type {
	Clock,
	HttpAnswer,
	HttpRequest,
	Transport,
} from '../../nodes/VisitorService/http/message';
import type { Answer } from './answers';
import { overHttp, parsed } from './overHttp';
import type { VisitorService } from './service';
import type { ServiceRequest } from './state';

/**
 * Asks a service of this process, without a network. Time passes by the clock alone.
 *
 * @param latency milliseconds a request takes on its way there, and again on its way back
 */
export function memoryTransport(
	service: VisitorService,
	clock: Pick<Clock, 'sleep'>,
	latency: () => number = () => 0,
): Transport {
	return async (request) => {
		const asked = asReceived(request);
		const recorded = service.begin(asked);
		try {
			await pass(clock, latency());
			const outcome = await service.answer(asked, recorded);
			await pass(clock, latency());
			switch (outcome.kind) {
				case 'answer':
					return toHttpAnswer(outcome.answer);
				case 'reset':
				case 'cut':
					throw Object.assign(new Error('The connection broke.'), { code: 'ECONNRESET' });
				case 'hang':
				case 'stall':
				case 'trickle':
					await clock.sleep(request.timeout);
					throw Object.assign(new Error('No answer in time.'), { code: 'ETIMEDOUT' });
			}
		} finally {
			service.ended(recorded);
		}
	};
}

async function pass(clock: Pick<Clock, 'sleep'>, milliseconds: number): Promise<void> {
	if (milliseconds > 0) await clock.sleep(milliseconds);
}

function asReceived(request: HttpRequest): ServiceRequest {
	const { target, headers, body = '' } = overHttp(request);
	const received: Record<string, string> = { host: target.host };
	for (const [name, value] of Object.entries(headers)) received[name.toLowerCase()] = value;
	return {
		method: request.method,
		url: `${target.pathname}${target.search}`,
		headers: received,
		body,
	};
}

function toHttpAnswer({ status, headers, contentType, content }: Answer): HttpAnswer {
	return {
		statusCode: status,
		headers: {
			...headers,
			...(contentType !== null && { 'content-type': contentType }),
		},
		body: parsed(content.toString().replace(/^\uFEFF/, '')),
	};
}
