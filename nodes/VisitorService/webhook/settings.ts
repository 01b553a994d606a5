export type Algorithm = 'sha256' | 'sha512' | 'sha1';
export type Encoding = 'hex' | 'base64';

/** How a delivery proves where it comes from. */
export type Authentication =
	| { kind: 'none' }
	| { kind: 'header'; headerName: string }
	| HmacAuthentication
	| { kind: 'standardWebhooks'; tolerance: number };

export interface HmacAuthentication {
	kind: 'hmac';
	signatureHeader: string;
	/** What stands before each signature, such as `sha256=` or `v1=`; may be empty. */
	signaturePrefix: string;
	algorithm: Algorithm;
	encoding: Encoding;
	/** Template of `{body}`, `{timestamp}` and `{id}`. */
	signedContent: string;
	timestampHeader: string;
	idHeader: string;
	/** Seconds a timestamp may lie in the past or in the future. */
	tolerance: number;
}

/** What the user set on the trigger. */
export interface TriggerSettings {
	authentication: Authentication;
	/** Names of the events to pass on; empty = all. */
	events: string[];
	paths: EventPaths;
	/** As typed: addresses and CIDR ranges, comma-separated; empty = every address. */
	ipAllowlist: string;
	ignoreRepeats: boolean;
}

/** Dot paths; `''` = detect. */
export interface EventPaths {
	event: string;
	id: string;
	items: string;
}

const DEFAULT_TOLERANCE = 300;

/**
 * Reads the settings from the parameter values of the node.
 * Expressions can give anything, so each value is looked at: what is unknown falls to the safer side.
 *
 * @param value gives the value of a parameter, or its second argument where the parameter is not there
 */
export function readSettings(value: (name: string, missing: unknown) => unknown): TriggerSettings {
	const text = (name: string, missing = '') => asText(value(name, missing));
	const path = (name: string) => text(name).trim();
	return {
		authentication: readAuthentication(text, asTolerance(value('options.tolerance', ''))),
		events: splitList(text('events')),
		paths: {
			event: path('options.eventPath'),
			id: path('options.idPath'),
			items: path('options.itemsPath'),
		},
		// An expression without a value must not open the trigger to everybody.
		ipAllowlist: asText(value('options.ipAllowlist', '') ?? 'an expression without a value'),
		ignoreRepeats: value('options.ignoreRepeats', false) === true,
	};
}

/** The parts of a comma-separated list, without blanks around them and without empty parts. */
export function splitList(list: string): string[] {
	return list
		.split(',')
		.map((part) => part.trim())
		.filter((part) => part !== '');
}

function readAuthentication(
	text: (name: string, missing?: string) => string,
	tolerance: number,
): Authentication {
	const kind = text('authentication');
	if (kind === 'none') return { kind };
	if (kind === 'header') return { kind, headerName: text('headerName', 'X-Webhook-Token') };
	if (kind === 'standardWebhooks') return { kind, tolerance };
	const algorithm = text('algorithm');
	return {
		kind: 'hmac',
		signatureHeader: text('signatureHeader', 'X-Signature'),
		signaturePrefix: text('signaturePrefix'),
		algorithm: algorithm === 'sha512' || algorithm === 'sha1' ? algorithm : 'sha256',
		encoding: text('encoding') === 'base64' ? 'base64' : 'hex',
		signedContent: text('signedContent', '{body}'),
		timestampHeader: text('timestampHeader'),
		idHeader: text('idHeader'),
		tolerance,
	};
}

function asText(value: unknown): string {
	if (typeof value === 'string') return value;
	if (value === null || value === undefined) return '';
	return Array.isArray(value) ? value.map(asText).join(', ') : JSON.stringify(value);
}

/** Anything but a number of at least one second is no window at all, so the usual one holds. */
function asTolerance(value: unknown): number {
	const seconds = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	return typeof seconds === 'number' && seconds >= 1 ? seconds : DEFAULT_TOLERANCE;
}
