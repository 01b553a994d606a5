import {
	type BinaryLike,
	createHash,
	createHmac,
	generateKeyPairSync,
	sign as signWithKey,
} from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { findSettingsProblem } from '../../../../../../nodes/VisitorService/webhook/activation';
import type {
	Delivery,
	HeaderFields,
} from '../../../../../../nodes/VisitorService/webhook/delivery/request';
import {
	ALGORITHMS,
	type Authentication,
	SECRET_ENCODINGS,
} from '../../../../../../nodes/VisitorService/webhook/signature/authentication';
import { verifySignature } from '../../../../../../nodes/VisitorService/webhook/signature/verify';
import { delivery, hmac, OWN_URL, RECEIVED_AT, settings } from '../deliveries';
import { publishedVectors } from './publishedVectors';

// The services of docs/webhooks.md, each signed by node:crypto as its documentation says. What is published whole is in
// publishedVectors.ts.
const SECRET = 'synthetic-secret';
const KEY = createHash('sha256').update('synthetic key').digest();
const BODY = '{"event":"visit.created","id":"evt-1"}';
const SECONDS = String(RECEIVED_AT / 1000);
const MILLISECONDS = String(RECEIVED_AT);
const ISO = new Date(RECEIVED_AT).toISOString();

const mac = (content: BinaryLike, algorithm = 'sha256', key: BinaryLike = SECRET) =>
	createHmac(algorithm, key).update(content);
const hex = (content: BinaryLike) => mac(content).digest('hex');
const base64 = (content: BinaryLike) => mac(content).digest('base64');

interface Sender {
	name: string;
	authentication: Authentication;
	headers: HeaderFields;
	secret?: string;
	/** What of the delivery is not as usual. */
	change?: Partial<Delivery>;
}

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const rawPublicKey = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);

