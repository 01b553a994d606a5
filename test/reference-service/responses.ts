import { type Body, bodyOf, type ForcedResponse } from './bodies';
import { ERROR_BODIES, FAULTS } from './presets';
import type { ServiceRequest, ServiceState } from './state';
import type { ErrorResponse, Fault } from './switches';
import { fillTemplate } from './template';

/** A complete response, before it is sent or damaged. */
export interface ServiceResponse {
	status: number;
	headers: Record<string, string>;
	/** null = no `Content-Type`. */
	contentType: string | null;
	content: string | Buffer;
}

export function responseOf(
	status: number,
	{ contentType, text }: Body,
	headers = {},
): ServiceResponse {
	return { status, headers, contentType, content: text };
}

/** An error in the style the switches ask for. */
export function errorResponse(
	{ switches }: ServiceState,
	request: ServiceRequest,
	{ status, body }: ErrorResponse,
	code: string,
	message: string,
	headers: Record<string, string> = {},
): ServiceResponse {
	const style = body ?? switches.errors.body;
	const template = typeof style === 'string' ? ERROR_BODIES[style] : style.template;
	const { authorization = null } = request.headers;
	const filled = fillTemplate(template, { status, code, message, authorization });
	return responseOf(status, bodyOf(filled), headers);
}

export function redirectResponse(status: number, location: string): ServiceResponse {
	return { status, headers: { location }, contentType: null, content: '' };
}

/** What happens to a request: it gets a response, or its connection breaks. */
export type Outcome =
	| { kind: 'response'; response: ServiceResponse }
	/** A reset before any byte, or no byte ever. */
	| { kind: 'reset' | 'hang' }
	/**
	 * Half of the body, then the connection is destroyed, nothing more comes, or a byte now and then.
	 */
	| { kind: BrokenOff; response: ServiceResponse };

export type BrokenOff = 'cut' | 'stall' | 'trickle';

/** Whether a fault is a damaged plain response, so that the plain one is needed first. */
export function damagesPlainResponse(fault: Fault): fault is BrokenOff | 'truncatedJson' {
	return ['cut', 'stall', 'trickle', 'truncatedJson'].some((damage) => damage === fault);
}

/** What a fault makes of a request. The plain response is made only if it is sent, or damaged. */
export async function outcomeOf(
	state: ServiceState,
	request: ServiceRequest,
	fault: Fault,
	plain: () => ServiceResponse | Promise<ServiceResponse>,
): Promise<Outcome> {
	const respondedWith = (response: ServiceResponse): Outcome => ({ kind: 'response', response });
	if (typeof fault === 'object') return respondedWith(forcedResponse(state, request, fault));
	switch (fault) {
		case 'none':
			return respondedWith(await plain());
		case 'cut':
		case 'stall':
		case 'trickle':
			return { kind: fault, response: await plain() };
		case 'truncatedJson': {
			const response = await plain();
			const bytes = Buffer.from(response.content);
			const content = bytes.subarray(0, Math.ceil(bytes.length / 2));
			return respondedWith({ ...response, content });
		}
		case 'reset':
		case 'hang':
			return { kind: fault };
		default:
			return respondedWith(forcedResponse(state, request, FAULTS[fault]));
	}
}

export function forcedResponse(
	state: ServiceState,
	request: ServiceRequest,
	{ body, status, ...forced }: ForcedResponse,
): ServiceResponse {
	const headers = { ...forced.headers };
	const wait = retryAfterText(forced.retryAfter, state.serviceTime());
	if (wait !== null) headers['retry-after'] = wait;
	if (body === undefined) {
		const message = 'This response was asked for by a switch.';
		return errorResponse(state, request, { status, body: null }, 'forced', message, headers);
	}
	const { contentType, text } = bodyOf(body);
	return responseOf(status, { contentType: forced.contentType ?? contentType, text }, headers);
}

function retryAfterText(wait: ForcedResponse['retryAfter'], now: number): string | null {
	if (wait === undefined) return null;
	return typeof wait === 'object'
		? new Date(now + wait.inSeconds * 1_000).toUTCString()
		: String(wait);
}
