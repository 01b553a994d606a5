import { VisitorServiceTrigger } from '../../nodes/VisitorService/VisitorServiceTrigger.node';
import { hookContext, type WebhookTest } from './harness/webhookContext';
import { trigger } from './webhookTrigger';

describe('activation', () => {
	const { default: hooks } = new VisitorServiceTrigger().webhookMethods;
	const create = async (test: WebhookTest) => {
		const { context } = hookContext(test);
		const warn = jest.spyOn(context.logger, 'warn').mockReturnValue(undefined);
		const created = await hooks.create.call(context);
		return { created, warnings: warn.mock.calls.map(([message]) => message) };
	};
	afterEach(() => jest.restoreAllMocks());

	it('succeeds with a secret, and has nothing to warn of', async () => {
		expect(await create(trigger())).toEqual({ created: true, warnings: [] });
	});

	it.each([
		['no credential', null],
		['no secret', {}],
		['a blank secret', { webhookSecret: ' ' }],
	])('fails with %s and says what to set', async (_, credential) => {
		for (const authentication of ['header', 'hmac', 'standardWebhooks']) {
			await expect(create(trigger({ authentication }, credential))).rejects.toThrow(
				/^No Webhook Secret is set.*Set Webhook Secret in the Visitor Service API credential/,
			);
		}
	});

	it('needs neither without authentication', async () => {
		expect(await create(trigger({ authentication: 'none' }, null))).toEqual({
			created: true,
			warnings: [],
		});
	});

	it('fails with settings that would keep everybody out', async () => {
		await expect(create(trigger({ signedContent: '{timestamp}' }))).rejects.toThrow(
			/Signed Content/,
		);
		await expect(create(trigger({ options: { ipAllowlist: '192.0.2.0/33' } }))).rejects.toThrow(
			/"192\.0\.2\.0\/33"/,
		);
	});

	it('warns of an address only this machine can reach, and goes on', async () => {
		const overrides = { webhookBaseUrl: 'http://localhost:5678/webhook' };
		const { created, warnings } = await create({ ...trigger(), overrides });
		expect(created).toBe(true);
		expect(warnings).toEqual([
			expect.stringMatching(/this machine only\. Set the environment variable N8N_WEBHOOK_URL/),
		]);
	});

	it('warns of a tolerance in milliseconds, and goes on', async () => {
		const timed = { signedContent: '{timestamp}{body}', options: { tolerance: 300_000 } };
		expect(await create(trigger(timed))).toEqual({
			created: true,
			warnings: [expect.stringMatching(/^Timestamp Tolerance is more than a day/)],
		});
	});

	it('checks the settings anew at each activation, and leaves nothing to remove', async () => {
		expect(await hooks.checkExists()).toBe(false);
		expect(await hooks.delete()).toBe(true);
	});
});

describe('the description', () => {
	const { description } = new VisitorServiceTrigger();

	it('has one version, and not the one for which n8n works more', () => {
		expect(description.version).toBe(1.1);
	});

	it('has the parameters and defaults of the contract', () => {
		const defaults = Object.fromEntries(
			description.properties
				.filter(({ type }) => type !== 'notice')
				.map(({ name, default: value }) => [name, value]),
		);
		expect(defaults).toEqual({
			authentication: 'hmac',
			headerName: 'X-Webhook-Token',
			signatureHeader: 'X-Signature',
			signaturePrefix: '',
			algorithm: 'sha256',
			encoding: 'hex',
			secretEncoding: 'text',
			signedContent: '{body}',
			timestampHeader: '',
			idHeader: '',
			events: '',
			options: {},
		});
		const options = description.properties.find(({ name }) => name === 'options')?.options ?? [];
		expect(
			Object.fromEntries(
				options.map((option) => [option.name, 'default' in option && option.default]),
			),
		).toEqual({
			eventHeader: '',
			eventPath: '',
			idHeader: '',
			idPath: '',
			itemsPath: '',
			tolerance: 300,
			verificationRequests: 'off',
			ignoreRepeats: false,
			ipAllowlist: '',
			responseCode: 200,
		});
	});

	it('shows the credential wherever one is needed, and one warning where none is', () => {
		expect(description.credentials?.[0]).toMatchObject({
			required: true,
			displayOptions: { show: { authentication: ['header', 'hmac', 'standardWebhooks'] } },
		});
		const notices = description.properties.filter(({ type }) => type === 'notice');
		const forNone = JSON.stringify({ show: { authentication: ['none'] } });
		expect(
			notices.filter(({ displayOptions }) => JSON.stringify(displayOptions) === forNone),
		).toHaveLength(1);
		// A hint would say it a second time.
		expect(description.hints).toBeUndefined();
	});

	it('says what repeats cannot promise, and what does', () => {
		const options = description.properties.find(({ name }) => name === 'options')?.options ?? [];
		const ignoreRepeats = options.find(({ name }) => name === 'ignoreRepeats');
		expect(ignoreRepeats).toMatchObject({
			description: expect.stringMatching(/processes.*Remove Duplicates/) as string,
		});
	});
});
