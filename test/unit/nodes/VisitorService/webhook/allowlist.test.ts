import ipaddr from 'ipaddr.js';
import {
	isAllowedAddress,
	unreadableEntries,
} from '../../../../../nodes/VisitorService/webhook/allowlist';
import fc from '../../../../properties';

it.each([
	['192.0.2.7/24', '192.0.2.255', true],
	['fe80::/10', 'fe80::1%eth0', true],
	['192.0.2.1', '192.0.2.1:4711', true],
	['192.0.2.1', '192.0.2.2:4711', false],
	['2001:db8::1', '[2001:db8::1]:4711', true],
	['2001:db8::1', '[2001:db8::2]:4711', false],
	['2001:db8::1:4711', '2001:db8::1:4711', true],
	['2001:db8::1', '2001:db8::1:4711', false],
	['192.0.2.1', '[::ffff:192.0.2.1]:4711', true],
])('the entry %j allows %s: %s', (entry, address, expected) => {
	expect(isAllowedAddress([entry], address)).toBe(expected);
});

it('without a list everybody is allowed, and with one any of its entries', () => {
	expect(isAllowedAddress([], undefined)).toBe(true);
	const list = ['192.0.2.1', '198.51.100.0/24', '2001:db8::1'];
	expect(isAllowedAddress(list, '198.51.100.77')).toBe(true);
});

it.each([
	...[undefined, '', ' ', 'localhost', 'unknown', '192.0.2', '192.0.2.1.1', '0300.0.2.1'],
	...['192.0.2.256', '192.0.2.1:', '192.0.2.1:http', '192.0.2.1:443:443', '192.0.2.1:123456'],
	...['192.0.2.256:443', '[192.0.2.1]:443', '[::1]', '[::1]:', '[::1]443', '[::g]:443', ':443'],
	...['[[::1]]:443', '[]:443', ':::', '1::2::3', '12345::', '::g', '1:2:3:4:5:6:7'],
	...['1:2:3:4:5:6:7:8:9', '1:2:3:4:5:6:7::8', '192.0.2.1::', '::192.0.2.1.'],
])('the address %j is not allowed, whatever the list', (address) => {
	expect(isAllowedAddress(['0.0.0.0/0', '::/0'], address)).toBe(false);
});

it.each([
	...['x', '192.0.2.0/33', '192.0.2.0/24x', '192.0.2.0/-1', '192.0.2.0/', '192.0.2.0/24/8'],
	...['::/129', '192.0.2.*', '192.0.2.1:443', '[::1]:443', '/8', ','],
])('the entry %j is unreadable and allows nobody', (entry) => {
	expect(isAllowedAddress([entry], '192.0.2.1')).toBe(false);
	expect(isAllowedAddress([entry], '::1')).toBe(false);
	expect(isAllowedAddress([entry, '192.0.2.1'], '192.0.2.1')).toBe(true);
	expect(unreadableEntries(['192.0.2.1', entry, '::/0'])).toEqual([entry]);
});

describe('beside ipaddr.js', () => {
	const octets = fc.uint8Array({ minLength: 4, maxLength: 4 });
	const v4 = octets.map((bytes) => [...bytes].join('.'));
	const groups = fc.array(fc.constantFrom(0, 0, 0xffff, 1, 0xabcd), { minLength: 8, maxLength: 8 });
	const v6 = groups.chain((parts) => {
		const full = parts.map((part) => part.toString(16)).join(':');
		const parsed = ipaddr.IPv6.parse(full);
		return fc.constantFrom(
			...[full, full.toUpperCase(), parsed.toString()],
			...[parsed.toNormalizedString(), parsed.toRFC5952String()],
		);
	});
	const mapped = fc.oneof(
		v4.map((text) => `::ffff:${text}`),
		v4.map((text) => ipaddr.IPv4.parse(text).toIPv4MappedAddress().toString()),
	);
	const address = fc.oneof(v4, v6, mapped);

	it('every entry and address is judged alike', () => {
		const property = fc.property(
			address,
			address,
			fc.nat(128),
			fc.nat(128),
			fc.boolean(),
			(base, other, length, change, near) => {
				const bits = ipaddr.parse(base).kind() === 'ipv4' ? 32 : 128;
				const prefix = length % (bits + 1);
				// Addresses at random share no prefix; one that differs in one bit is where mistakes
				// would be.
				const candidate = near ? flipBit(base, change % bits) : other;
				const expected = matches(candidate, base, prefix);
				expect(isAllowedAddress([`${base}/${prefix}`], candidate)).toBe(expected);
				expect(isAllowedAddress([base], candidate)).toBe(matches(candidate, base, bits));
			},
		);
		fc.assert(property, { numRuns: 5000 });
	});

	it('whatever is typed, nothing is read that ipaddr.js rejects', () => {
		const change = (edit: (text: string, at: number) => string) =>
			address.chain((text) => fc.nat(text.length).map((at) => edit(text, at)));
		const texts = fc.oneof(
			fc.stringMatching(/^[0-9a-f:.]{1,20}$/),
			change((text, at) => text.slice(0, at) + text.slice(at + 1)),
			change((text, at) => `${text.slice(0, at)}:${text.slice(at)}`),
		);
		const property = fc.property(texts, (text) => {
			const readable = unreadableEntries([text]).length === 0;
			if (readable) expect(ipaddr.isValid(text)).toBe(true);
			// ipaddr.js also reads octal, hexadecimal and short forms of IPv4, which are rejected here
			// on purpose.
			else if (text.includes(':'))
				expect(ipaddr.isValid(text) && !/\.0\d+$|(?:^|[.:])0\d+\./.test(text)).toBe(false);
		});
		fc.assert(property, { numRuns: 5000 });
	});

	/** What the rules of the allowlist are, in terms of ipaddr.js. */
	function matches(candidate: string, base: string, prefix: number): boolean {
		const address = ipaddr.process(candidate);
		const written = ipaddr.parse(base);
		const isMapped =
			written instanceof ipaddr.IPv6 && written.isIPv4MappedAddress() && prefix >= 96;
		const range = isMapped ? written.toIPv4Address() : written;
		return address.kind() === range.kind() && address.match(range, isMapped ? prefix - 96 : prefix);
	}

	function flipBit(text: string, bit: number): string {
		const bytes = ipaddr.parse(text).toByteArray();
		const index = Math.floor(bit / 8);
		bytes[index] = (bytes[index] ?? 0) ^ (0x80 >> (bit % 8));
		return ipaddr.fromByteArray(bytes).toString();
	}
});
