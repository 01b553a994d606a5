import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Answer } from './answers';
import { answerOf, playFault, redirectAnswer } from './answers';
import { takeFault } from './faults';
import type { ServiceState } from './state';
import type { TokenRefusal } from './tokenAnswers';
import { tokenAnswer, tokenRefusal } from './tokenAnswers';

/** Section 4.1 of the interface: the client credentials grant. */
export async function answerTokenRequest(
	state: ServiceState,
	request: FastifyRequest,
	reply: FastifyReply,
): Promise<FastifyReply> {
	const { token: switches, outage } = state.switches;
	const form = formOf(request);
	if (request.recorded !== null) request.recorded.form = withoutSecret(form, state.clientSecret);
	const fault =
		outage !== 'none'
			? outage
			: switches.force !== 'none'
				? switches.force
				: takeFault(switches.faults);
	await state.pause(switches.latencyMs);
	return await playFault(state, request, reply, fault, () => plainAnswer(state, request, form));
}

function plainAnswer(state: ServiceState, request: FastifyRequest, form: Form): Answer {
	const { token: switches } = state.switches;
	if (switches.redirectTo !== null) {
		return redirectAnswer(switches.redirectStatus, switches.redirectTo);
	}
	// RFC 6749 section 5.1: an answer with a token is not to be kept.
	const headers = { 'cache-control': 'no-store', pragma: 'no-cache' };
	const refusal = refusalOf(state, request, form);
	if (refusal !== null) {
		const body = tokenRefusal(switches.errorStyle, refusal, form);
		return answerOf(refusal.status, body, headers);
	}
	const { text: token } = state.tokens.issue(switches, state.realTime(), state.clientId);
	const body = tokenAnswer(switches, { token, now: state.serviceTime(), form });
	const contentType = switches.contentType ?? body.contentType;
	return answerOf(switches.status, { ...body, contentType }, headers);
}

function refusalOf(state: ServiceState, request: FastifyRequest, form: Form): TokenRefusal | null {
	const invalid = (message: string): TokenRefusal => ({
		status: 400,
		code: 'invalid_request',
		message,
	});
	const mediaType = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
	if (mediaType !== 'application/x-www-form-urlencoded') {
		return invalid('The request must be application/x-www-form-urlencoded.');
	}
	// RFC 6749 section 3.2: no parameter more than once, one without a value is as if left out.
	for (const name of ['grant_type', 'client_id', 'client_secret']) {
		if (Array.isArray(form[name])) return invalid(`${name} is repeated.`);
		if (form[name] === undefined || form[name] === '') return invalid(`${name} is missing.`);
	}
	if (form.grant_type !== 'client_credentials') {
		const message = 'Only the client credentials grant is supported.';
		return { status: 400, code: 'unsupported_grant_type', message };
	}
	if (form.client_id !== state.clientId || form.client_secret !== state.clientSecret) {
		const status = state.switches.token.invalidClientStatus;
		return {
			status,
			code: 'invalid_client',
			message: 'The client is unknown or its secret is wrong.',
		};
	}
	return null;
}

type Form = Record<string, string | string[]>;

/** Reads a form body to the letter of the URL standard; a repeated field becomes a list. */
export function parseForm(text: string): Form {
	const form: Form = {};
	for (const [name, value] of new URLSearchParams(text)) {
		const known = form[name];
		form[name] = known === undefined ? value : [known, value].flat();
	}
	return form;
}

function formOf({ body }: FastifyRequest): Form {
	// Bodies of other media types are not read at all.
	return typeof body === 'object' && body !== null && !Buffer.isBuffer(body) ? (body as Form) : {};
}

function withoutSecret(form: Form, secret: string): Form {
	const sent = form.client_secret;
	if (sent === undefined) return form;
	return { ...form, client_secret: sent === secret ? '<secret>' : '<wrong secret>' };
}
