import { type Request, sign, signed, Trigger } from './trigger';

// What holds for every parameter of every node is in unit/…/operations/parameters.test.ts.

const body = '{"event":"visit.created"}';
const custom = (more: object) => ({ signatureFormat: 'custom', ...more });
const byId = (more: object) => custom({ signedContent: '{id}.{body}', ...more });
const sent = (headers: Request['headers']): Request => ({ body, headers });
const signedId = sign(`e-1.${body}`);

describe('settings', () => {
	it.each<[string, object, Request]>([
		['Header, and what it hides', { algorithm: 'sha1', signaturePrefix: 'v1=' }, signed(body)],
		[
			'GitHub, and what it hides',
			{ signatureFormat: 'github', algorithm: 'sha1', signatureHeader: 'X-Sig' },
			sent({ 'x-hub-signature-256': `sha256=${sign(body)}` }),
		],
		[
			'Custom',
			custom({ signaturePrefix: 'v1=', signatureHeader: 'X-Sig' }),
			sent({ 'x-sig': `v1=${sign(body)}` }),
		],
		['several headers', { signatureHeader: ' X-A, ,X-B ,' }, sent({ 'x-b': sign(body) })],
		['a list of headers', { signatureHeader: ['X-A'] }, sent({ 'x-a': sign(body) })],
		[
			'ID Header under Options for {id}',
			byId({ options: { idHeader: 'X-B' } }),
			sent({ 'x-b': 'e-1', 'x-signature': signedId }),
		],
		[
			'Signed ID Header before it',
			byId({ idHeader: 'X-A', options: { idHeader: 'X-B' } }),
			sent({ 'x-a': 'e-1', 'x-b': 'e-2', 'x-signature': signedId }),
		],
		[
			'an IP Allowlist',
			{ options: { ipAllowlist: ' 198.51.100.0/24 , 192.0.2.10,,::1\n' } },
			signed(body),
		],
		['a list of IP addresses', { options: { ipAllowlist: ['192.0.2.10'] } }, signed(body)],
		['nothing but spaces', { events: ' ', options: { ipAllowlist: '  ' } }, signed(body)],
	])('let in what fits them: %s', async (_, parameters, request) => {
		expect((await new Trigger(parameters).deliver(request)).items).toHaveLength(1);
	});

	it('take an ID from ID Path alone if that is set, and a header is signed', async () => {
		const trigger = new Trigger(byId({ idHeader: 'X-A', options: { idPath: 'id' } }));
		const { items } = await trigger.deliver(sent({ 'x-a': 'e-1', 'x-signature': signedId }));
		expect(items).toMatchObject([{ id: null }]);
	});

	it.each([
		...['={{ undefined }}', '={{ null }}', '={{ $json.no.such.thing }}', '={{ {} }}'],
		...[[], ['', ' '], ',', ' , ,'].map((value) => [value]),
	])('let nothing in if they are not empty and have no entry: %j', async (value) => {
		for (const parameters of [{ events: value }, { options: { ipAllowlist: value } }])
			expect((await new Trigger(parameters).deliver(signed(body))).items).toEqual([]);
	});

	it.each([
		{ signatureFormat: 'x' },
		{ authentication: 'None' },
		{ authentication: 0 },
		{ authentication: [] },
		custom({ secretEncoding: 'Text' }),
		...[
			{ eventPath: ['a'] },
			{ tolerance: 0.5 },
			{ tolerance: 'x' },
			{ ignoreRepeats: 'maybe' },
			{ verificationRequests: 'yes' },
			{ ipAllowlist: false },
		].map((options) => ({ options })),
	])('put everything off with 503 if they cannot be meant: %j', async (parameters) => {
		const trigger = new Trigger(parameters);
		expect((await trigger.deliver(signed(body))).statusCode).toBe(503);
		expect(trigger.log).toEqual([expect.stringMatching(/could not be handled: .* must be /)]);
	});
});
