import { createHash, createHmac, generateKeyPairSync, sign as signWithKey } from 'node:crypto';
import { readInstant } from '../../../nodes/VisitorService/values/instant';
import { SIGNATURE_FORMATS } from '../../../nodes/VisitorService/webhook/authentication';
import { EVENT_NAMES, ID_NAMES } from '../../../nodes/VisitorService/webhook/events';
import fc from '../../properties';
import { customRules, OWN_URL, RECEIVED_AT, type Request, SECRET, Trigger } from './trigger';

// What is signed has one meaning. Deliveries are drawn for every scheme, and changed in whatever
// is not signed: the outcome is the same event, ID and body, or nothing is started. Any change of
// what is signed is rejected. The signatures are made here with node:crypto alone.

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const PUBLIC_KEY = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
const KEY = Buffer.from(SECRET);
const SECONDS = String(RECEIVED_AT / 1000);

/** The values a sender signs. */
interface Parts {
	id: string;
	time: string;
	query: string;
	/** The query of the URL, if that is signed. */
	search: string;
	body: string;
}

interface Scheme {
	name: string;
	parameters: Record<string, unknown>;
	secret?: string;
	/** What is signed, with the values as n8n names them. */
	content: string;
	/** The headers beside the signature. */
	headers: (parts: Parts) => Record<string, string>;
	sign: (content: string) => Record<string, string>;
}

type Mac = 'sha1' | 'sha256' | 'sha384' | 'sha512';
const mac = (content: string, algorithm: Mac = 'sha256', form: 'hex' | 'base64' = 'hex') =>
	createHmac(algorithm, KEY).update(content).digest(form);

/** The drawn value that a placeholder stands for. */
const DRAWN: Record<string, keyof Parts> = {
	'{id}': 'id',
	'{header.x-id}': 'id',
	'{timestamp}': 'time',
	'{query.q}': 'query',
	'{search}': 'search',
	'{body}': 'body',
};

/** What is signed, as texts and, at each second index, placeholders of drawn values. */
const piecesOf = ({ content }: Scheme, { body }: Parts) =>
	content
		.replace('{seconds}', SECONDS)
		.replace('{method}', 'POST')
		.replace('{url}', `${OWN_URL}{search}`)
		.replace('{path}', '/webhook/1/webhook')
		.replace('{bodySha256Hex}', createHash('sha256').update(body).digest('hex'))
		.replace('{bodySha256Base64}', createHash('sha256').update(body).digest('base64'))
		.split(/(\{[\w.-]+\})/);

function contentOf(scheme: Scheme, drawn: Parts): string {
	const pieces = piecesOf(scheme, drawn).map((piece) => {
		const key = DRAWN[piece];
		return key === undefined ? piece : drawn[key];
	});
	return pieces.join('');
}

/** A choice of Signature Format. */
const format = (
	name: (typeof SIGNATURE_FORMATS)[number],
	content: string,
	sign: Scheme['sign'],
	headers: Record<string, string> = {},
): Scheme => {
	return { name, parameters: { signatureFormat: name }, content, headers: () => headers, sign };
};

/** Custom, with a secret and a signature other than the usual if it says so. */
function custom(
	content: string,
	algorithm: Mac = 'sha256',
	{ parameters, ...more }: Partial<Scheme> = {},
): Scheme {
	return {
		name: content,
		content,
		parameters: { ...customRules(content), algorithm, ...parameters },
		headers: ({ id, time }) => ({ 'x-id': id, 'x-time': time }),
		sign: (text) => ({ 'x-signature': mac(text, algorithm) }),
		...more,
	};
}

const standard = (family: 'webhook' | 'svix'): Scheme => ({
	name: `Standard Webhooks, ${family}`,
	parameters: { authentication: 'standardWebhooks' },
	secret: `whsec_${KEY.toString('base64')}`,
	content: '{id}.{seconds}.{body}',
	headers: ({ id }) => ({ [`${family}-id`]: id, [`${family}-timestamp`]: SECONDS }),
	sign: (text) => ({ [`${family}-signature`]: `v1,${mac(text, 'sha256', 'base64')}` }),
});

