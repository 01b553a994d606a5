import { type Body, bodyOf } from './bodies';
import type { JsonObject, JsonValue } from './json';
import { TOKEN_RESPONSES } from './presets';
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
	const { expiresIn: style, lifetimeSeconds: expiresIn, response } = switches;
	const fields = { access_token: token, token_type: 'Bearer', ...expiry(style, expiresIn, now) };
	const camelCaseFields = Object.fromEntries(
		Object.entries(fields).map(([key, value]) => [
			key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
			value,
		]),
	);
	const template = typeof response === 'string' ? TOKEN_RESPONSES[response] : response.template;
	return bodyOf(fillTemplate(template, { token, expiresIn, fields, camelCaseFields, form }));
}

function expiry(style: TokenSwitches['expiresIn'], lifetime: number, now: number): JsonObject {
	if (typeof style === 'object') return { expires_in: style.value };
	const end = now + lifetime * 1_000;
	return {
		number: { expires_in: lifetime },
		string: { expires_in: String(lifetime) },
		missing: {},
		milliseconds: { expires_in: lifetime * 1_000 },
		expires_at_iso: { expires_at: new Date(end).toISOString() },
		expires_at_epoch_s: { expires_at: Math.floor(end / 1_000) },
	}[style];
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
	return bodyOf(style === 'echo' ? { ...rejection, request } : rejection);
}
