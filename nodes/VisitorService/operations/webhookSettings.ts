import { webhookOptions, webhookParameters } from '../descriptions/webhookParameters';
import type { Reader, ValueOf } from '../values/parameters';
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
import type { TriggerSettings } from '../webhook/receive';
import { parseTemplate } from '../webhook/template';
import { readMatch } from './listParameters';

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
function readShown(valueOf: ValueOf) {
	return read.parameters(webhookParameters, valueOf, {
		events: readRestriction,
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
		options: read.collection,
	});
}

/**
 * Reads the settings of the webhook trigger from its parameters.
 *
 * @param zone of the workflow
 * @throws ServiceFailure if an expression returned what cannot be meant
 */
export function readWebhookSettings(valueOf: ValueOf, zone: string): TriggerSettings {
	const shown = readShown(valueOf);
	const { options } = shown;
	const { ignoreRepeats, ipAllowlist, tolerance, verificationRequests, ...sources } =
		read.parameters(
			webhookOptions,
			(name, missing) => (name in options ? options[name] : missing),
			{
				eventPath: read.text,
				eventHeader: read.headerName,
				idPath: read.text,
				idHeader: read.headerName,
				itemsPath: read.text,
				ignoreRepeats: read.flag,
				ipAllowlist: readRestriction,
				tolerance: read.number,
				verificationRequests: read.oneOf(['off', 'answer']),
			},
		);
	return {
		authentication: authenticationOf(shown, tolerance, sources.idHeader),
		events: shown.events,
		sources,
		ipAllowlist,
		ignoreRepeats,
		match: readMatch(valueOf),
		zone,
		answersVerificationRequests: verificationRequests === 'answer',
	};
}

function authenticationOf(
	{ authentication: kind, headerName, signatureFormat, ...shown }: ReturnType<typeof readShown>,
	tolerance: number,
	idHeader: string,
): Authentication {
	if (kind === 'none') return { kind };
	if (kind === 'header') return { kind, headerName };
	if (kind === 'standardWebhooks') return { kind, tolerance };
	const { signatureHeader: signatureHeaders, algorithm, encoding, secretEncoding } = shown;
	const { signaturePrefix, timestampHeader } = shown;
	// What the editor hides with a format may still be set from before.
	if (signatureFormat === 'header') return { kind, tolerance, ...FORMATS.header, signatureHeaders };
	if (signatureFormat !== 'custom') return { kind, tolerance, ...FORMATS[signatureFormat] };
	const signedContent = parseTemplate(shown.signedContent, shown.idHeader || idHeader);
	return {
		...{ kind, tolerance, signatureHeaders, signaturePrefix, signedContent, timestampHeader },
		...{ algorithm, encoding, secretEncoding },
	};
}
