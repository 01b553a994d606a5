import {
	findSettingsProblem,
	findSettingsWarnings,
} from '../../../../../nodes/VisitorService/webhook/activation';
import type { EventSources } from '../../../../../nodes/VisitorService/webhook/eventFields';
import type { Authentication } from '../../../../../nodes/VisitorService/webhook/signature/authentication';
import { hmac, NO_SOURCES, settings } from './deliveries';

const header = { kind: 'header', headerName: 'X-Webhook-Token' } as const;
const standardWebhooks = { kind: 'standardWebhooks', tolerance: 300 } as const;
const SECRETS = ['synthetic-secret'];

describe('findSettingsProblem', () => {
	it.each([header, hmac(), standardWebhooks])('wants a secret ($kind)', (authentication) => {
		for (const secrets of [[], [''], [' ', '\n']]) {
			expect(findSettingsProblem(settings({ authentication }), secrets)).toMatch(
				/^No Webhook Secret is set.*\. Set Webhook Secret in the Visitor Service API credential/,
			);
		}
	});

	it('wants none without authentication', () => {
		expect(findSettingsProblem(settings(), [])).toBeUndefined();
	});

	it('findSettingsProblem is content with one secret, the current or the previous', () => {
		expect(findSettingsProblem(settings({ authentication: hmac() }), SECRETS)).toBeUndefined();
		expect(
			findSettingsProblem(settings({ authentication: header }), ['', 'previous']),
		).toBeUndefined();
	});

	it.each([
		[
			{ signedContent: '{timestamp}' },
			/Signed Content does not hold \{body\}.*\{timestamp\}\.\{body\}/,
		],
		[{ signedContent: '' }, /Signed Content/],
		[{ signedContent: '{id}.{body}' }, /Set ID Header/],
		[{ signatureHeaders: [] }, /^Signature Header is "", which is not a valid header name/],
		[{ signatureHeaders: ['X Signature'] }, /^Signature Header is "X Signature"/],
		[{ timestampHeader: 'a:b' }, /^Timestamp Header/],
		[{ idHeader: 'a b' }, /^ID Header/],
		[
			{ signedContent: '{nonce}.{body}' },
			/^Signed Content holds \{nonce\}, which is not a placeholder/,
		],
		[{ signedContent: '{Body}' }, /^Signed Content holds \{Body\}/],
		[{ signedContent: '{ body }' }, /^Signed Content holds \{ body \}/],
		[{ signedContent: '{ timestamp }.{body}' }, /^Signed Content holds \{ timestamp \}/],
		[{ signedContent: '{{body}}' }, /^Signed Content holds \{, which/],
		[{ signedContent: '{0}.{body}' }, /^Signed Content holds \{0\}/],
		[{ signedContent: '{}{body}' }, /^Signed Content holds \{\}/],
		[{ signedContent: '{body}.{timestamp' }, /^Signed Content holds \{, which/],
		[{ signedContent: '{header.X Date}{body}' }, /^Signed Content holds \{header\.X Date\}/],
		[{ signedContent: '{timestamp}\\n{body}' }, /^Signed Content holds \\n, .*=\{\{ "\{tim/],
		[{ signedContent: '{method}\\r\\n{body}' }, /^Signed Content holds \\r\\n, /],
	])('refuses the HMAC settings %j', (change, expected) => {
		expect(findSettingsProblem(settings({ authentication: hmac(change) }), SECRETS)).toMatch(
			expected,
		);
	});

	it('accepts a backslash that writes no line break', () => {
		for (const signedContent of ['{body}\\{timestamp}', '"a\\n":"{body}"', '{body}\n{timestamp}']) {
			expect(
				findSettingsProblem(settings({ authentication: hmac({ signedContent }) }), SECRETS),
			).toBeUndefined();
		}
	});

	it('accepts JSON that is built around the body', () => {
		const authentication = hmac({ signedContent: '{"time":{timestamp},"body":{body}}' });
		expect(findSettingsProblem(settings({ authentication }), SECRETS)).toBeUndefined();
	});

	it('accepts a timestamp without a header of its own, because it may be in the signature header', () => {
		const authentication = hmac({ signedContent: '{timestamp}.{body}', signaturePrefix: 'v1=' });
		expect(findSettingsProblem(settings({ authentication }), SECRETS)).toBeUndefined();
	});

	it.each(['', ' ', 'a b', 'ä'])('refuses the header name %j', (headerName) => {
		const authentication = { kind: 'header', headerName } as const;
		expect(findSettingsProblem(settings({ authentication }), SECRETS)).toMatch(/^Header Name/);
	});

	it('refuses a secret no header can carry', () => {
		for (const secrets of [['abc\n'], [' abc', ''], ['a\nb'], ['a\0b']]) {
			expect(findSettingsProblem(settings({ authentication: header }), secrets)).toMatch(
				/which no header can carry/,
			);
		}
		expect(
			findSettingsProblem(settings({ authentication: header }), ['schlüssel']),
		).toBeUndefined();
		expect(
			findSettingsProblem(settings({ authentication: header }), ['abc\n', 'abc']),
		).toBeUndefined();
	});

	it('refuses a text secret with spaces around it, which no signature would match', () => {
		const problem = (secrets: string[], change = {}) =>
			findSettingsProblem(settings({ authentication: hmac(change) }), secrets);
		expect(problem(['abc\n'])).toMatch(/^The Webhook Secret starts or ends with a space.*Base64/);
		expect(problem(['', 'abc '])).toMatch(/^The Previous Webhook Secret starts or ends/);
		expect(problem(['abc\u200b'])).toMatch(/^The Webhook Secret starts or ends.*not visible/);
		expect(problem(['YWJj\n'], { secretEncoding: 'base64' })).toBeUndefined();
		expect(problem(['abc\n', 'abc'])).toBeUndefined();
	});

	it.each([
		['not base64!', { secretEncoding: 'base64' }],
		['whsec_whsec_c2VjcmV0', { secretEncoding: 'base64' }],
		['xyz', { secretEncoding: 'hex' }],
		['00ff', { secretEncoding: 'hex', algorithm: 'ed25519' }],
		['a'.repeat(33), { algorithm: 'ed25519' }],
	] as const)('refuses the secret %j with %j', (secret, change) => {
		const problem = findSettingsProblem(settings({ authentication: hmac(change) }), [secret]);
		expect(problem).toMatch(/^The Webhook Secret is not .*Secret Encoding/);
		expect(problem).not.toContain(secret);
	});

	it('refuses a timestamp that is checked but not signed, because it protects nothing', () => {
		const problem = (signedContent: string) =>
			findSettingsProblem(
				settings({ authentication: hmac({ signedContent, timestampHeader: 'X-Time' }) }),
				SECRETS,
			);
		expect(problem('{body}')).toMatch(/^Timestamp Header is set, but Signed Content/);
		expect(problem('{timestamp}.{body}')).toBeUndefined();
		expect(problem('{header.x-time}.{body}')).toBeUndefined();
	});

	it.each([
		{ signedContent: '{header.x-signature}.{body}' },
		{ signedContent: '{id}.{body}', idHeader: 'x-signature' },
		{ signedContent: '{header.A}{header.B}{body}', signatureHeaders: ['a', 'b'] },
	])('refuses a signature that would have to be in what it signs: %j', (change) => {
		expect(findSettingsProblem(settings({ authentication: hmac(change) }), SECRETS)).toMatch(
			/^Signed Content holds the Signature Header itself/,
		);
	});

	it('accepts a signature header that is signed if the signature may be in another one', () => {
		const authentication = hmac({
			signedContent: '{header.A}{body}',
			signatureHeaders: ['A', 'B'],
		});
		expect(findSettingsProblem(settings({ authentication }), SECRETS)).toBeUndefined();
	});

	it('accepts the time in the signature header, from where it is signed alone', () => {
		const authentication = hmac({
			signedContent: '{timestamp}.{body}',
			timestampHeader: 'X-Signature',
		});
		expect(findSettingsProblem(settings({ authentication }), SECRETS)).toBeUndefined();
	});

	it('takes several signature headers', () => {
		const problem = (...signatureHeaders: string[]) =>
			findSettingsProblem(settings({ authentication: hmac({ signatureHeaders }) }), SECRETS);
		expect(problem('X-Sig-1', 'X-Sig-2')).toBeUndefined();
		expect(problem('X-Sig-1', 'X Sig 2')).toMatch(/^Signature Header is "X Sig 2"/);
	});

	it('refuses headers of events that cannot exist, in every mode', () => {
		const sources = (change: object) => ({ sources: { ...NO_SOURCES, ...change } });
		expect(findSettingsProblem(settings(sources({ eventHeader: 'a b' })), [])).toMatch(
			/^Event Header is "a b"/,
		);
		expect(findSettingsProblem(settings(sources({ idHeader: 'a:b' })), [])).toMatch(/^ID Header/);
		expect(findSettingsProblem(settings(sources({ idHeader: 'X-Id' })), [])).toBeUndefined();
	});

	it('refuses a secret that is none of Standard Webhooks', () => {
		const problem = findSettingsProblem(settings({ authentication: standardWebhooks }), [
			'not base64!',
		]);
		expect(problem).toMatch(/whsec_/);
		expect(problem).not.toContain('not base64!');
		expect(
			findSettingsProblem(settings({ authentication: standardWebhooks }), [
				'not base64!',
				'whsec_c2VjcmV0',
			]),
		).toBeUndefined();
	});

	it('names the entry of the allowlist that is none', () => {
		expect(
			findSettingsProblem(settings({ ipAllowlist: ['192.0.2.1', '10.0.0.0/33'] }), []),
		).toMatch(/"10\.0\.0\.0\/33"/);
	});

	it('says what happened and what to do, and never the secret', () => {
		const problems = [
			findSettingsProblem(
				settings({ authentication: hmac({ signatureHeaders: ['a b'] }) }),
				SECRETS,
			),
			findSettingsProblem(settings({ authentication: hmac() }), []),
			findSettingsProblem(settings({ ipAllowlist: ['x'] }), SECRETS),
		];
		for (const problem of problems) {
			expect(problem).toMatch(/^[A-Z].+\. [A-Z].+\.$/);
			expect(problem).not.toContain(SECRETS[0]);
		}
	});

	it.each([
		['t={timestamp},v1={signature}', /^Signature Prefix holds a brace/],
		['sha256=\nv1=', /^Signature Prefix holds a brace or a line break/],
	])('refuses the Signature Prefix %j, which no header holds', (signaturePrefix, expected) => {
		const authentication = hmac({ signaturePrefix });
		expect(findSettingsProblem(settings({ authentication }), SECRETS)).toMatch(expected);
	});

	it.each(['sha256=', ' v1, ', ';h1=', '1/SHA256/', 'keyId="a b",signature="', 'é='])(
		'accepts the Signature Prefix %j',
		(signaturePrefix) => {
			const authentication = hmac({ signaturePrefix });
			expect(findSettingsProblem(settings({ authentication }), SECRETS)).toBeUndefined();
		},
	);

	it('refuses a text for an Ed25519 key even if it has the right length', () => {
		const authentication = hmac({ algorithm: 'ed25519' });
		expect(findSettingsProblem(settings({ authentication }), ['a'.repeat(32)])).toMatch(
			/^The Webhook Secret is not an Ed25519 public key.*Secret Encoding/,
		);
	});

	it.each(['-----BEGIN PUBLIC KEY-----\nMFk=', 'whpk_c2VjcmV0'])(
		'refuses a public key as the secret of an HMAC, which anybody could sign with: %j',
		(secret) => {
			for (const secretEncoding of ['text', 'base64'] as const) {
				const authentication = hmac({ secretEncoding });
				expect(findSettingsProblem(settings({ authentication }), [secret])).toMatch(
					/^The Webhook Secret is a public key/,
				);
			}
		},
	);

	it.each([
		'visit.*',
		'*',
		'"visit.created"',
		'["a"',
		'visit.created; visit.updated',
		"'visit.created'",
		'`visit.created`',
		'visit.created|visit.updated',
		'visit.created\tvisit.updated',
		'visit.created，visit.updated',
		'“visit.created”',
		'‘visit.created’',
		'«visit.created»',
		'{{visit.created}}',
		'[visit.created',
		'visit.updated]',
		'^visit',
		'created$',
		'/visit/',
	])('refuses the name %s in Events, because it would select nothing', (name) => {
		const problem = findSettingsProblem(settings({ events: ['visit.ended', name] }), []);
		expect(problem).toContain(`Events has the name ${name},`);
	});

	it('refuses Events with one name on each line, in one line', () => {
		const problem = findSettingsProblem(settings({ events: ['a\r\nb'] }), []);
		expect(problem).toMatch(/^Events has the name a⏎b, .*commas/);
	});

	it.each([
		['Event Path', 'eventPath'],
		['ID Path', 'idPath'],
		['Items Path', 'itemsPath'],
	])('refuses a path in another notation as %s, because it would find nothing', (field, key) => {
		const problem = (path: string) =>
			findSettingsProblem(settings({ sources: { ...NO_SOURCES, [key]: path } }), []);
		const others = ['/data/id', '$json.body.id', '$input.item.json.id', '{{ $json.id }}', '=id'];
		for (const path of [
			'$.id',
			'$',
			'$[0].id',
			'events[*]',
			'a.*.b',
			'.id',
			'a..b',
			'a.',
			...others,
		]) {
			expect(problem(path)).toMatch(
				/^(Event|ID|Items) Path is ".*", which is not a dot path, so nothing would be found\. Write/,
			);
			expect(problem(path)).toContain(`${field} is "${path}"`);
		}
		for (const path of ['', 'id', '$id', 'a.$.id', 'a.0.b', 'data[id]', 'events[]', '@id', 'a b']) {
			expect(problem(path)).toBeUndefined();
		}
	});

	it.each([
		"visitor's badge",
		'visitor’s badge',
		'Push Hook',
		'orders/create',
		'/orders',
		'order[item].created',
		'repo:push',
		'ObjectCreated:Put',
	])('accepts the name %s in Events', (name) => {
		expect(findSettingsProblem(settings({ events: [name] }), [])).toBeUndefined();
	});

	it.each(['x-webhook-token', 'Authorization', 'Cookie'])(
		'refuses the header %s, which carries a secret, as that of a name or an ID',
		(name) => {
			const problem = (sources: object) =>
				findSettingsProblem(
					settings({ authentication: header, sources: { ...NO_SOURCES, ...sources } }),
					SECRETS,
				);
			expect(problem({ eventHeader: name })).toMatch(/^Event Header is .*secret/);
			expect(problem({ idHeader: name })).toMatch(/^ID Header is .*secret/);
		},
	);
});

describe('findSettingsWarnings', () => {
	const ofUrl = (address: string | undefined) => findSettingsWarnings(settings(), [], address);

	it.each([
		'http://localhost:5678/webhook/1/webhook',
		'https://127.0.0.1/webhook',
		'http://[::1]:5678/webhook',
	])('warns of %s', (address) => {
		expect(ofUrl(address)).toEqual([
			expect.stringMatching(/^The webhook URL .* this machine only\. Set .* N8N_WEBHOOK_URL/),
		]);
	});

	it('does not show the path, which is what keeps the address secret', () => {
		expect(ofUrl('http://localhost:5678/webhook/abc/webhook').join()).not.toContain('abc');
	});

	it.each(['https://n8n.example.test/webhook', undefined, '', 'no address'])(
		'has nothing to say about %j',
		(address) => {
			expect(ofUrl(address)).toEqual([]);
		},
	);
});

describe('findSettingsWarnings, of two secrets,', () => {
	it('warns of one secret of two that nothing can match', () => {
		const rules = settings({ authentication: hmac() });
		expect(findSettingsWarnings(rules, ['abc', 'old '], undefined)[0]).toMatch(
			/^The Previous Webhook Secret/,
		);
		expect(findSettingsWarnings(rules, ['abc ', 'old'], undefined)[0]).toMatch(
			/^The Webhook Secret/,
		);
		expect(findSettingsWarnings(rules, ['abc', 'old'], undefined)[0]).toBeUndefined();
		expect(findSettingsWarnings(rules, ['abc', ''], undefined)[0]).toBeUndefined();
		expect(findSettingsWarnings(settings(), [], undefined)[0]).toBeUndefined();
	});
});

describe('findSettingsWarnings, of the tolerance,', () => {
	const warning = (authentication: Authentication) =>
		findSettingsWarnings(settings({ authentication }), [], undefined)[0];
	const timed = { signedContent: '{timestamp}{body}' };

	it.each<[string, Authentication]>([
		['in the signature', hmac({ ...timed, tolerance: 86_401 })],
		[
			'in a header',
			hmac({ signedContent: '{header.T}{body}', timestampHeader: 'T', tolerance: 3e5 }),
		],
		['of Standard Webhooks', { kind: 'standardWebhooks', tolerance: 31_536_000 }],
	])('warns of a tolerance of more than a day for the time %s', (_, authentication) => {
		expect(warning(authentication)).toMatch(/^Timestamp Tolerance is more than a day: .*300/);
	});

	it('has nothing to say of a day, nor if no time is checked', () => {
		expect(warning(hmac({ ...timed, tolerance: 86_400 }))).toBeUndefined();
		expect(warning({ kind: 'standardWebhooks', tolerance: 86_400 })).toBeUndefined();
		expect(warning(hmac({ tolerance: 3e5 }))).toBeUndefined();
		expect(warning(header)).toBeUndefined();
		expect(warning({ kind: 'none' })).toBeUndefined();
	});
});

describe('findSettingsWarnings, of headers that are not signed,', () => {
	const warnings = (authentication: Authentication, sources: object) =>
		findSettingsWarnings(
			settings({ authentication, sources: { ...NO_SOURCES, ...sources } }),
			[],
			undefined,
		);
	const both = { eventHeader: 'X-Event', idHeader: 'X-Id' };

	it.each<[string, Authentication]>([
		['HMAC', hmac()],
		['HMAC over another header', hmac({ signedContent: '{header.x-other}{body}' })],
		['Standard Webhooks', standardWebhooks],
	])('warns of an Event Header and of an ID Header beside %s', (_, authentication) => {
		expect(warnings(authentication, both)).toEqual([
			expect.stringMatching(/^Event Header is "X-Event", which is not signed: .*Event Path/),
			expect.stringMatching(/^ID Header is "X-Id", which is not signed: .*ID Path/),
		]);
	});

	it.each<[string, Authentication, object]>([
		[
			'of those that are signed',
			hmac({ signedContent: '{header.x-event}{header.X-ID}{body}' }),
			both,
		],
		['of the ID of the specification', standardWebhooks, { idHeader: 'Webhook-Id' }],
		['of the ID of Svix', standardWebhooks, { idHeader: 'svix-id' }],
		['if nothing is signed', header, both],
		['without authentication', { kind: 'none' }, both],
		['if the user names none', hmac(), {}],
	])('has nothing to say %s', (_, authentication, sources) => {
		expect(warnings(authentication, sources)).toEqual([]);
	});
});

describe('findSettingsWarnings, of repeats,', () => {
	const warning = (change: object, sources: object = {}, ignoreRepeats = true) =>
		findSettingsWarnings(
			settings({
				authentication: hmac(change),
				sources: { ...NO_SOURCES, ...sources },
				ignoreRepeats,
			}),
			[],
			undefined,
		).find((one) => !one.startsWith('ID Header'));

	it('warns of an ID that is not both sure and signed', () => {
		expect(warning({}, { idHeader: 'X-Id' })).toMatch(/^Ignore Repeats .* Set ID Path/);
		expect(warning({})).toMatch(/^Ignore Repeats .*recorded.* Set ID Path/);
		expect(warning({ idHeader: 'X-Id' })).toMatch(/^Ignore Repeats/);
		expect(warning({ signedContent: '{id}{body}', idHeader: 'X-Id' })).toMatch(/^Ignore Repeats/);
		expect(
			warning({ idHeader: 'X-Id', signedContent: '{id}{body}' }, { idHeader: 'X-Other' }),
		).toMatch(/^Ignore Repeats/);
	});

	it('has nothing to say if the ID of the user or a time is signed', () => {
		expect(
			warning({ signedContent: '{id}{body}', idHeader: 'X-Id' }, { idHeader: 'X-Id' }),
		).toBeUndefined();
		expect(warning({ signedContent: '{header.x-id}{body}' }, { idHeader: 'X-Id' })).toBeUndefined();
		expect(warning({ signedContent: '{timestamp}{body}' }, { idHeader: 'X-Id' })).toBeUndefined();
		expect(warning({}, { idHeader: 'X-Id', idPath: 'id' })).toBeUndefined();
		expect(warning({}, { idHeader: 'X-Id' }, false)).toBeUndefined();
	});
});

describe('findSettingsWarnings, of other settings,', () => {
	const warnings = (change: Parameters<typeof settings>[0]) =>
		findSettingsWarnings(settings(change), SECRETS, 'https://n8n.example.test/webhook');

	it.each([' {body}', '{body}\n', '{timestamp}\n{body} '])(
		'warns of a space around the Signed Content %j',
		(signedContent) => {
			expect(warnings({ authentication: hmac({ signedContent }) })).toEqual([
				expect.stringMatching(/^Signed Content starts or ends with a space/),
			]);
		},
	);

	it.each(['0.0.0.0/0', '::/0', '192.0.2.1/00', '::ffff:0:0/96', '::ffff:0.0.0.0/96'])(
		'warns of the range %s of everybody',
		(entry) => {
			expect(warnings({ ipAllowlist: ['192.0.2.1', entry] })).toEqual([
				expect.stringContaining(`the range ${entry}, which everybody is in`),
			]);
		},
	);

	it.each<[string, Parameters<typeof settings>[0]]>([
		['Events', { events: ['visit.created', 'visit.\u200bended'] }],
		['Event Path', { sources: { ...NO_SOURCES, eventPath: '\ufeffmeta.event' } }],
		['ID Path', { sources: { ...NO_SOURCES, idPath: 'meta\u200d.id' } }],
		['Items Path', { sources: { ...NO_SOURCES, itemsPath: 'events\u2060' } }],
		['Signature Prefix', { authentication: hmac({ signaturePrefix: 'v1=\u200b' }) }],
		['Signed Content', { authentication: hmac({ signedContent: '{body}\u200b' }) }],
	])('warns of a character in %s that is not visible', (field, change) => {
		expect(warnings(change)).toEqual([
			`${field} has a character that is not visible, such as a zero-width space. Clear ${field} and type it again.`,
		]);
	});

	it.each(['body.id', 'Body.data.id', 'json.body.id', '$body.id'])(
		'warns of the path %s, which may be that of the item',
		(idPath) => {
			expect(warnings({ sources: { ...NO_SOURCES, idPath } })).toEqual([
				expect.stringMatching(/^ID Path starts with body.*begin inside the body/),
			]);
		},
	);

	it.each<[string, Partial<EventSources>, RegExp]>([
		['Event Path', { eventPath: 'headers.x-github-event' }, /\. Set Event Header instead, unless/],
		['ID Path', { idPath: 'json.headers.x-request-id' }, /\. Set ID Header instead, unless/],
		['Items Path', { itemsPath: 'headers.x' }, /\. Clear Items Path, unless/],
		['ID Path', { idPath: '$query.id' }, /\. Clear ID Path, unless the body has a field/],
	])('warns of %s %j, which leads to another part of the item', (field, change, remedy) => {
		const [warning, ...others] = warnings({ sources: { ...NO_SOURCES, ...change } });
		expect(others).toEqual([]);
		expect(warning).toMatch(new RegExp(`^${field} starts with (headers|query), .*the body\\.`));
		expect(warning).toMatch(remedy);
	});

	it.each(['body', 'bodyId', 'data.body.id', 'headers', 'data.headers.id', 'queryId'])(
		'has nothing to warn of the path %s',
		(idPath) => {
			expect(warnings({ sources: { ...NO_SOURCES, idPath } })).toEqual([]);
		},
	);

	it.each<[string, Partial<EventSources>]>([
		['Event Path', { eventPath: 'data.events.type', itemsPath: 'data.events' }],
		['ID Path', { idPath: 'events.id', itemsPath: 'events', eventPath: 'type' }],
	])('warns of %s in the list at Items Path: %j', (field, change) => {
		const [warning, ...others] = warnings({ sources: { ...NO_SOURCES, ...change } });
		expect(others).toEqual([]);
		expect(warning).toBe(
			`${field} starts with Items Path, but begins inside each element of that list. Remove ${change.itemsPath ?? ''}. from it, unless the elements have a field of that name.`,
		);
	});

	it.each<Partial<EventSources>>([
		{ idPath: 'id', itemsPath: 'events' },
		{ idPath: 'eventsId', itemsPath: 'events' },
		{ idPath: 'events', itemsPath: 'events' },
		{ idPath: 'id.x', eventPath: 'x.y' },
	])('has nothing to warn of the paths %j', (change) => {
		expect(warnings({ sources: { ...NO_SOURCES, ...change } })).toEqual([]);
	});

	it.each(['events[0].id', 'data[id]', 'events[]'])(
		'warns of the path %s, which only the field of a form can have',
		(idPath) => {
			expect(warnings({ sources: { ...NO_SOURCES, idPath } })).toEqual([
				expect.stringMatching(/^ID Path has brackets.*form.*events\.0\.id/),
			]);
		},
	);

	it('has nothing to warn of usual settings', () => {
		const authentication = hmac({ signedContent: '{timestamp}.{body}' });
		expect(
			warnings({ authentication, ipAllowlist: ['10.0.0.0/8', '2001:db8::/32'], events: ['a b'] }),
		).toEqual([]);
	});
});
