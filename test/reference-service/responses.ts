import { type Body, errorBody, htmlBody, json } from './errorBodies';
import type { ServiceRequest, ServiceState } from './state';
import type { ErrorResponse, Fault, ForcedResponse } from './switches';

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
	const facts = { status, code, message, authorization: request.headers.authorization };
	return responseOf(status, errorBody(body ?? switches.errors.body, facts), headers);
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

/** What comes with 200 instead of the plain response. */
const BODIES = {
	empty: { contentType: null, text: '' },
	html: htmlBody('Maintenance', 'Please come back later.'),
	string: json('not what you asked for'),
	number: json(42),
	null: json(null),
	boolean: json(true),
	errorObject200: json({ error: 'internal_error', message: 'Something went wrong.' }),
} satisfies Partial<Record<Extract<Fault, string>, Body>>;

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
			return respondedWith(responseOf(200, BODIES[fault]));
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
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	const ofText = text.startsWith('<') ? 'text/html' : 'text/plain';
	const type = typeof body === 'string' ? ofText : 'application/json';
	const contentType = forced.contentType ?? `${type}; charset=utf-8`;
	return responseOf(status, { contentType, text }, headers);
}

function retryAfterText(wait: ForcedResponse['retryAfter'], now: number): string | null {
	if (wait === undefined) return null;
	return typeof wait === 'object'
		? new Date(now + wait.inSeconds * 1_000).toUTCString()
		: String(wait);
}
