import { createHmac } from 'node:crypto';
import { Signature } from '@hubspot/api-client';
import { validateSignature as validateLine } from '@line/bot-sdk';
import { sign as signGitHub } from '@octokit/webhooks-methods';
import { Paddle } from '@paddle/paddle-node-sdk';
import { encodeSignatureHeader } from '@sanity/webhook';
import bolt from '@slack/bolt';
import OpenAI from 'openai';
import Pusher from 'pusher';
import razorpay from 'razorpay';
import { WebhooksHelper } from 'square';
import * as standardWebhooks from 'standardwebhooks';
import Stripe from 'stripe';
import * as svix from 'svix';
import twilio from 'twilio';

const hmac = (secret, text, encoding = 'hex') =>
	createHmac('sha256', secret).update(text).digest(encoding);

/** As a sender of Standard Webhooks signs. */
function signStandard(prefix, Webhook, secret, body) {
	const now = new Date();
	return {
		[`${prefix}-id`]: 'msg_1',
		[`${prefix}-timestamp`]: String(Math.floor(now / 1_000)),
		[`${prefix}-signature`]: new Webhook(secret).sign('msg_1', now, body),
	};
}

/**
 * By the library of each sender. One that only verifies is given what its documents say, and must
 * accept it. `now` in seconds.
 */
const SENDERS = {
	svix: ({ secret, body }) => signStandard('svix', svix.Webhook, secret, body),
	standardwebhooks: ({ secret, body }) =>
		signStandard('webhook', standardWebhooks.Webhook, secret, body),
	openai: async ({ secret, body }) => {
		const headers = signStandard('webhook', standardWebhooks.Webhook, secret, body);
		await new OpenAI({ apiKey: 'none' }).webhooks.unwrap(body, headers, secret);
		return headers;
	},
	stripe: ({ secret, body: payload }) => ({
		'Stripe-Signature': Stripe.webhooks.generateTestHeaderString({ payload, secret }),
	}),
	'@octokit/webhooks-methods': async ({ secret, body }) => ({
		'X-Hub-Signature-256': await signGitHub(secret, body),
		'X-GitHub-Event': 'visit.created',
	}),
	'@slack/bolt': ({ secret: signingSecret, body, now }) => {
		const signature = `v0=${hmac(signingSecret, `v0:${now}:${body}`)}`;
		const headers = { 'x-slack-signature': signature, 'x-slack-request-timestamp': now };
		bolt.verifySlackRequest?.({ signingSecret, body, headers });
		return headers;
	},
	twilio: ({ secret, body, url }) => {
		const signed = `${url}?bodySHA256=${twilio.getExpectedBodyHash(body)}`;
		return { 'X-Twilio-Signature': twilio.getExpectedTwilioSignature(secret, signed, {}) };
	},
	'@hubspot/api-client': ({ secret: clientSecret, body: requestBody, url, now }) => {
		const options = { clientSecret, requestBody, url, timestamp: now * 1_000 };
		return {
			'X-HubSpot-Signature-v3': Signature.getSignature('POST', 'v3', options),
			'X-HubSpot-Request-Timestamp': options.timestamp,
		};
	},
	square: async ({ secret: signatureKey, body: requestBody, url: notificationUrl }) => {
		const signatureHeader = hmac(signatureKey, notificationUrl + requestBody, 'base64');
		const signed = { requestBody, signatureHeader, signatureKey, notificationUrl };
		require(await WebhooksHelper.verifySignature(signed));
		return { 'x-square-hmacsha256-signature': signatureHeader };
	},
	'@sanity/webhook': async ({ secret, body, now }) => ({
		'sanity-webhook-signature': await encodeSignatureHeader(body, now * 1_000, secret),
	}),
	'@paddle/paddle-node-sdk': async ({ secret, body, now }) => {
		const signature = `ts=${now};h1=${hmac(secret, `${now}:${body}`)}`;
		require(await new Paddle('none').webhooks.isSignatureValid(body, secret, signature));
		return { 'Paddle-Signature': signature };
	},
	razorpay: ({ secret, body }) => {
		const signature = hmac(secret, body);
		require(razorpay.validateWebhookSignature(body, signature, secret));
		return { 'X-Razorpay-Signature': signature };
	},
	pusher: ({ secret, body }) => {
		const headers = {
			'content-type': 'application/json',
			'x-pusher-key': 'stacks',
			'x-pusher-signature': new Pusher.Token('stacks', secret).sign(body),
		};
		const pusher = new Pusher({ appId: '1', key: 'stacks', secret, cluster: 'eu' });
		require(pusher.webhook({ headers, rawBody: body }).isValid());
		return headers;
	},
	'@line/bot-sdk': ({ secret, body }) => {
		const signature = hmac(secret, body, 'base64');
		require(validateLine(body, secret, signature));
		return { 'x-line-signature': signature };
	},
};

function require(isValid) {
	if (!isValid) throw new Error('The library of the sender does not accept the signature.');
}

/** @returns the headers of a delivery */
export async function sign({ sender, ...delivery }) {
	const now = Math.floor(Date.now() / 1_000);
	const headers = await SENDERS[sender]({ ...delivery, now });
	return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
