import type {
	Delivery,
	HeaderFields,
} from '../../../../../../nodes/VisitorService/webhook/delivery/request';
import type { Authentication } from '../../../../../../nodes/VisitorService/webhook/signature/authentication';
import { hmac } from '../deliveries';

/** A delivery as a service publishes it. */
interface PublishedVector {
	source: string;
	secret: string;
	body: string;
	headers: HeaderFields;
	authentication: Authentication;
	/** What of the delivery is not as usual. */
	change?: Partial<Delivery>;
}

// Published examples of the signing services themselves, recomputed.
export const publishedVectors: PublishedVector[] = [
	{
		source: 'Standard Webhooks, libraries/javascript, "sign function works"',
		secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
		body: '{"test": 2432232314}',
		headers: {
			'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
			'webhook-timestamp': '1614265330',
			'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
		},
		authentication: { kind: 'standardWebhooks', tolerance: 300 },
	},
	{
		source: 'GitHub, "Validating webhook deliveries"',
		secret: "It's a Secret to Everybody",
		body: 'Hello, World!',
		headers: {
			'x-hub-signature-256':
				'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
		},
		authentication: hmac({ signatureHeaders: ['X-Hub-Signature-256'], signaturePrefix: 'sha256=' }),
	},
	{
		source: 'Slack, "Verifying requests from Slack"',
		secret: '8f742231b10e8888abcd99yyyzzz85a5',
		body: 'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c',
		headers: {
			'x-slack-request-timestamp': '1531420618',
			'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
		},
		authentication: hmac({
			signatureHeaders: ['X-Slack-Signature'],
			signaturePrefix: 'v0=',
			signedContent: 'v0:{timestamp}:{body}',
			timestampHeader: 'X-Slack-Request-Timestamp',
		}),
		change: { receivedAt: 1_531_420_618_000 },
	},
	{
		source: 'octokit/webhooks-methods.js',
		secret: 'mysecret',
		body: '{"foo":"bar"}',
		headers: {
			'x-hub-signature-256':
				'sha256=4864d2759938a15468b5df9ade20bf161da9b4f737ea61794142f3484236bda3',
		},
		authentication: hmac({ signatureHeaders: ['X-Hub-Signature-256'], signaturePrefix: 'sha256=' }),
	},
	{
		source: 'Svix, "How to verify webhooks manually"',
		secret: 'whsec_plJ3nmyCDGBKInavdOK15jsl',
		body: '{"event_type":"ping","data":{"success":true}}',
		headers: {
			'svix-id': 'msg_loFOjxBNrRLzqYUf',
			'svix-timestamp': '1731705121',
			'svix-signature': 'v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0=',
		},
		authentication: { kind: 'standardWebhooks', tolerance: 300 },
		change: { receivedAt: 1_731_705_121_000 },
	},
	{
		source: 'Box, tests of box-node-sdk',
		secret: 'SampleSecondaryKey',
		body: '{"type":"webhook_event","webhook":{"id":"1234567890"},"trigger":"FILE.UPLOADED","source":{"id":"1234567890","type":"file","name":"Test.txt"}}',
		headers: {
			'box-delivery-timestamp': '2020-01-01T00:00:00-07:00',
			'box-signature-primary': '6TfeAW3A1PASkgboxxA5yqHNKOwFyMWuEXny/FPD5hI=',
			'box-signature-secondary': 'v+1CD1Jdo3muIcbpv5lxxgPglOqMfsNHPV899xWYydo=',
		},
		authentication: hmac({
			signatureHeaders: ['Box-Signature-Primary', 'Box-Signature-Secondary'],
			encoding: 'base64',
			signedContent: '{body}{timestamp}',
			timestampHeader: 'Box-Delivery-Timestamp',
		}),
		change: { receivedAt: Date.UTC(2020, 0, 1, 7) },
	},
	{
		source: 'Square, tests of square-nodejs-sdk',
		secret: 'Ibxx_5AKakO-3qeNVR61Dw',
		body: '{"merchant_id":"MLEFBHHSJGVHD","type":"webhooks.test_notification","event_id":"ac3ac95b-f97d-458c-a6e6-18981597e05f","created_at":"2022-07-13T20:30:59.037339943Z","data":{"type":"webhooks","id":"bc368e64-01aa-407e-b46e-3231809b1129"}}',
		headers: { 'x-square-hmacsha256-signature': 'GF4YkrJgGBDZ9NIYbNXBnMzqb2HoL4RW/S6vkZ9/2N4=' },
		authentication: hmac({
			signatureHeaders: ['x-square-hmacsha256-signature'],
			encoding: 'base64',
			signedContent: '{url}{body}',
		}),
		change: { url: () => 'https://webhook.site/679a4f3a-dcfa-49ee-bac5-9d0edad886b9' },
	},
	{
		source: 'Twilio, tests of twilio-node with a JSON body',
		secret: '12345',
		body: '{"property": "value", "boolean": true}',
		headers: { 'x-twilio-signature': 'a9nBmqA0ju/hNViExpshrM61xv4=' },
		authentication: hmac({
			signatureHeaders: ['X-Twilio-Signature'],
			encoding: 'base64',
			algorithm: 'sha1',
			signedContent: 'https://mycompany.com{path}?foo=1&bar=2&bodySHA256={bodySha256Hex}',
		}),
		change: { url: () => 'https://mycompany.com/myapp.php?foo=1&bar=2' },
	},
	{
		source: 'RFC 4231 test case 2, SHA-256',
		secret: 'Jefe',
		body: 'what do ya want for nothing?',
		headers: { 'x-signature': '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843' },
		authentication: hmac(),
	},
	{
		source: 'RFC 4231 test case 2, SHA-512',
		secret: 'Jefe',
		body: 'what do ya want for nothing?',
		headers: {
			'x-signature':
				'164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737',
		},
		authentication: hmac({ algorithm: 'sha512' }),
	},
	{
		source: 'RFC 4231 test case 2, SHA-384',
		secret: 'Jefe',
		body: 'what do ya want for nothing?',
		headers: {
			'x-signature':
				'af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e8e2240ca5e69e2c78b3239ecfab21649',
		},
		authentication: hmac({ algorithm: 'sha384' }),
	},
	{
		source: 'RFC 8032 section 7.1 test 2, Ed25519',
		secret: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
		body: 'r',
		headers: {
			'x-signature':
				'92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
		},
		authentication: hmac({ algorithm: 'ed25519', secretEncoding: 'hex' }),
	},
	{
		source: 'RFC 2202 test case 2, SHA-1',
		secret: 'Jefe',
		body: 'what do ya want for nothing?',
		headers: { 'x-signature': 'effcdf6ae5eb2fa2d27416d5f184df9c259a7c79' },
		authentication: hmac({ algorithm: 'sha1' }),
	},
];
