import { type BinaryLike, createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
	ALGORITHMS,
	type Authentication,
	SECRET_ENCODINGS,
} from '../../../../../nodes/VisitorService/webhook/authentication';
import type { Delivery, HeaderFields } from '../../../../../nodes/VisitorService/webhook/delivery';
import { lookAtSettings } from '../../../../../nodes/VisitorService/webhook/settingsProblem';
import { delivery, hmac, OWN_URL, RECEIVED_AT, verdictOn } from './deliveries';
import { publishedVectors } from './publishedVectors';

// Services of which nothing is published whole, each signed by node:crypto as its documentation
// says. The others are in publishedVectors.ts.
const SECRET = 'synthetic-secret';
const KEY = createHash('sha256').update('synthetic key').digest();
const BODY = '{"event":"visit.created","id":"evt-1"}';
const SECONDS = String(RECEIVED_AT / 1000);
const ISO = new Date(RECEIVED_AT).toISOString();

const mac = (content: BinaryLike, algorithm = 'sha256', key: BinaryLike = SECRET) =>
	createHmac(algorithm, key).update(content);
const hex = (content: BinaryLike) => mac(content).digest('hex');
const base64 = (content: BinaryLike) => mac(content).digest('base64');

const NOTHING_SET = {
	events: [],
	sources: { eventPath: '', eventHeader: '', idPath: '', idHeader: '', itemsPath: '' },
	ipAllowlist: [],
	ignoreRepeats: false,
	answersVerificationRequests: false,
	match: { type: 'all' as const, conditions: [] },
	zone: 'Etc/UTC',
};

interface Sender {
	name: string;
	authentication: Authentication;
	headers: HeaderFields;
	secret?: string;
	body?: string;
	/** What of the delivery is not as usual. */
	change?: Partial<Delivery>;
}

const senders: Sender[] = [
	{
		name: 'a list with quotes',
		authentication: hmac({ signaturePrefix: 'signature=', signedContent: '{timestamp}.{body}' }),
		headers: {
			'x-signature': `timestamp="${SECONDS}", signature="${hex(`${SECONDS}.${BODY}`)}"`,
		},
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
		name: 'Envoy',
		authentication: hmac({ signatureHeaders: ['X-Envoy-Signature'], encoding: 'base64' }),
		headers: { 'x-envoy-signature': base64(BODY) },
	},
	{
		name: 'Verkada, the time first and without a key, before a vertical bar',
		authentication: hmac({
			signatureHeaders: ['Verkada-Signature'],
			signedContent: '{body}|{timestamp}',
		}),
		headers: { 'verkada-signature': `${SECONDS}|${hex(`${BODY}|${SECONDS}`)}` },
	},
	{
		name: 'Coinbase, other headers between the time and the body',
		authentication: hmac({
			signatureHeaders: ['X-Hook0-Signature'],
			signaturePrefix: 'v1=',
			signedContent:
				'{timestamp}.content-type x-event-id.{header.content-type}.{header.x-event-id}.{body}',
		}),
		headers: {
			'content-type': 'application/json',
			'x-event-id': 'evt-1',
			'x-hook0-signature': `t=${SECONDS},h=content-type x-event-id,v1=${hex(`${SECONDS}.content-type x-event-id.application/json.evt-1.${BODY}`)}`,
		},
	},
	{
		name: 'Worldpay, whose prefix holds the number of the key',
		authentication: hmac({
			signatureHeaders: ['Event-Signature'],
			signaturePrefix: '2/SHA256/',
		}),
		headers: { 'event-signature': `2/SHA256/${hex(BODY)},1/SHA256/${'0'.repeat(64)}` },
	},
	{
		name: 'Chargebee, Basic authentication',
		authentication: { kind: 'header', headerName: 'Authorization' },
		secret: 'Basic dXNlcjpwYXNz',
		headers: { authorization: 'Basic dXNlcjpwYXNz' },
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
	const root = path.resolve(__dirname, ...new Array<string>(5).fill('..'));
	const document = readFileSync(path.join(root, 'docs', 'webhooks.md'), 'utf8');
	const [, table = ''] = /## Senders\n([^]*?)Out of reach/.exec(document) ?? [];
	const [, , ...rows] = table.split('\n').filter((line) => line.startsWith('|'));
	return rows.map((row) => {
		const [, service = '', ...cells] = row.split(/(?<!\\)\|/).map((cell) => cell.trim());
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
			content.replaceAll('`', '').replace('\\|', '|').replace('<your n8n>', 'n8n.example.test') ||
			'{body}',
		signaturePrefix: named('Prefix'),
		timestampHeader: named('Timestamp Header'),
		idHeader: named('ID Header'),
		encoding: /(?<!Secret Encoding )Base64/.test(others) ? 'base64' : 'hex',
		algorithm:
			ALGORITHMS.find((one) => one === algorithm?.replace('-', '').toLowerCase()) ?? 'sha256',
		secretEncoding: SECRET_ENCODINGS.find((one) => one === secretEncoding?.toLowerCase()) ?? 'text',
	});
}

const shown = [...publishedVectors.map((one) => ({ ...one, name: one.source })), ...senders];

describe('the table of senders', () => {
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
	it.each(shown)(
		'accepts the genuine delivery and refuses changed ones: $name',
		({ authentication, headers, secret = SECRET, body = BODY, change }) => {
			const check = (raw: string, changed: HeaderFields = {}, secrets = [secret]) =>
				verdictOn(delivery(raw, { ...headers, ...changed }, change), authentication, secrets);
			const refused = expect.not.stringMatching(/^verified$/) as unknown;
			const noMatch = expect.stringMatching(/^(?:noMatch|ambiguous)$/) as unknown;
			const verified = 'verified';
			const { problem } = lookAtSettings({ ...NOTHING_SET, authentication }, [secret, ''], '');
			expect(problem).toBeUndefined();
			expect(check(body)).toEqual(verified);
			expect(check(body, {}, ['', secret])).toEqual(verified);
			const isSigned = authentication.kind !== 'header';
			expect(check(`${body} `)).toEqual(isSigned ? noMatch : verified);
			expect(check('')).toEqual(isSigned ? noMatch : verified);
			expect(check(body, {}, [`${secret.slice(0, -4)}AAAA`])).toEqual(noMatch);
			const other = createHash('sha256').update('other');
			for (const wrong of [other.copy().digest('hex'), other.digest('base64')]) {
				expect(check(body, {}, [wrong])).toEqual(refused);
			}
			// Each header that is signed, and the signature itself, protect the delivery.
			for (const name of Object.keys(headers)) {
				if (name === 'box-signature-primary') continue;
				const value = String(headers[name]);
				const last = value.slice(-2) === '00' ? '11' : '00';
				const changed = /^\d+$/.test(value)
					? String(Number(value) + 1)
					: `${last}${value.slice(2)}`;
				expect([name, check(body, { [name]: changed })]).toEqual([name, refused]);
				expect([name, check(body, { [name]: undefined })]).toEqual([name, refused]);
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
				verdictOn(delivery(BODY, headers, change), rules, [SECRET]);
			expect(check({})).toBe('verified');
			const other = { url: () => 'https://n8n.example.test/webhook/2/webhook', method: 'PUT' };
			expect(check(other)).toBe('noMatch');
		},
	);
});
