import { type Body, htmlBody, json } from './errorBodies';
import type { JsonObject, JsonValue } from './json';
import type { TokenSwitches } from './switches';
import { fillTemplate } from './template';

export interface TokenFacts {
	token: string;
	/** Milliseconds since 1970 by the service's clock. */
	now: number;
	/** The fields of the request as they came, with the secret. */
	form: JsonObject;
}

/** The response to a good token request, in the shape the switches ask for. */
export function tokenResponse(switches: TokenSwitches, { token, now, form }: TokenFacts): Body {
	const lifetime = switches.lifetimeSeconds;
	const { expiresIn, response } = switches;
	const rfc6749 = {
		...{ access_token: token, token_type: 'Bearer' },
		...expiry(expiresIn, lifetime, now),
	};
	switch (response) {
		case 'rfc6749':
			return json(rfc6749);
		case 'camelCase':
			return json(
				Object.fromEntries(
					Object.entries(rfc6749).map(([key, value]) => [
						key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
						value,
					]),
				),
			);
		case 'data':
			return json({ data: rfc6749 });
		case 'deep':
			return json({ data: { type: 'token', attributes: rfc6749 } });
		case 'array':
			return json([rfc6749]);
		case 'bareString':
			return { contentType: 'text/plain; charset=utf-8', text: token };
		case 'html':
			return htmlBody('Sign in', 'Please sign in to continue.');
		case 'echo':
			return json({ request: form });
		case 'echoWithToken':
			return json({ ...rfc6749, request: form });
		default:
			return json(fillTemplate(response.template, { token, expiresIn: lifetime }));
	}
}

function expiry(style: TokenSwitches['expiresIn'], lifetime: number, now: number): JsonObject {
	const end = now + lifetime * 1_000;
	const iso = () => new Date(end).toISOString();
	switch (style) {
		case 'number':
			return { expires_in: lifetime };
		case 'string':
			return { expires_in: String(lifetime) };
		case 'missing':
			return {};
		case 'milliseconds':
			return { expires_in: lifetime * 1_000 };
		case 'expires_at_iso':
			return { expires_at: iso() };
		case 'expires_at_epoch_s':
			return { expires_at: Math.floor(end / 1_000) };
		default:
			return { expires_in: style.value };
	}
}

export interface TokenRejection {
	status: number;
	/** RFC 6749 section 5.2. */
	code: 'invalid_request' | 'invalid_client' | 'unsupported_grant_type';
	message: string;
}

/** A rejection of a token request, in the style the switches ask for. */
export function tokenRejection(
	style: TokenSwitches['errorStyle'],
	{ code, message }: TokenRejection,
	request: JsonValue,
): Body {
	const rejection = { error: code, error_description: message };
	return json(style === 'echo' ? { ...rejection, request } : rejection);
}
