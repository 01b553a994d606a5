import ipaddr from 'ipaddr.js';
import { readWebhookSettings } from '../../../../../nodes/VisitorService/operations/webhookSettings';
import {
	isAllowedAddress,
	unreadableEntries,
} from '../../../../../nodes/VisitorService/webhook/allowlist';
import fc from '../../../../properties';

/** The entries of what is typed into IP Allowlist. */
const typed = (list: string) =>
	readWebhookSettings(
		(name, missing) => (name === 'options' ? { ipAllowlist: list } : missing),
		'utc',
	).ipAllowlist;

describe('isAllowedAddress', () => {
	it('allows everybody without a list', () => {
		expect(isAllowedAddress([], '192.0.2.1')).toBe(true);
		expect(isAllowedAddress(typed('  '), undefined)).toBe(true);
	});

	it.each([
		['192.0.2.10', '192.0.2.10', true],
		['192.0.2.10', '192.0.2.11', false],
		['192.0.2.0/24', '192.0.2.255', true],
		['192.0.2.7/24', '192.0.2.255', true],
		['192.0.2.7/32', '192.0.2.7', true],
		['192.0.2.0/24', '192.0.3.0', false],
		['0.0.0.0/0', '203.0.113.9', true],
		['0.0.0.0/0', '2001:db8::1', false],
		['192.0.2.10', '::ffff:192.0.2.10', true],
		['192.0.2.10', '::ffff:c000:20a', true],
		['::ffff:192.0.2.10', '192.0.2.10', true],
		['::ffff:192.0.2.0/120', '192.0.2.99', true],
		['::ffff:192.0.2.0/120', '192.0.3.99', false],
		['2001:db8::/32', '2001:db8:ffff::1', true],
		['2001:DB8::/32', '2001:db8:0:0:0:0:0:1', true],
		['2001:db8::/32', '2001:db9::1', false],
		['::1', '0:0:0:0:0:0:0:1', true],
		['::/0', '2001:db8::1', true],
		['::/0', '192.0.2.1', false],
		['::/64', '::ffff:192.0.2.1', false],
		['fe80::/10', 'fe80::1%eth0', true],
		[' 192.0.2.1 , 198.51.100.0/24,,2001:db8::1 ', '198.51.100.77', true],
		['192.0.2.1\n', '192.0.2.1', true],
		['192.0.2.1', '192.0.2.1:4711', true],
		['192.0.2.1', '192.0.2.2:4711', false],
		['2001:db8::1', '[2001:db8::1]:4711', true],
		['2001:db8::1', '[2001:db8::2]:4711', false],
		['2001:db8::1:4711', '2001:db8::1:4711', true],
		['2001:db8::1', '2001:db8::1:4711', false],
		['192.0.2.1', '[::ffff:192.0.2.1]:4711', true],
	])('tells whether the allowlist %j allows %s: %s', (list, address, expected) => {
		expect(isAllowedAddress(typed(list), address)).toBe(expected);
	});

	it.each([
		undefined,
		'',
		'localhost',
		'unknown',
		'192.0.2',
		'192.0.2.1.1',
		'0300.0.2.1',
		'192.0.2.256',
		'192.0.2.1:',
		'192.0.2.1:http',
		'192.0.2.1:443:443',
		'192.0.2.1:123456',
		'192.0.2.256:443',
		'[192.0.2.1]:443',
		'[::1]',
		'[::1]:',
		'[::1]443',
		'[::g]:443',
		'[[::1]]:443',
		'[]:443',
		':443',
		':::',
		'1::2::3',
		'12345::',
		'::g',
		'1:2:3:4:5:6:7',
		'1:2:3:4:5:6:7:8:9',
		'1:2:3:4:5:6:7::8',
		'192.0.2.1::',
		'::192.0.2.1.',
		' ',
	])('does not allow the address %j, whatever the list', (address) => {
		expect(isAllowedAddress(['0.0.0.0/0', '::/0'], address)).toBe(false);
	});

	it.each([
		'x',
		'192.0.2.0/33',
		'192.0.2.0/24x',
		'192.0.2.0/-1',
		'192.0.2.0/',
		'192.0.2.0/24/8',
		'::/129',
		'192.0.2.*',
		'192.0.2.1:443',
		'[::1]:443',
		'/8',
		',',
	])('allows nobody for the entry %j', (entry) => {
		expect(isAllowedAddress(typed(entry), '192.0.2.1')).toBe(false);
		expect(isAllowedAddress(typed(entry), '::1')).toBe(false);
		expect(isAllowedAddress(typed(`${entry}, 192.0.2.1`), '192.0.2.1')).toBe(true);
	});
});