const senders: Sender[] = [
	{
		name: 'Zoom, x-zm-signature',
		authentication: hmac({
			signatureHeaders: ['x-zm-signature'],
			signaturePrefix: 'v0=',
			signedContent: 'v0:{timestamp}:{body}',
			timestampHeader: 'x-zm-request-timestamp',
		}),
		headers: {
			'x-zm-request-timestamp': SECONDS,
			'x-zm-signature': `v0=${hex(`v0:${SECONDS}:${BODY}`)}`,
		},
	},
	{
		name: 'Stripe, t= and v1= in one list',
		authentication: hmac({
			signatureHeaders: ['Stripe-Signature'],
			signaturePrefix: 'v1=',
			signedContent: '{timestamp}.{body}',
		}),
		headers: {
			'stripe-signature': `t=${SECONDS},v1=${hex(`${SECONDS}.${BODY}`)},v0=${'0'.repeat(64)}`,
		},
	},
	{
		name: 'Paddle, ts= and h1=, separated by a semicolon',
		authentication: hmac({
			signatureHeaders: ['Paddle-Signature'],
			signaturePrefix: 'h1=',
			signedContent: '{timestamp}:{body}',
		}),
		headers: { 'paddle-signature': `ts=${SECONDS};h1=${hex(`${SECONDS}:${BODY}`)}` },
	},
	{
		name: 'Recurly, the time first and without a key, two signatures while a key is replaced',
		authentication: hmac({
			signatureHeaders: ['recurly-signature'],
			signedContent: '{timestamp}.{body}',
		}),
		headers: {
			'recurly-signature': `${MILLISECONDS},${'0'.repeat(64)},${hex(`${MILLISECONDS}.${BODY}`)}`,
		},
	},
	{
		name: 'Buildkite, timestamp= and signature=',
		authentication: hmac({
			signatureHeaders: ['X-Buildkite-Signature'],
			signaturePrefix: 'signature=',
			signedContent: '{timestamp}.{body}',
		}),
		headers: {
			'x-buildkite-signature': `timestamp=${SECONDS},signature=${hex(`${SECONDS}.${BODY}`)}`,
		},
	},
	{
		name: 'a list with quotes',
		authentication: hmac({ signaturePrefix: 'signature=', signedContent: '{timestamp}.{body}' }),
		headers: {
			'x-signature': `timestamp="${SECONDS}", signature="${hex(`${SECONDS}.${BODY}`)}"`,
		},
	},
	{
		name: 'Shopify',
		authentication: hmac({ signatureHeaders: ['X-Shopify-Hmac-Sha256'], encoding: 'base64' }),
		headers: { 'x-shopify-hmac-sha256': base64(BODY) },
	},
	{
		name: 'Asana',
		authentication: hmac({ signatureHeaders: ['X-Hook-Signature'] }),
		headers: { 'x-hook-signature': hex(BODY) },
	},
	{
		name: 'Microsoft Teams, in the header Authorization with the key in Base64',
		authentication: hmac({
			signatureHeaders: ['Authorization'],
			signaturePrefix: 'HMAC',
			encoding: 'base64',
			secretEncoding: 'base64',
		}),
		secret: KEY.toString('base64'),
		headers: { authorization: `HMAC ${mac(BODY, 'sha256', KEY).digest('base64')}` },
	},
	{
		name: 'Square, the URL and the body',
		authentication: hmac({
			signatureHeaders: ['x-square-hmacsha256-signature'],
			encoding: 'base64',
			signedContent: '{url}{body}',
		}),
		headers: { 'x-square-hmacsha256-signature': base64(OWN_URL + BODY) },
	},
	{
		name: 'Trello, the body and the URL, SHA-1',
		authentication: hmac({
			signatureHeaders: ['X-Trello-Webhook'],
			encoding: 'base64',
			algorithm: 'sha1',
			signedContent: '{body}{url}',
		}),
		headers: { 'x-trello-webhook': mac(BODY + OWN_URL, 'sha1').digest('base64') },
	},
	{
		name: 'HubSpot v3',
		authentication: hmac({
			signatureHeaders: ['X-HubSpot-Signature-v3'],
			encoding: 'base64',
			signedContent: '{method}{url}{body}{timestamp}',
			timestampHeader: 'X-HubSpot-Request-Timestamp',
		}),
		headers: {
			'x-hubspot-request-timestamp': MILLISECONDS,
			'x-hubspot-signature-v3': base64(`POST${OWN_URL}${BODY}${MILLISECONDS}`),
		},
	},
	{
		name: 'Twilio with a JSON body, whose hash is in the URL',
		authentication: hmac({
			signatureHeaders: ['X-Twilio-Signature'],
			encoding: 'base64',
			algorithm: 'sha1',
			signedContent: 'https://n8n.example.test{path}?bodySHA256={bodySha256Hex}',
		}),
		headers: {
			'x-twilio-signature': mac(
				`https://n8n.example.test/webhook/1/webhook?bodySHA256=${createHash('sha256').update(BODY).digest('hex')}`,
				'sha1',
			).digest('base64'),
		},
	},
	{
		name: 'Twitch, ID, time in nanoseconds, and body',
		authentication: hmac({
			signatureHeaders: ['Twitch-Eventsub-Message-Signature'],
			signaturePrefix: 'sha256=',
			signedContent: '{id}{timestamp}{body}',
			idHeader: 'Twitch-Eventsub-Message-Id',
			timestampHeader: 'Twitch-Eventsub-Message-Timestamp',
		}),
		headers: {
			'twitch-eventsub-message-id': 'e76c6bd4',
			'twitch-eventsub-message-timestamp': ISO.replace('Z', '123456Z'),
			'twitch-eventsub-message-signature': `sha256=${hex(`e76c6bd4${ISO.replace('Z', '123456Z')}${BODY}`)}`,
		},
	},
	{
		name: 'Zendesk',
		authentication: hmac({
			signatureHeaders: ['X-Zendesk-Webhook-Signature'],
			encoding: 'base64',
			signedContent: '{timestamp}{body}',
			timestampHeader: 'X-Zendesk-Webhook-Signature-Timestamp',
		}),
		headers: {
			'x-zendesk-webhook-signature-timestamp': ISO,
			'x-zendesk-webhook-signature': base64(ISO + BODY),
		},
	},
	{
		name: 'Box, two headers of which the second matches',
		authentication: hmac({
			signatureHeaders: ['Box-Signature-Primary', 'Box-Signature-Secondary'],
			encoding: 'base64',
			signedContent: '{body}{timestamp}',
			timestampHeader: 'Box-Delivery-Timestamp',
		}),
		headers: {
			'box-delivery-timestamp': ISO,
			'box-signature-primary': mac('another').digest('base64'),
			'box-signature-secondary': base64(BODY + ISO),
		},
	},
	{
		name: 'DocuSign, one header for each key',
		authentication: hmac({
			signatureHeaders: ['X-DocuSign-Signature-1', 'X-DocuSign-Signature-2'],
			encoding: 'base64',
		}),
		headers: { 'x-docusign-signature-2': base64(BODY) },
	},
	{
		name: 'Airtable, key in Base64',
		authentication: hmac({
			signatureHeaders: ['X-Airtable-Content-MAC'],
			signaturePrefix: 'hmac-sha256=',
			secretEncoding: 'base64',
		}),
		secret: KEY.toString('base64'),
		headers: {
			'x-airtable-content-mac': `hmac-sha256=${mac(BODY, 'sha256', KEY).digest('hex')}`,
		},
	},
	{
		name: 'Adyen platforms, key in hex',
		authentication: hmac({
			signatureHeaders: ['HmacSignature'],
			encoding: 'base64',
			secretEncoding: 'hex',
		}),
		secret: KEY.toString('hex').toUpperCase(),
		headers: { hmacsignature: mac(BODY, 'sha256', KEY).digest('base64') },
	},
	{
		name: 'Svix, the headers svix-*',
		authentication: { kind: 'standardWebhooks', tolerance: 300 },
		secret: `whsec_${KEY.toString('base64')}`,
		headers: {
			'svix-id': 'msg_1',
			'svix-timestamp': SECONDS,
			'svix-signature': `v1,${mac(`msg_1.${SECONDS}.${BODY}`, 'sha256', KEY).digest('base64')}`,
		},
	},
	{
		name: 'Svix, written as HMAC',
		authentication: hmac({
			signatureHeaders: ['svix-signature'],
			signaturePrefix: 'v1,',
			encoding: 'base64',
			secretEncoding: 'base64',
			signedContent: '{id}.{timestamp}.{body}',
			idHeader: 'svix-id',
			timestampHeader: 'svix-timestamp',
		}),
		secret: `whsec_${KEY.toString('base64')}`,
		headers: {
			'svix-id': 'msg_1',
			'svix-timestamp': SECONDS,
			'svix-signature': `v1,${mac(`msg_1.${SECONDS}.${BODY}`, 'sha256', KEY).digest('base64')}`,
		},
	},
	{
		name: 'Discord, Ed25519 in hex',
		authentication: hmac({
			signatureHeaders: ['X-Signature-Ed25519'],
			algorithm: 'ed25519',
			secretEncoding: 'hex',
			signedContent: '{timestamp}{body}',
			timestampHeader: 'X-Signature-Timestamp',
		}),
		secret: rawPublicKey.toString('hex'),
		headers: {
			'x-signature-timestamp': SECONDS,
			'x-signature-ed25519': signWithKey(null, Buffer.from(SECONDS + BODY), privateKey).toString(
				'hex',
			),
		},
	},
	{
		name: 'GitLab, the secret itself',
		authentication: { kind: 'header', headerName: 'X-Gitlab-Token' },
		headers: { 'x-gitlab-token': SECRET },
	},
	{
		name: 'SHA-384 with parts separated by &',
		authentication: hmac({
			algorithm: 'sha384',
			signaturePrefix: 's=',
			signedContent: '{timestamp}.{body}',
		}),
		headers: {
			'x-signature': `t=${SECONDS}&s=${mac(`${SECONDS}.${BODY}`, 'sha384').digest('hex')}`,
		},
	},
	{
		name: 'the hash of the body among headers and query parameters',
		authentication: hmac({
			encoding: 'base64',
			signedContent: '{method}\n{path}\n{query.tenant}\n{header.x-date}\n{bodySha256Base64}',
			timestampHeader: 'X-Date',
		}),
		headers: {
			'x-date': new Date(RECEIVED_AT).toUTCString(),
			'x-signature': base64(
				`POST\n/webhook/1/webhook\na b\n${new Date(RECEIVED_AT).toUTCString()}\n${createHash('sha256').update(BODY).digest('base64')}`,
			),
		},
		change: { query: { tenant: 'a b' } },
	},
];

