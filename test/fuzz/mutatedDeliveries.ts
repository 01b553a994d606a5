import { createHash, createHmac } from 'node:crypto';
import { gunzipSync, gzipSync, inflateSync } from 'node:zlib';
import type { INodeParameters } from 'n8n-workflow';
import { Webhook } from 'standardwebhooks';
import type { Delivery } from '../engine/harness/webhookRequest';
import { seeded } from '../simulation/seeded';

export const SECRET = 'c3ludGhldGljLXdlYmhvb2stc2VjcmV0';
/** Fixed, so that a failure comes again; each failure names the delivery. */
const SEED = 0x5eed;

const random = seeded(SEED);
export const below = (limit: number) => Math.floor(random() * limit);
const pick = <Value>(values: readonly Value[]): Value => values[below(values.length)] as Value;
const bytes = (length: number) => Buffer.alloc(length).map(() => below(256)) as Buffer;

export interface Sent extends Delivery {
	body: Buffer;
	headers: Record<string, string | string[]>;
}

export interface Scheme {
	parameters: INodeParameters;
	/** A delivery that is verified. */
	genuine(body: Buffer, at: number): Sent;
	/** The judgement of this test, made with node:crypto and the public library only. */
	isGenuine(sent: Sent, at: number): boolean;
	/** Whether the same delivery is left out when it comes once more. */
	ignoresRepeats?: boolean;
}

/** The event of the scheme that selects one. */
const SELECTED = 'visit.created';

const hmac = (content: string | Buffer) => createHmac('sha256', SECRET).update(content);
const one = (value: string | string[] | undefined) =>
	Array.isArray(value) ? value.join(', ') : (value ?? '');
const isRecent = (seconds: string, at: number) =>
	/^\d+$/.test(seconds) && Math.abs(Math.floor(at / 1000) - Number(seconds)) <= 300;

