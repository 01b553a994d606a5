import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
	ALGORITHMS,
	type Authentication,
	FORMATS,
	SECRET_ENCODINGS,
	SIGNATURE_FORMATS,
} from '../../../../../nodes/VisitorService/webhook/authentication';
import type { Delivery, HeaderFields } from '../../../../../nodes/VisitorService/webhook/delivery';
import { validateSettings } from '../../../../../nodes/VisitorService/webhook/settingsProblem';
import { delivery, hmac, OWN_URL, verdictOn } from './deliveries';

const SECRET = 'synthetic-secret';
const BODY = '{"event":"visit.created","id":"evt-1"}';

const NOTHING_SET = {
	events: [],
	sources: { eventPath: '', eventHeader: '', idPath: '', idHeader: '', itemsPath: '' },
	ipAllowlist: [],
	ignoreRepeats: false,
	respondsToVerification: false,
	match: { type: 'all' as const, conditions: [] },
	zone: 'Etc/UTC',
};

/** A line of the file: a delivery, and what is set to verify it if that is not the default. */
interface Sender {
	/** The service, and where the delivery is published; or that it was signed by node:crypto. */
	name: string;
	rules?: Parameters<typeof hmac>[0];
	authentication?: Authentication;
	headers: HeaderFields;
	secret?: string;
	body?: string;
	/** What of the delivery is not as usual. */
	change?: Partial<Omit<Delivery, 'url'>> & { url?: string };
}

const senders = readFileSync(path.join(__dirname, 'vectors', 'senders.jsonl'), 'utf8')
	.trim()
	.split('\n')
	.map((line) => JSON.parse(line) as Sender)
	.map(({ rules, change: { url = OWN_URL, ...change } = {}, ...others }) => ({
		authentication: hmac(rules),
		...others,
		change: { ...change, url: () => url },
	}));

/** The settings that the rows of the table of senders name. */
function documentedSenders(): Array<[service: string, authentication: Authentication]> {
	const root = path.resolve(__dirname, ...new Array<string>(5).fill('..'));
	const document = readFileSync(path.join(root, 'docs', 'webhooks.md'), 'utf8');
	const [, table = ''] = /## Senders\n([^]*?)\n## /.exec(document) ?? [];
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
	const [, format] = /Format \*\*(\w+)\*\*/.exec(others) ?? [];
	const chosen = SIGNATURE_FORMATS.find((one) => one === format?.toLowerCase());
	if (chosen !== undefined && chosen !== 'custom') return { ...hmac(), ...FORMATS[chosen] };
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

describe('the table of senders', () => {
	it.each(documentedSenders())(
		'the table of senders names the settings with which a delivery is verified: %s',
		(service, authentication) => {
			const [name = ''] = service.split(/,| and /);
			const deliveries = senders.filter((one) => one.name.startsWith(name));
			expect(deliveries.map((one) => one.authentication)).toContainEqual(authentication);
		},
	);
});

describe('a delivery signed as by', () => {
	it.each(senders)(
		'accepts the genuine delivery and rejects changed ones: $name',
		({ authentication, headers, secret = SECRET, body = BODY, change }) => {
			const check = (raw: string, changed: HeaderFields = {}, secrets = [secret]) =>
				verdictOn(delivery(raw, { ...headers, ...changed }, change), authentication, secrets);
			const rejected = expect.not.stringMatching(/^verified$/) as unknown;
			const noMatch = expect.stringMatching(/^(?:noMatch|ambiguous)$/) as unknown;
			const verified = 'verified';
			const { problem } = validateSettings({ ...NOTHING_SET, authentication }, [secret, '']);
			expect(problem).toBeUndefined();
			expect(check(body)).toEqual(verified);
			expect(check(body, {}, ['', secret])).toEqual(verified);
			const isSigned = authentication.kind !== 'header';
			expect(check(`${body} `)).toEqual(isSigned ? noMatch : verified);
			expect(check('')).toEqual(isSigned ? noMatch : verified);
			expect(check(body, {}, [`${secret.slice(0, -4)}AAAA`])).toEqual(noMatch);
			const other = createHash('sha256').update('other');
			for (const wrong of [other.copy().digest('hex'), other.digest('base64')]) {
				expect(check(body, {}, [wrong])).toEqual(rejected);
			}
			// Each header that is signed, and the signature itself, protect the delivery.
			for (const name of Object.keys(headers)) {
				if (name === 'box-signature-primary') continue;
				const value = String(headers[name]);
				const last = value.slice(-2) === '00' ? '11' : '00';
				const changed = /^\d+$/.test(value)
					? String(Number(value) + 1)
					: `${last}${value.slice(2)}`;
				expect([name, check(body, { [name]: changed })]).toEqual([name, rejected]);
				expect([name, check(body, { [name]: undefined })]).toEqual([name, rejected]);
			}
		},
	);
});