/** The settings that the rows of the table of senders name. */
function documentedSenders(): Array<[service: string, authentication: Authentication]> {
	const root = path.resolve(__dirname, ...new Array<string>(6).fill('..'));
	const document = readFileSync(path.join(root, 'docs', 'webhooks.md'), 'utf8');
	const [, table = ''] = /## Senders\n([^]*?)Out of reach/.exec(document) ?? [];
	const [, , ...rows] = table.split('\n').filter((line) => line.startsWith('|'));
	return rows.map((row) => {
		const [, service = '', ...cells] = row.split('|').map((cell) => cell.trim());
		return [service, documentedAuthentication(cells)];
	});
}

function documentedAuthentication([
	header = '',
	content = '',
	others = '',
]: string[]): Authentication {
	const named = (setting: string) => new RegExp(`${setting} \`([^\`]+)\``).exec(others)?.[1] ?? '';
	if (others.includes('**Standard Webhooks**')) return { kind: 'standardWebhooks', tolerance: 300 };
	if (others.includes('**Header Secret**')) {
		return { kind: 'header', headerName: named('Header Name') };
	}
	const [, secretEncoding] = /Secret Encoding (\w+)/.exec(others) ?? [];
	const [algorithm] = /SHA-1|Ed25519/.exec(others) ?? [];
	return hmac({
		signatureHeaders: header.replaceAll('`', '').split(', '),
		// In the path of Twilio stands whose n8n it is.
		signedContent:
			content.replaceAll('`', '').replace('<your n8n>', 'n8n.example.test') || '{body}',
		signaturePrefix: named('Prefix'),
		timestampHeader: named('Timestamp Header'),
		idHeader: named('ID Header'),
		encoding: /(?<!Secret Encoding )Base64/.test(others) ? 'base64' : 'hex',
		algorithm:
			ALGORITHMS.find((one) => one === algorithm?.replace('-', '').toLowerCase()) ?? 'sha256',
		secretEncoding: SECRET_ENCODINGS.find((one) => one === secretEncoding?.toLowerCase()) ?? 'text',
	});
}

