import {
	isAllowedAddress,
	unreadableEntries,
} from '../../../../../nodes/VisitorService/webhook/ipAllowlist';
import { readSettings, splitList } from '../../../../../nodes/VisitorService/webhook/settings';

function read(values: Record<string, unknown>) {
	return readSettings((name, missing) => (name in values ? values[name] : missing));
}

describe('readSettings', () => {
	it('has the defaults of the contract', () => {
		expect(read({})).toEqual({
			authentication: {
				kind: 'hmac',
				signatureHeader: 'X-Signature',
				signaturePrefix: '',
				algorithm: 'sha256',
				encoding: 'hex',
				signedContent: '{body}',
				timestampHeader: '',
				idHeader: '',
				tolerance: 300,
			},
			events: [],
			paths: { event: '', id: '', items: '' },
			ipAllowlist: '',
			ignoreRepeats: false,
		});
		expect(read({ authentication: 'header' }).authentication).toEqual({
			kind: 'header',
			headerName: 'X-Webhook-Token',
		});
	});

	it('reads what is set', () => {
		expect(
			read({
				authentication: 'standardWebhooks',
				events: ' a, b ,,',
				'options.eventPath': ' x.y ',
				'options.tolerance': 60,
				'options.ignoreRepeats': true,
				'options.ipAllowlist': '192.0.2.1',
			}),
		).toMatchObject({
			authentication: { kind: 'standardWebhooks', tolerance: 60 },
			events: ['a', 'b'],
			paths: { event: 'x.y' },
			ipAllowlist: '192.0.2.1',
			ignoreRepeats: true,
		});
	});

	it.each([undefined, null, '', 'nonsense', 0, {}, [], 'None', 'none '])(
		'takes the authentication %j for hmac, never for none',
		(authentication) => {
			expect(read({ authentication }).authentication.kind).toBe('hmac');
		},
	);

	it.each([
		[60, 60],
		['60', 60],
		[0.5, 300],
		[0, 300],
		[-1, 300],
		['', 300],
		['x', 300],
		[NaN, 300],
		[null, 300],
		[{}, 300],
	])('takes the tolerance %j for %d', (value, tolerance) => {
		expect(read({ 'options.tolerance': value }).authentication).toMatchObject({ tolerance });
	});

	it('takes lists for what they would be as text', () => {
		expect(
			read({ events: ['a', 'b'], 'options.ipAllowlist': ['192.0.2.1', '192.0.2.2'] }),
		).toMatchObject({ events: ['a', 'b'], ipAllowlist: '192.0.2.1, 192.0.2.2' });
	});

	it.each([undefined, null, {}, false, 7, [{}]])(
		'takes the allowlist %j, which only an expression can give, for one that allows nobody',
		(value) => {
			const { ipAllowlist } = read({ 'options.ipAllowlist': value });
			expect(isAllowedAddress(ipAllowlist, '192.0.2.1')).toBe(false);
			expect(unreadableEntries(ipAllowlist)).toHaveLength(1);
		},
	);

	it('takes an empty header name for an empty one, so that activation finds it', () => {
		expect(read({ authentication: 'header', headerName: '' }).authentication).toEqual({
			kind: 'header',
			headerName: '',
		});
	});
});

describe('splitList', () => {
	it.each([
		['', []],
		[' , ,', []],
		['a', ['a']],
		[' a , b c ,', ['a', 'b c']],
	])('%j', (list, expected) => {
		expect(splitList(list)).toEqual(expected);
	});
});
