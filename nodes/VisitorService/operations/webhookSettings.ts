import { type JsonObject } from '../values/json';
import {
	ALGORITHMS,
	AUTHENTICATIONS,
	type Authentication,
	ENCODINGS,
	FORMATS,
	SECRET_ENCODINGS,
	SIGNATURE_FORMATS,
	type SignatureFormat,
} from '../webhook/authentication';
import type { TriggerSettings } from '../webhook/receive';
import { parseTemplate } from '../webhook/template';
import { readMatch } from './matchParameters';
import {
	readChoice,
	readCollection,
	readExactText,
	readFlag,
	readHeaderName,
	readList,
	readNumber,
	readText,
} from './parameters';

/** Returns the value of a parameter, or the second argument if the parameter is not there. */
type Read = (name: string, missing: unknown) => unknown;

const DEFAULT_TOLERANCE = 300;

const VERIFICATION_REQUESTS = ['off', 'answer'] as const;

/**
 * Reads the settings of the webhook trigger from its parameters.
 *
 * @param zone of the workflow
 * @throws ServiceFailure if an expression returned what cannot be meant
 */
export function readWebhookSettings(read: Read, zone: string): TriggerSettings {
	const options = readCollection(read('options', null), 'Options');
	return {
		authentication: readAuthentication(read, options),
		events: readRestriction(read('events', ''), 'Events'),
		sources: {
			eventPath: readText(options.eventPath, 'Event Path'),
			eventHeader: readHeaderName(options.eventHeader, 'Event Header'),
			idPath: readText(options.idPath, 'ID Path'),
			idHeader: readHeaderName(options.idHeader, 'ID Header'),
			itemsPath: readText(options.itemsPath, 'Items Path'),
		},
		ipAllowlist:
			'ipAllowlist' in options ? readRestriction(options.ipAllowlist, 'IP Allowlist') : [],
		ignoreRepeats: readFlag(options.ignoreRepeats, 'Ignore Repeats'),
		match: readMatch((name) => read(name, null)),
		zone,
		answersVerificationRequests:
			readChoice(options.verificationRequests, 'Verification Requests', VERIFICATION_REQUESTS) ===
			'answer',
	};
}

/**
 * Only an empty text lets everything through: whatever else has no entry gets one that nothing
 * matches.
 */
function readRestriction(value: unknown, label: string): string[] {
	const entries = readList(value, label);
	if (entries.length > 0) return entries;
	const text = typeof value === 'string' ? value.trim() : 'an expression without a value';
	return text === '' ? [] : [text];
}

function readAuthentication(read: Read, options: JsonObject): Authentication {
	const kind = readChoice(read('authentication', 'hmac'), 'Authentication', AUTHENTICATIONS);
	switch (kind) {
		case 'none':
			return { kind };
		case 'header':
			return {
				kind,
				headerName: readHeaderName(read('headerName', 'X-Webhook-Token'), 'Header Name'),
			};
		case 'standardWebhooks':
			return { kind, tolerance: readTolerance(options) };
		case 'hmac':
			return { kind, tolerance: readTolerance(options), ...readHmac(read, options) };
	}
}

function readHmac(read: Read, options: JsonObject): SignatureFormat {
	const format = readChoice(
		read('signatureFormat', 'header'),
		'Signature Format',
		SIGNATURE_FORMATS,
	);
	if (format !== 'header' && format !== 'custom') return FORMATS[format];
	const signatureHeaders = readList(read('signatureHeader', 'X-Signature'), 'Signature Header').map(
		(name) => readHeaderName(name, 'Signature Header'),
	);
	// What the editor hides with this format may still be set from before.
	if (format === 'header') return { ...FORMATS.header, signatureHeaders };
	const idHeader =
		readHeaderName(read('idHeader', ''), 'Signed ID Header') ||
		readHeaderName(options.idHeader, 'ID Header');
	const signedContent = readExactText(read('signedContent', '{body}'), 'Signed Content');
	return {
		signatureHeaders,
		signaturePrefix: readExactText(read('signaturePrefix', ''), 'Signature Prefix'),
		algorithm: readChoice(read('algorithm', 'sha256'), 'Algorithm', ALGORITHMS),
		encoding: readChoice(read('encoding', 'hex'), 'Encoding', ENCODINGS),
		secretEncoding: readChoice(read('secretEncoding', 'text'), 'Secret Encoding', SECRET_ENCODINGS),
		signedContent: parseTemplate(signedContent, idHeader),
		timestampHeader: readHeaderName(read('timestampHeader', ''), 'Timestamp Header'),
	};
}

function readTolerance({ tolerance }: JsonObject): number {
	const rules = { fallback: DEFAULT_TOLERANCE, minimum: 1 };
	return readNumber(tolerance, 'Timestamp Tolerance', rules);
}
