import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Body } from './errorBodies';
import { errorBody, htmlBody, json } from './errorBodies';
import type { RecordedRequest } from './requestLog';
import type { ServiceState } from './state';
import type { ErrorAnswer, Fault, ForcedAnswer } from './switches';

declare module 'fastify' {
	interface FastifyRequest {
		recorded: RecordedRequest | null;
	}
}

/** A complete answer, before it is sent or damaged. */
export interface Answer {
	status: number;
	headers: Record<string, string>;
	/** null = no `Content-Type`. */
	contentType: string | null;
	content: string | Buffer;
}

export function answerOf(status: number, { contentType, text }: Body, headers = {}): Answer {
	return { status, headers, contentType, content: text };
}

/** An error in the style the switches ask for. */
export function errorAnswer(
	{ switches }: ServiceState,
	request: FastifyRequest,
	{ status, body }: ErrorAnswer,
	code: string,
	message: string,
	headers: Record<string, string> = {},
): Answer {
	const facts = { status, code, message, authorization: request.headers.authorization };
	return answerOf(status, errorBody(body ?? switches.errors.body, facts), headers);
}

export function redirectAnswer(status: number, location: string): Answer {
	return { status, headers: { location }, contentType: null, content: '' };
}

export function sendAnswer(reply: FastifyReply, answer: Answer): FastifyReply {
	void reply.code(answer.status).headers(answer.headers);
	// Sent as bytes: fastify gives a text without Content-Type one of its own.
	const bytes = Buffer.isBuffer(answer.content) ? answer.content : Buffer.from(answer.content);
	if (answer.contentType !== null) void reply.type(answer.contentType);
	return reply.send(bytes.length === 0 && answer.contentType === null ? undefined : bytes);
}

/** Whether a fault is a damaged plain answer, so that the plain one is needed first. */
export function damagesPlainAnswer(fault: Fault): fault is 'cut' | 'stall' | 'truncatedJson' {
	return fault === 'cut' || fault === 'stall' || fault === 'truncatedJson';
}

/**
 * Plays a fault instead of the plain answer, which is made only where the fault is a damaged one of
 * it.
 */
export async function playFault(
	state: ServiceState,
	request: FastifyRequest,
	reply: FastifyReply,
	fault: Fault,
	plain: () => Answer | Promise<Answer>,
): Promise<FastifyReply> {
	if (damagesPlainAnswer(fault)) {
		const answer = await plain();
		if (fault !== 'truncatedJson')
			return await breakOff(state, request, reply, answer, fault === 'cut');
		const bytes = Buffer.from(answer.content);
		return await sendAnswer(reply, {
			...answer,
			content: bytes.subarray(0, Math.ceil(bytes.length / 2)),
		});
	}
	switch (fault) {
		case 'none':
			return await sendAnswer(reply, await plain());
		case 'reset':
			reply.hijack();
			reply.raw.socket?.resetAndDestroy();
			return await reply;
		case 'hang':
			reply.hijack();
			return await reply;
		case 'empty':
			return await sendAnswer(reply, answerOf(200, { contentType: null, text: '' }));
		case 'html':
			return await sendAnswer(
				reply,
				answerOf(200, htmlBody('Maintenance', 'Please come back later.')),
			);
		case 'string':
			return await sendAnswer(reply, answerOf(200, json('not what you asked for')));
		case 'number':
			return await sendAnswer(reply, answerOf(200, json(42)));
		case 'null':
			return await sendAnswer(reply, answerOf(200, json(null)));
		case 'boolean':
			return await sendAnswer(reply, answerOf(200, json(true)));
		case 'errorObject200': {
			const body = json({ error: 'internal_error', message: 'Something went wrong.' });
			return await sendAnswer(reply, answerOf(200, body));
		}
		default:
			return await sendAnswer(reply, forcedAnswer(state, request, fault));
	}
}

function forcedAnswer(state: ServiceState, request: FastifyRequest, forced: ForcedAnswer): Answer {
	const headers = { ...forced.headers };
	const wait = retryAfterText(forced.retryAfter, state.serviceTime());
	if (wait !== null) headers['retry-after'] = wait;
	if (forced.body === undefined) {
		const plain = { status: forced.status, body: null };
		return errorAnswer(
			state,
			request,
			plain,
			'forced',
			'This answer was asked for by a switch.',
			headers,
		);
	}
	const text = typeof forced.body === 'string' ? forced.body : JSON.stringify(forced.body);
	const contentType =
		forced.contentType ??
		(text.startsWith('<')
			? 'text/html; charset=utf-8'
			: typeof forced.body === 'string'
				? 'text/plain; charset=utf-8'
				: 'application/json; charset=utf-8');
	return answerOf(forced.status, { contentType, text }, headers);
}

function retryAfterText(wait: ForcedAnswer['retryAfter'], now: number): string | null {
	if (wait === undefined) return null;
	return typeof wait === 'object'
		? new Date(now + wait.inSeconds * 1_000).toUTCString()
		: String(wait);
}

/** Promises the whole body, sends half of it, then destroys the connection or falls silent. */
function breakOff(
	{ log }: ServiceState,
	request: FastifyRequest,
	reply: FastifyReply,
	answer: Answer,
	destroy: boolean,
): FastifyReply {
	const bytes = Buffer.from(answer.content);
	if (request.recorded !== null) log.answered(request.recorded, answer.status);
	reply.hijack();
	const { raw } = reply;
	raw.writeHead(answer.status, {
		...answer.headers,
		...(answer.contentType === null ? {} : { 'content-type': answer.contentType }),
		// One more than there is, so that even an empty body is cut.
		'content-length': bytes.length + 1,
	});
	raw.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => {
		if (destroy) raw.destroy();
	});
	return reply;
}
