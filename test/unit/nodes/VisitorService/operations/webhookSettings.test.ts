import { readWebhookSettings } from '../../../../../nodes/VisitorService/operations/webhookSettings';
import {
	isAllowedAddress,
	unreadableEntries,
} from '../../../../../nodes/VisitorService/webhook/allowlist';
import { parseTemplate } from '../../../../../nodes/VisitorService/webhook/template';

// What holds for every parameter of every node is in parameters.test.ts.

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

it('the format that is chosen is read, and nothing the editor hides with it', () => {
	const hidden = { algorithm: 'sha1', signaturePrefix: 'v1=', signatureHeader: 'X-Sig' };
	const inFormat = (signatureFormat: string) => read({ signatureFormat, ...hidden }).authentication;
	expect(inFormat('header')).toEqual({ ...read({}).authentication, signatureHeaders: ['X-Sig'] });
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
	['authentication', 'None'],
	['authentication', 0],
	['authentication', []],
	['secretEncoding', 'Text'],
	['options.eventPath', ['a']],
	['options.tolerance', 0.5],
	['options.tolerance', 'x'],
	['options.ignoreRepeats', 'maybe'],
	['options.verificationRequests', true],
	['options.ipAllowlist', false],
])('%s = %j, which only an expression can return, is taken for nothing else', (name, value) => {
	expect(() => read({ signatureFormat: 'custom', [name]: value })).toThrow(/ must be /);
});

it.each([[['a']], 'ipAllowlist', 7, true])(
	'Options that are %j are refused, because all of them would be left out silently',
	(options) => {
		expect(() => read({ options })).toThrow('Options must be an object.');
	},
);

it.each([
	['', []],
	['  ', []],
	[' 192.0.2.1 , 198.51.100.0/24,,::1\n', ['192.0.2.1', '198.51.100.0/24', '::1']],
	[
		['a', 'b'],
		['a', 'b'],
	],
])('the entries of the allowlist %j are %j', (value, entries) => {
	expect(read({ 'options.ipAllowlist': value }).ipAllowlist).toEqual(entries);
});

it.each([undefined, null, [], ['', ' '], ',', ' , ,'])(
	'what is set to %j has no entry and is not empty, so nothing matches',
	(value) => {
		const { ipAllowlist } = read({ 'options.ipAllowlist': value });
		expect(isAllowedAddress(ipAllowlist, '192.0.2.1')).toBe(false);
		expect(unreadableEntries(ipAllowlist)).toHaveLength(1);
		if (value !== undefined) expect(read({ events: value }).events).toHaveLength(1);
	},
);

it.each([
	[{ 'options.idHeader': 'X-B' }, 'X-B'],
	[{ idHeader: 'X-A', 'options.idHeader': 'X-B' }, 'X-A'],
])('{id} is read from its own header, else from ID Header under Options: %j', (set, name) => {
	const signedContent = '{id}.{body}';
	expect(read({ signatureFormat: 'custom', signedContent, ...set })).toMatchObject({
		authentication: { signedContent: parseTemplate(signedContent, name) },
		sources: { idHeader: 'X-B' },
	});
});

it.each([
	['', []],
	[' , ,', []],
	[' a , b-c ,', ['a', 'b-c']],
	[['a'], ['a']],
])('Signature Header may hold several names: %j', (signatureHeader, signatureHeaders) => {
	expect(read({ signatureHeader }).authentication).toMatchObject({ signatureHeaders });
});
