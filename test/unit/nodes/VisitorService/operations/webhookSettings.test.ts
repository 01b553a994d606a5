import { webhookParameters } from '../../../../../nodes/VisitorService/descriptions/webhookParameters';
import { readWebhookSettings } from '../../../../../nodes/VisitorService/operations/webhookSettings';
import {
	isAllowedAddress,
	unreadableEntries,
} from '../../../../../nodes/VisitorService/webhook/allowlist';
import {
	ALGORITHMS,
	AUTHENTICATIONS,
	ENCODINGS,
	SECRET_ENCODINGS,
	SIGNATURE_FORMATS,
} from '../../../../../nodes/VisitorService/webhook/authentication';
import { parseTemplate } from '../../../../../nodes/VisitorService/webhook/template';

/** @param values of parameters by their names, and of options by names such as `options.idPath` */
function read(values: Record<string, unknown>) {
	const given = Object.entries(values).filter(([name]) => name.startsWith('options.'));
	const options = Object.fromEntries(
		given.map(([name, value]) => [name.slice('options.'.length), value]),
	);
	const parameters: Record<string, unknown> = { options, ...values };
	return readWebhookSettings(
		(name, missing) => (name in parameters ? parameters[name] : missing),
		'Etc/UTC',
	);
}

describe('readWebhookSettings', () => {
	it('has the defaults of the contract', () => {
		expect(read({})).toEqual({
			authentication: {
				kind: 'hmac',
				signatureHeaders: ['X-Signature'],
				signaturePrefix: '',
				algorithm: 'sha256',
				encoding: 'hex',
				secretEncoding: 'text',
				signedContent: parseTemplate('{body}'),
				timestampHeader: '',
				tolerance: 300,
			},
			events: [],
			sources: { eventPath: '', eventHeader: '', idPath: '', idHeader: '', itemsPath: '' },
			ipAllowlist: [],
			ignoreRepeats: false,
			answersVerificationRequests: false,
			match: { type: 'all', conditions: [] },
			zone: 'Etc/UTC',
		});
		expect(read({ authentication: 'header' }).authentication).toEqual({
			kind: 'header',
			headerName: 'X-Webhook-Token',
		});
	});

	it.each<[string, readonly string[]]>([
		['authentication', AUTHENTICATIONS],
		['signatureFormat', SIGNATURE_FORMATS],
		['algorithm', ALGORITHMS],
		['encoding', ENCODINGS],
		['secretEncoding', SECRET_ENCODINGS],
	])('reads all that the editor offers and nothing else, with one default: %s', (name, choices) => {
		const parameter = webhookParameters.find((one) => one.name === name);
		const offered = parameter?.options?.map((option) => 'value' in option && option.value);
		expect(offered?.sort()).toEqual([...choices].sort());
		expect(parameter?.default).toBe(choices[0]);
	});

	it('reads the format that is chosen, and nothing the editor hides with it', () => {
		const hidden = { algorithm: 'sha1', signaturePrefix: 'v1=', signatureHeader: 'X-Sig' };
		const inFormat = (signatureFormat: string) =>
			read({ signatureFormat, ...hidden }).authentication;
		expect(inFormat('header')).toEqual({
			...read({}).authentication,
			signatureHeaders: ['X-Sig'],
		});
		expect(inFormat('github')).toMatchObject({
			signatureHeaders: ['X-Hub-Signature-256'],
			signaturePrefix: 'sha256=',
			algorithm: 'sha256',
		});
		expect(inFormat('stripe')).toMatchObject({ signedContent: { text: '{timestamp}.{body}' } });
		expect(inFormat('slack')).toMatchObject({ timestampHeader: 'X-Slack-Request-Timestamp' });
		expect(inFormat('custom')).toMatchObject({ algorithm: 'sha1', signaturePrefix: 'v1=' });
	});

	it.each([
		['authentication', 'nonsense'],
		['authentication', 'None'],
		['authentication', 0],
		['authentication', []],
		['algorithm', 'md5'],
		['encoding', {}],
		['secretEncoding', 'Text'],
		['signedContent', { a: 1 }],
		['events', {}],
		['options.eventPath', ['a']],
		['options.tolerance', 0.5],
		['options.tolerance', 'x'],
		['options.tolerance', {}],
		['options.ignoreRepeats', 'maybe'],
		['options.verificationRequests', true],
		['options.ipAllowlist', {}],
		['options.ipAllowlist', false],
	])('takes %s = %j, which only an expression can return, for nothing else', (name, value) => {
		expect(() => read({ signatureFormat: 'custom', [name]: value })).toThrow(/ must be /);
	});

	it.each([[['a']], 'ipAllowlist', 7, true])(
		'refuses Options that are %j, because all of them would be left out silently',
		(options) => {
			expect(() => read({ options })).toThrow('Options must be an object.');
		},
	);

	it.each(['', '  '])('takes the allowlist %j for one that allows everybody', (value) => {
		expect(read({ 'options.ipAllowlist': value }).ipAllowlist).toEqual([]);
	});

	it.each([undefined, null, [], ['', ' '], ',', ' , ,'])(
		'takes the allowlist %j, which has no entry and is not empty, for one that allows nobody',
		(value) => {
			const { ipAllowlist } = read({ 'options.ipAllowlist': value });
			expect(isAllowedAddress(ipAllowlist, '192.0.2.1')).toBe(false);
			expect(unreadableEntries(ipAllowlist)).toHaveLength(1);
		},
	);

	it.each([null, [], ['', ' '], ',', ' , ,'])(
		'takes Events of %j, which name none and are not empty, for ones that nothing matches',
		(events) => {
			expect(read({ events }).events).toHaveLength(1);
		},
	);

	it.each([
		[{ 'options.idHeader': 'X-B' }, 'X-B'],
		[{ idHeader: 'X-A', 'options.idHeader': 'X-B' }, 'X-A'],
	])(
		'reads the ID of {id} from its own header, else from ID Header under Options: %j',
		(set, name) => {
			const signedContent = '{id}.{body}';
			expect(read({ signatureFormat: 'custom', signedContent, ...set })).toMatchObject({
				authentication: { signedContent: parseTemplate(signedContent, name) },
				sources: { idHeader: 'X-B' },
			});
		},
	);
});

describe('Signature Header', () => {
	it.each([
		['', []],
		[' , ,', []],
		['a', ['a']],
		[' a , b-c ,', ['a', 'b-c']],
		[
			['a', 'b-c'],
			['a', 'b-c'],
		],
	])('has several names with commas between them: %j', (signatureHeader, signatureHeaders) => {
		expect(read({ signatureHeader }).authentication).toMatchObject({ signatureHeaders });
	});
});