describe('the table of senders', () => {
	const shown = [...senders, ...publishedVectors.map((one) => ({ ...one, name: one.source }))];

	it.each(documentedSenders())(
		'the table of senders names the settings with which a delivery is verified: %s',
		(service, authentication) => {
			const [name = ''] = service.split(/,| and /);
			const deliveries = shown.filter((one) => one.name.startsWith(name));
			expect(deliveries.map((one) => one.authentication)).toContainEqual(authentication);
		},
	);

	it('has more than twenty services', () => {
		expect(documentedSenders().length).toBeGreaterThan(20);
	});
});

describe('a delivery signed as by', () => {
	it.each(senders)(
		'accepts the genuine delivery and refuses changed ones: $name',
		({ authentication, headers, secret = SECRET, change }) => {
			const check = (raw: string, changed: HeaderFields = {}, secrets = [secret]) =>
				verifySignature(delivery(raw, { ...headers, ...changed }, change), authentication, secrets)
					.kind;
			expect(findSettingsProblem(settings({ authentication }), [secret, ''])).toBeUndefined();
			expect(check(BODY)).toBe('verified');
			expect(check(BODY, {}, ['', secret])).toBe('verified');
			const isSigned = authentication.kind !== 'header';
			expect(check(`${BODY} `)).toBe(isSigned ? 'refused' : 'verified');
			expect(check('')).toBe(isSigned ? 'refused' : 'verified');
			const other = createHash('sha256').update('other');
			for (const wrong of [other.copy().digest('hex'), other.digest('base64')]) {
				expect(check(BODY, {}, [wrong])).toBe('refused');
			}
			// Each header that is signed, and the signature itself, protect the delivery.
			for (const name of Object.keys(headers)) {
				const value = String(headers[name]);
				const last = value.slice(-2) === '00' ? '11' : '00';
				const changed = /^\d+$/.test(value)
					? String(Number(value) + 1)
					: `${last}${value.slice(2)}`;
				if (name !== 'box-signature-primary')
					expect([name, check(BODY, { [name]: changed })]).toEqual([name, 'refused']);
				if (name !== 'box-signature-primary')
					expect(check(BODY, { [name]: undefined })).toBe('refused');
			}
		},
	);

	it.each(['{url}{body}', '{path}{body}', '{method}{body}'])(
		'anybody is not taken for one to another URL or by another method: %s',
		(signedContent) => {
			const content = { '{url}': OWN_URL, '{path}': '/webhook/1/webhook', '{method}': 'POST' }[
				signedContent.replace('{body}', '')
			];
			const headers = { 'x-signature': hex(`${content}${BODY}`) };
			const rules = hmac({ signedContent });
			const check = (change: Partial<Delivery>) =>
				verifySignature(delivery(BODY, headers, change), rules, [SECRET]).kind;
			expect(check({})).toBe('verified');
			const other = { url: () => 'https://n8n.example.test/webhook/2/webhook', method: 'PUT' };
			expect(check(other)).toBe('refused');
		},
	);
});
