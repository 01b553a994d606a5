import { takeFault } from './faults';
import type { RecordedRequest } from './requestLog';
import { type Form, formOf, isForm } from './requestParts';
import {
	type Outcome,
	outcomeOf,
	redirectResponse,
	responseOf,
	type ServiceResponse,
} from './responses';
import type { ServiceRequest, ServiceState } from './state';
import { type TokenRejection, tokenRejection, tokenResponse } from './tokenResponses';

/** Section 4.1 of the interface: the client credentials grant. */
export async function respondToTokenRequest(
	state: ServiceState,
	request: ServiceRequest,
	recorded: RecordedRequest,
): Promise<Outcome> {
	const { token: switches, outage } = state.switches;
	const form = formOf(request);
	recorded.form = withoutSecret(form, state);
	const fault =
		outage !== 'none'
			? outage
			: switches.force !== 'none'
				? switches.force
				: takeFault(switches.faults);
	await state.pause(switches.latencyMs);
	return await outcomeOf(state, request, fault, () => plainResponse(state, request, form));
}

function plainResponse(state: ServiceState, request: ServiceRequest, form: Form): ServiceResponse {
	const { token: switches } = state.switches;
	if (switches.redirectTo !== null) {
		return redirectResponse(307, switches.redirectTo);
	}
	// RFC 6749 section 5.1: a response with a token is not to be kept.
	const headers = { 'cache-control': 'no-store', pragma: 'no-cache' };
	const rejection = rejectionOf(state, request, form);
	if (rejection !== null) {
		const body = tokenRejection(switches.errorStyle, rejection, form);
		return responseOf(rejection.status, body, headers);
	}
	const { text: token } = state.tokens.issue(switches, state.realTime(), state.clientId);
	const body = tokenResponse(switches, { token, now: state.serviceTime(), form });
	return responseOf(200, body, headers);
}

function rejectionOf(
	state: ServiceState,
	request: ServiceRequest,
	form: Form,
): TokenRejection | null {
	const rejected = (message: string, code: TokenRejection['code'] = 'invalid_request') => ({
		...{ status: code === 'invalid_client' ? 401 : 400, code, message },
	});
	if (!isForm(request)) return rejected('The request must be application/x-www-form-urlencoded.');
	// RFC 6749 section 3.2: no parameter more than once, one without a value is as if left out.
	for (const name of ['grant_type', 'client_id', 'client_secret']) {
		if (Array.isArray(form[name])) return rejected(`${name} is repeated.`);
		if (form[name] === undefined || form[name] === '') return rejected(`${name} is missing.`);
	}
	if (form.grant_type !== 'client_credentials')
		return rejected('Only the client credentials grant is supported.', 'unsupported_grant_type');
	const isClient = form.client_id === state.clientId && state.isSecret(form.client_secret);
	return isClient
		? null
		: rejected('The client is unknown or its secret is wrong.', 'invalid_client');
}

function withoutSecret(form: Form, state: ServiceState): Form {
	const sent = form.client_secret;
	if (sent === undefined) return form;
	return { ...form, client_secret: state.isSecret(sent) ? '<secret>' : '<wrong secret>' };
}
