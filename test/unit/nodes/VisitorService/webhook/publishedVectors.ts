import type { Authentication } from '../../../../../nodes/VisitorService/webhook/authentication';
import type { Delivery, HeaderFields } from '../../../../../nodes/VisitorService/webhook/delivery';
import { hmac } from './deliveries';

/** A delivery as a service publishes it, or its library makes it. */
interface PublishedVector {
	/** The service, and where it is published. */
	source: string;
	secret: string;
	body: string;
	headers: HeaderFields;
	authentication: Authentication;
	/** What of the delivery is not as usual. */
	change?: Partial<Delivery>;
}

// Published by the services, in their documents or libraries; or computed, and accepted, by a
// library of theirs.
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
		source: 'Stripe, computed by stripe-node 23.1.0 generateTestHeaderString',
		secret: 'whsec_test_secret',
		body: '{"id":"evt_test_webhook","object":"event"}',
		headers: {
			'stripe-signature':
				't=1614265330,v1=3c5817089d739023dd6190f70a3757e04f7a2fd8b5dab12c2e000f51970dccff',
		},
		authentication: hmac({
			signatureHeaders: ['Stripe-Signature'],
			signaturePrefix: 'v1=',
			signedContent: '{timestamp}.{body}',
		}),
	},
	{
		source: 'Paddle, tests of paddle-node-sdk',
		secret: 'VALID_SECRET',
		body: '{"data": ["1", "2"]}',
		headers: {
			'paddle-signature':
				'ts=1698796800;h1=a300428748dce5c70e4da19bffd60769591ea969c99dea3105d0ec9612cf43f9',
		},
		authentication: hmac({
			signatureHeaders: ['Paddle-Signature'],
			signaturePrefix: 'h1=',
			signedContent: '{timestamp}:{body}',
		}),
		change: { receivedAt: 1_698_796_800_000 },
	},
	{
		source: 'Recurly, tests of recurly-client-ruby, with a second signature before the right one',
		secret: '354fab5bd35f5a0d50845ee7e30165244468b13c2c343f104e4e730a59326d9d',
		body: '{"id":"rjxwmwedwqug","object_type":"account","site_id":"qc326l1hl8k9","event_type":"created","event_time":"2022-09-13T21:18:40Z","account_code":"adfas23zzz14123"}',
		headers: {
			'recurly-signature':
				'1663103925004,de1ec7ab1e,ad24699f3beaa24c9af2cc7ada3ce4c835da0090194241b9d3add83d27f14bc3',
		},
		authentication: hmac({
			signatureHeaders: ['recurly-signature'],
			signedContent: '{timestamp}.{body}',
		}),
		change: { receivedAt: 1_663_103_925_004 },
	},
	{
		source: 'Buildkite, tests of go-buildkite',
		secret: '29b1ff5779c76bd48ba6705eb99ff970',
		body: '{"event":"ping","service":{"id":"c9f8372d-c0cd-43dc-9274-768a875cf6ca","provider":"webhook","settings":{"url":"https://server.com/webhooks"}},"organization":{"id":"49801950-1df0-474f-bb56-ad6a930c5cb9","graphql_id":"T3JnYW5pemF0aW9uLS0tZTBmMzk3MgsTksGkxOWYtZTZjNzczZTJiYjEy","url":"https://api.buildkite.com/v2/organizations/acme-inc","web_url":"https://buildkite.com/acme-inc","name":"ACME Inc","slug":"acme-inc","agents_url":"https://api.buildkite.com/v2/organizations/acme-inc/agents","emojis_url":"https://api.buildkite.com/v2/organizations/acme-inc/emojis","created_at":"2021-02-03T20:34:10.486Z","pipelines_url":"https://api.buildkite.com/v2/organizations/acme-inc/pipelines"},"sender":{"id":"c9f8372d-c0cd-43dc-9269-bcbb7f308e3f","name":"ACME Man"}}',
		headers: {
			'x-buildkite-signature':
				'timestamp=1642080837,signature=582d496ac2d869dd97a3101c4cda346288c49a742592daf582ec64c86449f79c',
		},
		authentication: hmac({
			signatureHeaders: ['X-Buildkite-Signature'],
			signaturePrefix: 'signature=',
			signedContent: '{timestamp}.{body}',
		}),
		change: { receivedAt: 1_642_080_837_000 },
	},
	{
		source: 'HubSpot v3, computed by @hubspot/api-client 13.5.0 Signature.getSignature',
		secret: 'yyyyyyyy-yyyy-yyyy-yyyy-yyyyyyyyyyyy',
		body: '{"example_field":"example_value"}',
		headers: {
			'x-hubspot-request-timestamp': '1614265330000',
			'x-hubspot-signature-v3': 'tpCufWLOupRpVXpoJy1Cdw0BOVgWjilpkfjxyo2w2OQ=',
		},
		authentication: hmac({
			signatureHeaders: ['X-HubSpot-Signature-v3'],
			encoding: 'base64',
			signedContent: '{method}{url}{body}{timestamp}',
			timestampHeader: 'X-HubSpot-Request-Timestamp',
		}),
		change: { url: () => 'https://www.example.com/webhook_uri' },
	},
	{
		source: 'Zoom, accepted by @zoom/rivet 0.4.0',
		secret: 'zoom-secret-token',
		body: '{"event":"meeting.started","event_ts":1614265330000,"payload":{"account_id":"a","object":{"id":"1"}}}',
		headers: {
			'x-zm-request-timestamp': '1614265330',
			'x-zm-signature': 'v0=96625c1a1d1bac3f6dbcb06854ff5f4085b822a494bb4edc5f1f43e7b1886473',
		},
		authentication: hmac({
			signatureHeaders: ['x-zm-signature'],
			signaturePrefix: 'v0=',
			signedContent: 'v0:{timestamp}:{body}',
			timestampHeader: 'x-zm-request-timestamp',
		}),
	},
	{
		source: 'Shopify, accepted by @shopify/shopify-api 13.1.0 webhooks.validate',
		secret: 'shopify-api-secret',
		body: '{"id":820982911946154508,"email":"jon@example.com"}',
		headers: { 'x-shopify-hmac-sha256': 'VULSxrpWWC8cGdpxlDYaqOPeKLG/5LHi50E2W8QXPBc=' },
		authentication: hmac({ signatureHeaders: ['X-Shopify-Hmac-Sha256'], encoding: 'base64' }),
	},
	{
		source:
			'Adyen platforms, computed by @adyen/api-library 32.1.0 calculateHmac with the key of its tests',
		secret: '11223344D785FBAE710E7F943F307971BB61B21281C98C9129B3D4018A57B2EB',
		body: '{"type":"balancePlatform.accountHolder.created","data":{"accountHolder":{"id":"AH00000000000000000001","status":"active"}}}',
		headers: { hmacsignature: 'Pt4Imku4wXRh/3TtVq9yiL8++G+bNge6aHv+a+pTHNE=' },
		authentication: hmac({
			signatureHeaders: ['HmacSignature'],
			encoding: 'base64',
			secretEncoding: 'hex',
		}),
	},
	{
		source: 'Discord, accepted by discord-interactions 4.4.0 verifyKey, with the keys of RFC 8032',
		secret: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
		body: '{"type":1}',
		headers: {
			'x-signature-timestamp': '1614265330',
			'x-signature-ed25519':
				'7743bc5f478cd11f0e9edff00c4bb30e3d71fedfc7c482e2224fc12cb53a8ea9ab63ebf179f26bb9166f7628da837845744c7f5171ed84c2cbc5c72493e2df0b',
		},
		authentication: hmac({
			signatureHeaders: ['X-Signature-Ed25519'],
			algorithm: 'ed25519',
			secretEncoding: 'hex',
			signedContent: '{timestamp}{body}',
			timestampHeader: 'X-Signature-Timestamp',
		}),
	},
	{
		source: 'Twitch, tests of the library nicklaw5/helix',
		secret: 's3cRe7',
		body: '{"challenge":"pogchamp-kappa-360noscope-vohiyo","subscription":{"id":"f1c2a387-161a-49f9-a165-0f21d7a4e1c4","status":"webhook_callback_verification_pending","type":"channel.follow","version":"1","condition":{"broadcaster_user_id":"12826"},"transport":{"method":"webhook","callback":"https://example.com/webhooks/callback"},"created_at":"2019-11-16T10:11:12.123Z"}}',
		headers: {
			'twitch-eventsub-message-id': 'e76c6bd4-55c9-4987-8304-da1588d8988b',
			'twitch-eventsub-message-timestamp': '2019-11-16T10:11:12.123Z',
			'twitch-eventsub-message-signature':
				'sha256=7e5a96480c29cdf834b371e7a5b049638cba6e425ea51b9b2a9fabf69bc5d227',
		},
		authentication: hmac({
			signatureHeaders: ['Twitch-Eventsub-Message-Signature'],
			signaturePrefix: 'sha256=',
			signedContent: '{id}{timestamp}{body}',
			idHeader: 'Twitch-Eventsub-Message-Id',
			timestampHeader: 'Twitch-Eventsub-Message-Timestamp',
		}),
		change: { receivedAt: Date.UTC(2019, 10, 16, 10, 11, 12, 123) },
	},
	{
		source: 'Contentful, computed by @contentful/node-apps-toolkit signRequest',
		secret: `${'a'.repeat(32)}${'b'.repeat(32)}`,
		body: '{"event":"visit.created","id":"evt-1"}',
		headers: {
			'content-type': 'application/vnd.contentful.management.v1+json',
			'x-contentful-topic': 'ContentManagement.Entry.publish',
			'x-contentful-timestamp': '1614265330000',
			'x-contentful-signed-headers':
				'content-type,x-contentful-signed-headers,x-contentful-timestamp,x-contentful-topic',
			'x-contentful-signature': 'db5745eef6d0c4cd2779287d91514e4c672e30ce6d3a1c262d4b1c45b69bd209',
		},
		authentication: hmac({
			signatureHeaders: ['X-Contentful-Signature'],
			signedContent: [
				'{method}',
				'{path}',
				[
					'content-type:{header.content-type}',
					'x-contentful-signed-headers:{header.x-contentful-signed-headers}',
					'x-contentful-timestamp:{header.x-contentful-timestamp}',
					'x-contentful-topic:{header.x-contentful-topic}',
				].join(';'),
				'{body}',
			].join('\n'),
			timestampHeader: 'X-Contentful-Timestamp',
		}),
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