describe('unreadableEntries', () => {
	it('names the entries that are neither an address nor a range', () => {
		expect(unreadableEntries(['192.0.2.1', 'x', '::/0', '10.0.0.0/33'])).toEqual([
			'x',
			'10.0.0.0/33',
		]);
		expect(unreadableEntries([])).toEqual([]);
	});
});

describe('beside ipaddr.js', () => {
	const octets = fc.uint8Array({ minLength: 4, maxLength: 4 });
	const v4 = octets.map((bytes) => [...bytes].join('.'));
	const groups = fc.array(fc.constantFrom(0, 0, 0xffff, 1, 0xabcd), { minLength: 8, maxLength: 8 });
	const v6 = groups.chain((parts) => {
		const full = parts.map((part) => part.toString(16)).join(':');
		const parsed = ipaddr.IPv6.parse(full);
		return fc.constantFrom(
			full,
			full.toUpperCase(),
			parsed.toString(),
			parsed.toNormalizedString(),
			parsed.toRFC5952String(),
		);
	});
	const mapped = fc.oneof(
		v4.map((text) => `::ffff:${text}`),
		v4.map((text) => ipaddr.IPv4.parse(text).toIPv4MappedAddress().toString()),
	);
	const address = fc.oneof(v4, v6, mapped);

	it('every entry and address is judged alike', () => {
		fc.assert(
			fc.property(
				address,
				address,
				fc.nat(128),
				fc.nat(128),
				fc.boolean(),
				(base, other, length, change, near) => {
					const range = ipaddr.parse(base);
					const bits = range.kind() === 'ipv4' ? 32 : 128;
					const prefix = length % (bits + 1);
					// Addresses at random share no prefix; one that differs in one bit is where mistakes
					// would be.
					const candidate = near ? flipBit(base, change % bits) : other;
					const expected = matches(candidate, base, prefix);
					expect(isAllowedAddress([`${base}/${prefix}`], candidate)).toBe(expected);
					expect(isAllowedAddress([base], candidate)).toBe(matches(candidate, base, bits));
				},
			),
			{ numRuns: 5000 },
		);
	});

	it('whatever is typed, nothing is read that ipaddr.js refuses', () => {
		const texts = fc.oneof(
			fc.stringMatching(/^[0-9a-f:.]{1,20}$/),
			address.chain((text) =>
				fc.nat(text.length).map((at) => text.slice(0, at) + text.slice(at + 1)),
			),
			address.chain((text) =>
				fc.nat(text.length).map((at) => `${text.slice(0, at)}:${text.slice(at)}`),
			),
		);
		fc.assert(
			fc.property(texts, (text) => {
				const readable = unreadableEntries([text]).length === 0;
				if (readable) expect(ipaddr.isValid(text)).toBe(true);
				// ipaddr.js also reads octal, hexadecimal and short forms of IPv4, which are refused here
				// on purpose.
				else if (text.includes(':'))
					expect(ipaddr.isValid(text) && !/\.0\d+$|(?:^|[.:])0\d+\./.test(text)).toBe(false);
			}),
			{ numRuns: 5000 },
		);
	});

	/** What the rules of the allowlist are, in terms of ipaddr.js. */
	function matches(candidate: string, base: string, prefix: number): boolean {
		const address = ipaddr.process(candidate);
		const written = ipaddr.parse(base);
		const isMapped =
			written instanceof ipaddr.IPv6 && written.isIPv4MappedAddress() && prefix >= 96;
		const range = isMapped ? written.toIPv4Address() : written;
		const length = isMapped ? prefix - 96 : prefix;
		if (address instanceof ipaddr.IPv4)
			return range instanceof ipaddr.IPv4 && address.match(range, length);
		return range instanceof ipaddr.IPv6 && address.match(range, length);
	}

	function flipBit(text: string, bit: number): string {
		const bytes = ipaddr.parse(text).toByteArray();
		const index = Math.floor(bit / 8);
		bytes[index] = (bytes[index] ?? 0) ^ (0x80 >> (bit % 8));
		return ipaddr.fromByteArray(bytes).toString();
	}
});
