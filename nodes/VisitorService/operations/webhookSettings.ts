import { webhookOptions, webhookParameters } from '../descriptions/webhookParameters';
import type { GetValue, Reader } from '../values/parameters';
import * as read from '../values/parameters';
import {
	ALGORITHMS,
	AUTHENTICATIONS,
	type Authentication,
	ENCODINGS,
	FORMATS,
	SECRET_ENCODINGS,
	SIGNATURE_FORMATS,
} from '../webhook/authentication';
import type { WebhookSettings } from '../webhook/receive';
import { parseTemplate } from '../webhook/template';
import { readMatch } from './listSettings';

/**
 * Only an empty text lets everything through: whatever else has no entry gets one that nothing
 * matches.
 */
const readRestriction: Reader<string[]> = (value, parameter) => {
	const entries = read.texts(value, parameter);
	if (entries.length > 0) return entries;
	const text = typeof value === 'string' ? value.trim() : 'an expression without a value';
	return text === '' ? [] : [text];
};

const readHeaderNames: Reader<string[]> = (value, parameter) =>
	read.texts(value, parameter).map((name) => read.headerName(name, parameter));

/** @throws ServiceFailure if an expression returned what cannot be meant */
export function readWebhookSettings(valueOf: GetValue, zone: string): WebhookSettings {
	const { options, events } = read.readParameters(webhookParameters, valueOf, {
		events: readRestriction,
		options: read.collection,
	});
	const { ignoreRepeats, ipAllowlist, tolerance, verificationRequests, ...sources } =
		read.readParameters(webhookOptions, options, {
			eventPath: read.text,
			eventHeader: read.headerName,
			idPath: read.text,
			idHeader: read.headerName,
			itemsPath: read.text,
			ignoreRepeats: read.flag,
			ipAllowlist: readRestriction,
			tolerance: read.number,
			verificationRequests: read.oneOf(['off', 'answer']),
		});
	return {
		...{ events, sources, ipAllowlist, ignoreRepeats, zone },
		authentication: readAuthentication(valueOf, tolerance, sources.idHeader),
		match: readMatch(valueOf),
		respondsToVerification: verificationRequests === 'answer',
	};
}

/** @param idHeader of what is signed, unless that has one of its own */
function readAuthentication(
	valueOf: GetValue,
	tolerance: number,
	idHeader: string,
): Authentication {
	const shown = read.readParameters(webhookParameters, valueOf, {
		authentication: read.oneOf(AUTHENTICATIONS),
		headerName: read.headerName,
		signatureFormat: read.oneOf(SIGNATURE_FORMATS),
		signatureHeader: readHeaderNames,
		signaturePrefix: read.exactText,
		algorithm: read.oneOf(ALGORITHMS),
		encoding: read.oneOf(ENCODINGS),
		secretEncoding: read.oneOf(SECRET_ENCODINGS),
		signedContent: read.exactText,
		timestampHeader: read.headerName,
		idHeader: read.headerName,
	});
	const { authentication: kind, headerName, signatureFormat: format, ...written } = shown;
	if (kind === 'none') return { kind };
	if (kind === 'header') return { kind, headerName };
	if (kind === 'standardWebhooks') return { kind, tolerance };
	const { signatureHeader: signatureHeaders, idHeader: ownIdHeader, ...custom } = written;
	// Parameters that the editor hides for a format may still be set.
	if (format === 'header') return { kind, tolerance, ...FORMATS.header, signatureHeaders };
	if (format !== 'custom') return { kind, tolerance, ...FORMATS[format] };
	const signedContent = parseTemplate(custom.signedContent, ownIdHeader || idHeader);
	return { kind, tolerance, ...custom, signatureHeaders, signedContent };
}
