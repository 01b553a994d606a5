import { type Answer, errorAnswer, redirectAnswer } from './answers';
import type { ServiceRequest, ServiceState } from './state';

const messages = {
	missing: 'An access token is needed.',
	invalid: 'The access token is not valid.',
	expired: 'The access token has expired.',
};

/**
 * What a call without a good token gets; null for one that may go on. Counts as a use of its token.
 */
export function callerRefusal(state: ServiceState, request: ServiceRequest): Answer | null {
	const caller = state.tokens.use(request.headers.authorization, state.realTime());
	if (caller === 'valid') return null;
	const { authorization: switches } = state.switches;
	if (switches.redirectTo !== null) return redirectAnswer(302, switches.redirectTo);
	const refusal = switches[caller];
	const headers: Record<string, string> = {};
	if (switches.wwwAuthenticate && refusal.status === 401) {
		// RFC 6750 section 3.1: no error code for a call that carried no token at all.
		const error = caller === 'missing' ? '' : ', error="invalid_token"';
		headers['www-authenticate'] = `Bearer realm="visitor service"${error}`;
	}
	return errorAnswer(state, request, refusal, `token_${caller}`, messages[caller], headers);
}
