import {
	findAddressProblem,
	findSettingsProblem,
} from '../../../../../nodes/VisitorService/webhook/activationChecks';
import { hmac, settings } from './deliveries';

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

	it('is content with one secret, the current or the previous', () => {
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
		[{ signatureHeader: '' }, /^Signature Header is "", which is no name/],
		[{ signatureHeader: 'X Signature' }, /^Signature Header is "X Signature"/],
		[{ timestampHeader: 'a:b' }, /^Timestamp Header/],
		[{ idHeader: 'a b' }, /^ID Header/],
	])('refuses the HMAC settings %j', (change, expected) => {
		expect(findSettingsProblem(settings({ authentication: hmac(change) }), SECRETS)).toMatch(
			expected,
		);
	});

	it('accepts a timestamp without a header of its own, for it may be in the signature header', () => {
		const authentication = hmac({ signedContent: '{timestamp}.{body}', signaturePrefix: 'v1=' });
		expect(findSettingsProblem(settings({ authentication }), SECRETS)).toBeUndefined();
	});

	it.each(['', ' ', 'a b', 'ä'])('refuses the header name %j', (headerName) => {
		const authentication = { kind: 'header', headerName } as const;
		expect(findSettingsProblem(settings({ authentication }), SECRETS)).toMatch(/^Header Name/);
	});

	it('refuses a secret no header can carry', () => {
		for (const secrets of [['abc\n'], [' abc', '']]) {
			expect(findSettingsProblem(settings({ authentication: header }), secrets)).toMatch(
				/blank or a line break/,
			);
		}
		expect(
			findSettingsProblem(settings({ authentication: header }), ['abc\n', 'abc']),
		).toBeUndefined();
		expect(findSettingsProblem(settings({ authentication: hmac() }), ['abc\n'])).toBeUndefined();
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
		expect(findSettingsProblem(settings({ ipAllowlist: '192.0.2.1, 10.0.0.0/33' }), [])).toMatch(
			/"10\.0\.0\.0\/33"/,
		);
	});

	it('says what happened and what to do, and never the secret', () => {
		const problems = [
			findSettingsProblem(settings({ authentication: hmac({ signatureHeader: 'a b' }) }), SECRETS),
			findSettingsProblem(settings({ authentication: hmac() }), []),
			findSettingsProblem(settings({ ipAllowlist: 'x' }), SECRETS),
		];
		for (const problem of problems) {
			expect(problem).toMatch(/^[A-Z].+\. [A-Z].+\.$/);
			expect(problem).not.toContain(SECRETS[0]);
		}
	});
});

describe('findAddressProblem', () => {
	it.each([
		'http://localhost:5678/webhook/1/webhook',
		'https://127.0.0.1/webhook',
		'http://[::1]:5678/webhook',
	])('warns of %s', (address) => {
		expect(findAddressProblem(address)).toMatch(
			/^The webhook address .* this machine only\. Set .* WEBHOOK_URL/,
		);
	});

	it('does not show the path, which is what keeps the address secret', () => {
		expect(findAddressProblem('http://localhost:5678/webhook/abc/webhook')).not.toContain('abc');
	});

	it.each(['https://n8n.example.test/webhook', undefined, '', 'no address'])(
		'has nothing to say about %j',
		(address) => {
			expect(findAddressProblem(address)).toBeUndefined();
		},
	);
});
