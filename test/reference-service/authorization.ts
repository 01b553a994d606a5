import { errorResponse, redirectResponse, type ServiceResponse } from './responses';
import type { ServiceRequest, ServiceState } from './state';

const messages = {
	missing: 'An access token is needed.',
	invalid: 'The access token is not valid.',
	expired: 'The access token has expired.',
};

/**
 * What a call without a good token gets; null for one that may go on. Counts as a use of its token.
 */
export function callerRejection(
	state: ServiceState,
	request: ServiceRequest,
): ServiceResponse | null {
	const caller = state.tokens.use(request.headers.authorization, state.realTime());
	if (caller === 'valid') return null;
	const { authorization: switches } = state.switches;
	if (switches.redirectTo !== null) return redirectResponse(302, switches.redirectTo);
	const rejection = switches[caller];
	const headers: Record<string, string> = {};
	if (rejection.status === 401) {
		// RFC 6750 section 3.1: no error code for a call that carried no token at all.
		const error = caller === 'missing' ? '' : ', error="invalid_token"';
		headers['www-authenticate'] = `Bearer realm="visitor service"${error}`;
	}
	return errorResponse(state, request, rejection, `token_${caller}`, messages[caller], headers);
}