const schemes: Scheme[] = [
	format('header', '{body}', (text) => ({ 'x-signature': mac(text) })),
	format('github', '{body}', (text) => ({ 'x-hub-signature-256': `sha256=${mac(text)}` })),
	format('stripe', '{seconds}.{body}', (text) => ({
		'stripe-signature': `t=${SECONDS},v1=${mac(text)}`,
	})),
	format('slack', 'v0:{seconds}:{body}', (text) => ({ 'x-slack-signature': `v0=${mac(text)}` }), {
		'x-slack-request-timestamp': SECONDS,
	}),
	custom('{timestamp}.{body}'),
	custom('{timestamp}:{body}'),
	custom('{timestamp}|{id}|{body}'),
	custom('{id}.{body}'),
	custom('{id}:{body}'),
	custom('{header.x-id}.{body}'),
	custom('{body}.{id}'),
	custom('{url}.{body}'),
	custom('{timestamp}{body}', 'sha512'),
	custom('{body}{timestamp}', 'sha1'),
	custom('{body}|{timestamp}'),
	custom('{id}.{timestamp}.{body}'),
	custom('{timestamp}:{id}:{body}'),
	custom('{id}{timestamp}{body}', 'sha384'),
	custom('{url}{body}'),
	custom('{body}{url}'),
	custom('{method}{url}{body}{timestamp}'),
	custom('{timestamp}{method}{path}{body}'),
	custom('{method} {path}\n{query.q}\n{header.x-id}\n{body}', 'sha256', {
		parameters: { options: { idHeader: 'X-Id' } },
	}),
	custom('{id}.{bodySha256Hex}'),
	custom('{id}{bodySha256Base64}'),
	custom('{timestamp}{body}', 'sha256', {
		name: 'Ed25519',
		parameters: { algorithm: 'ed25519', secretEncoding: 'hex' },
		secret: PUBLIC_KEY.toString('hex'),
		sign: (text) => ({
			'x-signature': signWithKey(null, Buffer.from(text), privateKey).toString('hex'),
		}),
	}),
	standard('webhook'),
	standard('svix'),
];
const signsUrl = ({ content }: Scheme) => content.includes('{url}');
const signsQuery = ({ content }: Scheme) => /\{url\}|\{query/.test(content);

const name = fc.constantFrom(
	'visit.created',
	'door.opened',
	'é €',
	'a&event=door.opened&id=evil&z=',
);
const id = fc.constantFrom('e-1', 'msg_1', `visit.${SECONDS}`, '7', '12.5', 'a:b', 'evil-1');
/** As a visitor may have typed it: whatever a forger would like to see signed. */
const typed = fc
	.array(
		fc.constantFrom(
			'Ada',
			'Ada.',
			'7.',
			'123',
			'?q=1',
			'€\\"',
			'&event=door.opened&id=evil-1&z=',
			`.${SECONDS}.`,
			SECONDS,
			'{"event":"door.opened"}',
			'\\',
			'[',
			'|',
			':',
			'\n',
			'=',
		),
		{ maxLength: 4 },
	)
	.map((texts) => texts.join(''));
const body = fc.oneof(
	fc.record({ event: name, id, visitor: typed }).map((value) => JSON.stringify(value)),
	fc.record({ type: name, data: fc.record({ id, typed }) }).map((value) => JSON.stringify(value)),
	fc.array(fc.record({ event: name, id }), { maxLength: 3 }).map((value) => JSON.stringify(value)),
	fc
		.tuple(name, id, typed)
		.map(([event, one, text]) => new URLSearchParams({ event, id: one, text }).toString()),
	typed,
	fc.constantFrom('', 'null', '5', '"a"', '25.{"a":1}', ' {"a":1}\n', '\ufeff{"a":1}', '<a>1</a>'),
);
const time = fc.constantFrom(
	SECONDS,
	`${SECONDS}000`,
	`${SECONDS}.25`,
	'2021-02-25T15:02:10Z',
	'2021-02-25T15:02:10.000Z',
	'2021-02-25T16:02:10+01:00',
	'2021-02-25T16:02:10+0100',
	'2021-02-25T15:02:10',
	'Thu, 25 Feb 2021 15:02:10 GMT',
);
const query = fc.constantFrom('a', 'a b', `x${SECONDS}`, '{');
const search = fc.constantFrom('', '', '?q=a', `?q=${SECONDS}`, '?q={');
const parts = fc.record({ id, time, query, search, body });

const type = fc.constantFrom(
	'application/json',
	'application/x-www-form-urlencoded',
	'text/plain',
	'text/csv',
	'application/xml',
	'multipart/form-data; boundary=x',
);
const charset = fc.constantFrom('utf-8', 'gbk', 'big5', 'utf-16le', 'iso-8859-1', 'utf-7');
const contentType = fc
	.tuple(type, fc.array(charset, { maxLength: 2 }))
	.map(([named, charsets]) => [named, ...charsets.map((one) => `charset=${one}`)].join('; '));
/** Any of the headers in which a name or an ID is looked for, of all senders. */
const named = fc.dictionary(
	fc.constantFrom(...EVENT_NAMES.headers, ...ID_NAMES.headers),
	fc.constantFrom('door.opened', 'z1', 'z2'),
	{ maxKeys: 3 },
);
const other = fc.record(
	{
		'content-type': contentType,
		'content-encoding': fc.constantFrom('identity', 'gzip', 'br', ''),
		'x-hook-secret': fc.constant('abc'),
		'x-request-id': fc.string(),
	},
	{ requiredKeys: [] },
);
const unsigned = fc.tuple(named, other).map(([one, two]) => ({ ...one, ...two }));

/** One for all deliveries, none of which it remembers. */
const triggers = new Map<Scheme, Trigger>();
const trigger = (scheme: Scheme): Trigger => {
	const { parameters, secret = SECRET } = scheme;
	const opened = triggers.get(scheme) ?? new Trigger(parameters, { webhookSecret: secret });
	triggers.set(scheme, opened);
	return opened;
};
const requestOf = (scheme: Scheme, drawn: Parts): Request => ({
	body: drawn.body,
	...(signsUrl(scheme)
		? { search: drawn.search, query: Object.fromEntries(new URLSearchParams(drawn.search)) }
		: { search: `?q=${drawn.query}`, query: { q: drawn.query } }),
	headers: { ...scheme.headers(drawn), ...scheme.sign(contentOf(scheme, drawn)) },
});
const meaningOf = async (scheme: Scheme, request: Request, receivedAt = RECEIVED_AT) => {
	const { time } = trigger(scheme).host;
	time.pass(receivedAt - time.now());
	const { items, statusCode } = await trigger(scheme).deliver(request);
	return {
		statusCode,
		items: items.map(({ event, id: found, body: read }) => ({ event, id: found, body: read })),
	};
};

it('is drawn for every Signature Format', () => {
	const drawn = schemes.map(({ parameters }) => parameters.signatureFormat ?? 'header');
	expect([...new Set(drawn)].sort()).toEqual([...SIGNATURE_FORMATS].sort());
});

describe.each(schemes)('what is signed has one meaning: $name', (scheme) => {
	it('whatever is changed of what is not signed', async () => {
		let started = 0;
		await fc.assert(
			fc.asyncProperty(
				parts,
				unsigned,
				fc.boolean(),
				fc.constantFrom('POST', 'PUT', 'GET'),
				async (drawn, headers, isShuffled, method) => {
					const genuine = requestOf(scheme, drawn);
					const before = await meaningOf(scheme, genuine);
					started += before.items.length;
					const all = Object.entries({ ...genuine.headers, ...headers });
					const changed: Request = {
						...genuine,
						method,
						headers: Object.fromEntries(isShuffled ? all.reverse() : all),
						...(!signsQuery(scheme) && {
							search: '?event=door.opened',
							query: { challenge: 'abc' },
						}),
					};
					const after = await meaningOf(scheme, changed);
					expect(after.statusCode).toBeLessThan(500);
					if (after.items.length > 0) expect(after.items).toEqual(before.items);
				},
			),
			{ numRuns: 30 },
		);
		expect(started).toBeGreaterThan(0);
	});

	it('wherever the borders between its parts are put', async () => {
		await fc.assert(
			fc.asyncProperty(
				parts,
				unsigned,
				fc.nat(),
				fc.boolean(),
				async (drawn, headers, first, later) => {
					const genuine = requestOf(scheme, drawn);
					const before = await meaningOf(scheme, genuine);
					// The same bytes, divided wherever the texts between stand.
					const moved = splits(scheme, drawn);
					for (const chosen of [0, 1, 2, 3].map((step) => moved[(first + step) % moved.length])) {
						if (chosen === undefined) return;
						const request = { ...requestOf(scheme, chosen) };
						request.headers = {
							...headers,
							...scheme.headers(chosen),
							...scheme.sign(contentOf(scheme, drawn)),
						};
						const shownTime = readInstant(chosen.time)?.earliestAt ?? RECEIVED_AT;
						const after = await meaningOf(scheme, request, later ? shownTime : RECEIVED_AT);
						if (after.items.length > 0) expect(after.items).toEqual(before.items);
					}
				},
			),
			{ numRuns: 50 },
		);
	});

	it('and any change of it is rejected', async () => {
		await fc.assert(
			fc.asyncProperty(parts, fc.nat(), fc.nat({ max: 7 }), async (drawn, at, bit) => {
				const genuine = requestOf(scheme, drawn);
				const bytes = Buffer.from(drawn.body);
				if (bytes.length === 0) return;
				const position = at % bytes.length;
				bytes.writeUInt8(bytes.readUInt8(position) ^ (1 << bit), position);
				const { statusCode } = await meaningOf(scheme, { ...genuine, body: bytes });
				expect(statusCode).toBe(401);
			}),
			{ numRuns: 20 },
		);
	});
});

/** The deliveries with the same signed bytes that a forger could make of one. */
function splits(scheme: Scheme, drawn: Parts): Parts[] {
	const bytes = contentOf(scheme, drawn);
	const pieces = piecesOf(scheme, drawn);
	const texts = pieces.filter((_, position) => position % 2 === 0);
	const keys = pieces.filter((_, position) => position % 2 === 1).map((piece) => DRAWN[piece]);
	const all: Parts[] = [];
	const walk = (index: number, rest: string, found: Partial<Parts>) => {
		if (all.length > 100) return;
		const key = keys[index];
		if (key === undefined) {
			if (rest === '') all.push({ ...drawn, ...found });
			return;
		}
		const after = texts[index + 1] ?? '';
		for (let end = 0; end <= rest.length; end++) {
			if (rest.startsWith(after, end)) {
				walk(index + 1, rest.slice(end + after.length), { ...found, [key]: rest.slice(0, end) });
			}
		}
	};
	const first = texts[0] ?? '';
	if (bytes.startsWith(first)) walk(0, bytes.slice(first.length), {});
	return all;
}
