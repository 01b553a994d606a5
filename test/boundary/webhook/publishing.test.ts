import { SECRET, Trigger } from './trigger';

const custom = (more: object) => ({ signatureFormat: 'custom', ...more });
const match = (...conditions: object[]) => ({ match: { conditions } });
const named = (options: object) => ({ options });
const publish = (parameters = {}, credential: object | null = { webhookSecret: SECRET }) =>
	new Trigger(parameters, (credential ?? {}) as never).publish();

describe('publishing', () => {
	it('has nothing to warn of by default', async () => {
		expect(await publish()).toEqual([]);
		expect(await publish({ authentication: 'none' }, null)).toEqual([]);
		expect(await publish({}, { previousWebhookSecret: SECRET })).toEqual([]);
	});

	it.each(['header', 'hmac', 'standardWebhooks'])(
		'fails without a secret and says what to set: %s',
		async (authentication) => {
			for (const credential of [null, { webhookSecret: ' ' }]) {
				await expect(publish({ authentication }, credential)).rejects.toThrow(
					/^No Webhook Secret is set.*Set Webhook Secret in the Visitor Service API credential/,
				);
			}
		},
	);

	it.each<[object, RegExp]>([
		[named({ ipAllowlist: '192.0.2.0/33' }), /^The IP allowlist has the entry "192.0.2.0\/33"/],
		[named({ eventHeader: 'a b' }), /^Event Header must be the name of a header/],
		[named({ idHeader: 'Cookie' }), /^ID Header is "Cookie", a header with a secret/],
		[named({ eventHeader: 'x-signature' }), /^Event Header is "x-signature", a header with/],
		[match({ field: 'a', condition: 'equals', value: '' }), /^The condition on "a" has no value/],
		[
			match({ field: '', condition: 'isEmpty' }),
			/^A condition in Conditions has no Field\. Choose a field/,
		],
		[{ authentication: 'header', headerName: 'a b' }, /^Header Name must be the name of/],
		[{ authentication: 'header', headerName: ' ' }, /^No header is named in which/],
		[{ signatureHeader: ' ' }, /^No header is named in which/],
		[{ signatureHeader: 'X-A, a b' }, /^Signature Header must be the name of a header/],
		[custom({ signedContent: '{timestamp}' }), /does not hold \{body\} or its hash/],
		[custom({ signedContent: '{nonce}.{body}' }), /^Signed Content holds \{nonce\}/],
		[custom({ signedContent: '{{body}}' }), /^Signed Content holds \{, which/],
		[custom({ signedContent: '{timestamp}\\n{body}' }), /holds \\n, .*=\{\{ "\{tim/],
		[
			custom({ signedContent: '{id}.{body}' }),
			/^Signed Content does not fit the headers: \{id\} needs a Signed ID/,
		],
		[custom({ signedContent: '{url}{id}{body}' }), /two placeholders without text/],
		[custom({ timestampHeader: 'X-Time' }), /^Signed Content does not fit .* Timestamp Header/],
		[
			custom({ timestampHeader: 'a:b', signedContent: '{timestamp}{body}' }),
			/^Timestamp Header must be the name of a header/,
		],
		[custom({ secretEncoding: 'hex' }), /is not written as the settings say\. Set Secret Encoding/],
		[custom({ algorithm: 'ed25519', secretEncoding: 'hex' }), /Ed25519 a public key of 32 bytes/],
		[
			{ authentication: 'standardWebhooks' },
			/Standard Webhooks needs the whole value that starts with whsec_/,
		],
	])('fails with settings that would keep everybody out: %j', async (parameters, expected) => {
		await expect(publish(parameters, { webhookSecret: 'synthetic_secret é' })).rejects.toThrow(
			expected,
		);
	});

	it.each<[unknown, object, RegExp]>([
		[['abc'], {}, /^Webhook Secret must be text/],
		['abc\n', {}, /^The Webhook Secret has a space at an end/],
		['abc\u200b', { authentication: 'header' }, /^The Webhook Secret has a space at an end/],
		['a\nb', { authentication: 'header' }, /not visible/],
		['whpk_AAAA', {}, /^The Webhook Secret begins with "whpk_AAAA", which anybody/],
		['-----BEGIN PUBLIC KEY-----', {}, /^The Webhook Secret begins with "-----BEGIN"/],
	])('fails with the secret %j', async (webhookSecret, parameters, expected) => {
		await expect(publish(parameters, { webhookSecret })).rejects.toThrow(expected);
	});

	// RFC 8032 section 5.1: the points of order 1, 2, 4 and 8, with either sign, and y of p or more.
	const ORDER_8 = [
		'26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
		'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
	];
	const end = (last: string) => `${'ff'.repeat(30)}${last}`;
	const small = ['00'.repeat(32), `01${'00'.repeat(31)}`, `ec${end('7f')}`, ...ORDER_8];
	const notCanonical = ['ed', 'ee', 'f0', 'ff'].map((first) => first + end('7f'));
	const withSign = [...small, ...notCanonical].map((key) => {
		return key.slice(0, -2) + (Number.parseInt(key.slice(-2), 16) | 0x80).toString(16);
	});
	it.each([...small, ...notCanonical, ...withSign])(
		'fails with a public key with which anybody could sign: %s',
		async (hex) => {
			const ed25519 = custom({ algorithm: 'ed25519', secretEncoding: 'hex' });
			const expected = /^The Webhook Secret is a public key with which anybody could sign\./;
			await expect(publish(ed25519, { webhookSecret: hex })).rejects.toThrow(expected);
			const standard = { authentication: 'standardWebhooks' };
			const webhookSecret = `whpk_${Buffer.from(hex, 'hex').toString('base64')}`;
			await expect(publish(standard, { webhookSecret })).rejects.toThrow(expected);
			const { statusCode } = await new Trigger(ed25519, { webhookSecret: hex }).deliver({
				body: '{}',
				headers: { 'x-signature': `${hex}${'00'.repeat(32)}` },
			});
			expect(statusCode).toBe(401);
		},
	);

	it.each<[object, RegExp]>([
		[named({ eventHeader: 'X-Event' }), /^warn: Event Header is "X-Event", which is not signed/],
		[named({ idHeader: 'X-Id' }), /^warn: ID Header is "X-Id", which is not signed.*ID Path/],
	])('warns of %j', async (parameters, expected) => {
		expect(await publish(parameters)).toEqual([expect.stringMatching(expected)]);
	});

	it('does not warn of what is signed or named', async () => {
		expect(await publish(named({ ignoreRepeats: true, idPath: 'id' }))).toEqual([]);
		const signsId = { signedContent: '{header.x-id}\n{body}' };
		expect(await publish(custom({ ...signsId, options: { idHeader: 'X-Id' } }))).toEqual([]);
	});

	it('warns of a secret whose bytes are few, however long it is as text', async () => {
		const webhookSecret = `whsec_${Buffer.from('fifteen-letters').toString('base64')}`;
		expect(await publish({ authentication: 'standardWebhooks' }, { webhookSecret })).toEqual([
			expect.stringMatching(/^warn: The Webhook Secret has fewer than 16 bytes/),
		]);
	});

	it('warns of a second secret that matches nothing', async () => {
		const credential = { webhookSecret: SECRET, previousWebhookSecret: ' abc' };
		expect(await publish({}, credential)).toEqual([
			expect.stringMatching(/^warn: The Previous Webhook Secret has a space/),
		]);
	});
});