export const schemes: Scheme[] = [
	{
		parameters: { authentication: 'hmac', signatureFormat: 'custom', signaturePrefix: 'sha256=' },
		genuine: (body) => ({ body, headers: { 'x-signature': `sha256=${hmac(body).digest('hex')}` } }),
		isGenuine: ({ body, headers }) =>
			one(headers['x-signature'])
				.toLowerCase()
				.replaceAll(' ', '')
				.includes(`sha256=${hmac(body).digest('hex')}`),
	},
	{
		parameters: {
			authentication: 'hmac',
			signatureFormat: 'custom',
			encoding: 'base64',
			signedContent: '{id}.{timestamp}.{body}',
			timestampHeader: 'X-Time',
			idHeader: 'X-Id',
			options: { ignoreRepeats: true },
		},
		ignoresRepeats: true,
		genuine(body, at) {
			const id = `evt-${below(1e9)}`;
			const time = String(Math.floor(at / 1000));
			const signature = hmac(Buffer.concat([Buffer.from(`${id}.${time}.`), body])).digest('base64');
			return { body, headers: { 'x-id': id, 'x-time': time, 'x-signature': signature } };
		},
		isGenuine({ body, headers }, at) {
			const id = Buffer.from(one(headers['x-id']).trim(), 'latin1');
			const time = one(headers['x-time']).trim();
			const content = Buffer.concat([id, Buffer.from(`.${time}.`, 'latin1'), body]);
			const signature = hmac(content).digest();
			const written = one(headers['x-signature']).split(/[\s,;&|"]+/);
			return (
				isRecent(time, at) && written.some((text) => Buffer.from(text, 'base64').equals(signature))
			);
		},
	},
	{ parameters: { authentication: 'standardWebhooks' }, ...standardWebhooks('webhook') },
	{
		parameters: {
			authentication: 'standardWebhooks',
			options: { verificationRequests: 'answer', ignoreRepeats: true },
		},
		ignoresRepeats: true,
		...standardWebhooks('svix'),
	},
	{
		parameters: {
			authentication: 'hmac',
			signatureFormat: 'custom',
			algorithm: 'sha512',
			secretEncoding: 'base64',
			signaturePrefix: 'v1=',
			signatureHeader: 'X-Signature, X-Signature-Next',
			signedContent: '{method}|{header.x-tenant}|{timestamp}|{bodySha256Hex}',
			options: { verificationRequests: 'answer' },
		},
		genuine(body, at) {
			const time = String(Math.floor(at / 1000));
			const signature = createHmac('sha512', Buffer.from(SECRET, 'base64'))
				.update(`POST|a|${time}|${createHash('sha256').update(body).digest('hex')}`)
				.digest('hex');
			return {
				body,
				headers: { 'x-tenant': 'a', 'x-signature-next': `t=${time},v1="${signature}"` },
			};
		},
		isGenuine({ body, headers, method = 'POST' }, at) {
			const fields = [one(headers['x-signature']), one(headers['x-signature-next'])];
			const tenant = Buffer.from(one(headers['x-tenant']).trim(), 'latin1');
			const hash = createHash('sha256').update(body).digest('hex');
			const written = fields.join(',').toLowerCase();
			const times = [...written.matchAll(/\d{9,}/g)].map(([digits]) => digits);
			return times.some((time) => {
				const signature = createHmac('sha512', Buffer.from(SECRET, 'base64'))
					.update(Buffer.concat([Buffer.from(`${method}|`), tenant]))
					.update(`|${time}|${hash}`)
					.digest('hex');
				return isRecent(time, at) && written.includes(signature);
			});
		},
	},
	{
		parameters: { authentication: 'header' },
		genuine: (body) => ({ body, headers: { 'x-webhook-token': SECRET } }),
		isGenuine: ({ headers }) => one(headers['x-webhook-token']).trim() === SECRET,
	},
	{
		parameters: { authentication: 'hmac', events: `visit.updated, ${SELECTED}` },
		genuine: (body) => ({ body, headers: { 'x-signature': hmac(body).digest('hex') } }),
		isGenuine: ({ body, headers }) =>
			one(headers['x-signature']).toLowerCase().includes(hmac(body).digest('hex')),
	},
];

const bodies = [
	'{"event":"visit.created","id":"evt-1","data":{"visitor":"User 000001"}}',
	'[{"event":"a"},{"event":"b"}]',
	'{"data":[{"id":1},{"id":2}]}',
	'event=visit.created&x=1',
	'',
	'plain text',
	'{"a":',
	'null',
	'['.repeat(300) + ']'.repeat(300),
	'{"challenge":"3eZbrw1a","type":"url_verification"}',
	'{"challenge":"<script>alert(1)</script>"}',
	'{"event":"endpoint.url_validation","payload":{"plainToken":"qgg8vlvZRS6UYooatFL8Aw"}}',
	'{"tenant":"a","events":[{"type":"a"},{"type":"b"}]}',
	'{}',
].map((text) => Buffer.from(text));

const values = [
	'',
	' ',
	',',
	'v1,',
	'sha256=',
	't=1,v1=',
	'a'.repeat(5000),
	'\x7f',
	'é',
	'0',
	'-1',
	'1e9',
	'9'.repeat(30),
	'NaN',
	'../',
	'{"a":1}',
	'__proto__',
	'%00',
	'application/json',
	'application/json; charset=',
	'application/json; charset=x',
	'text/plain; charset=utf-16le',
	'application/x-www-form-urlencoded',
	'multipart/form-data; boundary=x',
	'multipart/mixed',
	'gzip',
	'deflate',
	'br',
	'identity',
	'gzip, gzip',
] as const;
const names = [
	'content-type',
	'content-encoding',
	'webhook-id',
	'__proto__',
	'constructor',
	'x-forwarded-for',
	'x-hook-secret',
	'x-okta-verification-challenge',
	'x-front-challenge',
	'smartsheet-hook-challenge',
	'x-github-event',
	'accept',
];

const mutations: Array<(sent: Sent) => void> = [
	(sent) => {
		if (sent.body.length === 0) return;
		const at = below(sent.body.length);
		sent.body = Buffer.from(sent.body);
		sent.body.writeUInt8(sent.body.readUInt8(at) ^ (1 << below(8)), at);
	},
	(sent) => (sent.body = sent.body.subarray(0, below(sent.body.length + 1))),
	(sent) => (sent.body = Buffer.concat([sent.body, bytes(1 + below(3))])),
	(sent) => (sent.body = bytes(below(60))),
	(sent) => (sent.body = pick(bodies)),
	(sent) => (sent.body = gzipSync(sent.body, { level: 1 })),
	(sent) => {
		sent.headers = Object.fromEntries(Object.entries(sent.headers).filter(() => random() < 0.6));
	},
	(sent) => (sent.headers[pick([...Object.keys(sent.headers), ...names])] = pick(values)),
	(sent) =>
		(sent.headers[pick([...Object.keys(sent.headers), ...names])] = bytes(below(40)).toString(
			'latin1',
		)),
	(sent) => {
		const name = pick(Object.keys(sent.headers));
		const value = one(sent.headers[name]);
		const at = below(value.length + 1);
		sent.headers[name] =
			`${value.slice(0, at)}${pick([' ', ',', '=', 'A', '0', ''])}${value.slice(at + below(2))}`;
	},
	(sent) => {
		const name = pick(Object.keys(sent.headers));
		sent.headers[name] = [one(sent.headers[name]), pick(values)];
	},
	(sent) => {
		const name = pick(Object.keys(sent.headers));
		const value = one(sent.headers[name]);
		sent.headers[name] = pick([
			value.toUpperCase(),
			value.toLowerCase(),
			`${value},${value}`,
			` ${value} `,
		]);
	},
	(sent) => {
		for (const name of ['x-time', 'webhook-timestamp', 'svix-timestamp']) {
			if (name in sent.headers)
				sent.headers[name] = String(Number(one(sent.headers[name])) + below(2000) - 1000);
		}
	},
	(sent) => (sent.ip = pick(['', 'unknown', '::ffff:1.2.3.4', '999.1.1.1', '10.0.0.1, 10.0.0.2'])),
	(sent) => (sent.method = pick(['GET', 'HEAD', 'PUT'])),
	(sent) => {
		const name = pick(['challenge', 'hub.challenge', 'validationToken', 'x', '']);
		const value = pick(['abc', '<b>', 'a'.repeat(600), '', ...values]);
		sent.search = `?${new URLSearchParams([[name, value]]).toString()}`;
	},
	(sent) => (sent.query = { [pick(values)]: [pick(values), pick(values)] }),
];

/** Standard Webhooks, under the headers that begin with this. */
function standardWebhooks(prefix: 'webhook' | 'svix'): Pick<Scheme, 'genuine' | 'isGenuine'> {
	return {
		genuine(body, at) {
			const id = `msg_${below(1e9)}`;
			const signature = new Webhook(SECRET).sign(id, new Date(at), body.toString());
			const time = String(Math.floor(at / 1000));
			return {
				body,
				headers: {
					[`${prefix}-id`]: id,
					[`${prefix}-timestamp`]: time,
					[`${prefix}-signature`]: signature,
				},
			};
		},
		isGenuine({ body, headers }, at) {
			const time = one(headers[`${prefix}-timestamp`]).trim();
			const id = one(headers[`${prefix}-id`]).trim();
			if (!isRecent(time, at)) return false;
			const key = Buffer.from(SECRET, 'base64');
			const content = Buffer.concat([Buffer.from(`${id}.${time}.`, 'latin1'), body]);
			const signature = createHmac('sha256', key).update(content).digest('base64');
			// Several headers of one name are one list, with a comma and a space between them.
			const written = one(headers[`${prefix}-signature`]).split(/,? +/);
			return written.includes(`v1,${signature}`);
		},
	};
}

export interface MutatedDelivery {
	/** Place of the scheme in `schemes`. */
	index: number;
	scheme: Scheme;
	sent: Sent;
	/** Milliseconds since 1970 at which it was signed. */
	at: number;
	/** How often it was changed after that; 0 = genuine. */
	times: number;
}

/**
 * The next delivery of the sequence that the seed stands for: a genuine one, changed up to three
 * times.
 */
export function nextDelivery(): MutatedDelivery {
	const index = below(schemes.length);
	const scheme = schemes[index];
	if (scheme === undefined) throw new Error('No scheme.');
	const at = Date.now();
	const sent = scheme.genuine(pick(bodies), at);
	sent.headers = { 'content-type': 'application/json', ...sent.headers };
	const times = below(4);
	for (let done = 0; done < times && Object.keys(sent.headers).length > 0; done++)
		pick(mutations)(sent);
	return { index, scheme, sent, at, times };
}

/** JSON of usual depth, which every scheme can sign: other content may have no clear borders. */
export const isPlain = ({ sent }: MutatedDelivery) =>
	/^[[{]/.test(sent.body.toString('latin1')) && !sent.body.includes('[[[');

/** Whether a delivery that was not changed only checks the URL, rather than to be executed. */
export function isCheck({ scheme: { parameters }, sent }: MutatedDelivery): boolean {
	const answers = JSON.stringify(parameters).includes('"verificationRequests":"answer"');
	return answers && sent.body.includes('url_verification');
}

export function describeDelivery({ index, sent, times }: MutatedDelivery): string {
	return JSON.stringify({ scheme: index, times, ...sent, body: sent.body.toString('latin1') });
}

/**
 * `possible`: whether the delivery has the name depends on what the node takes for text or too deep
 * to search.
 */
export function selectionOf({ scheme, sent }: MutatedDelivery): 'selected' | 'possible' | 'other' {
	if (scheme.parameters.events === undefined) return 'selected';
	const content = contentOf(sent).toString('latin1');
	if (content.startsWith(`{"event":"${SELECTED}"`)) return 'selected';
	const isNamed = (content + JSON.stringify(sent.headers)).includes(SELECTED);
	return isNamed || content.includes('[[[') ? 'possible' : 'other';
}

/** The signature is over the content, which n8n has freed of gzip. */
export function isGenuineContent({ scheme, sent, at }: MutatedDelivery): boolean {
	return scheme.isGenuine({ ...sent, body: contentOf(sent) }, at);
}

function contentOf({ body, headers }: Sent): Buffer {
	const coding = one(headers['content-encoding']);
	if (coding === 'gzip') return gunzipSync(body);
	return coding === 'deflate' ? inflateSync(body) : body;
}
