import { readUrl } from '../values/url';

/** The addresses whose first bits, as many as `prefix` says, are those of `value`. */
interface IpRange {
	bits: 32 | 128;
	value: bigint;
	prefix: number;
}

/** As some proxies write it into `X-Forwarded-For`: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
const WITH_PORT = /^(?:([\d.]+)|\[([^\]:]*:[^\]]*)\]):\d{1,5}$/;

/**
 * Tells whether an address may deliver. An empty list allows every address; with a list, an entry
 * or an address that cannot be read allows nothing. IPv4 addresses are never part of an IPv6 range,
 * not even of `::/0`: who means both, writes both.
 *
 * @param entries addresses and CIDR ranges
 * @param address a zone (`%eth0`) and a port are left out
 */
export function isAllowedAddress(entries: readonly string[], address: string | undefined): boolean {
	if (entries.length === 0) return true;
	const [, v4, v6] = WITH_PORT.exec(address ?? '') ?? [];
	const sender = parseRange(v4 ?? v6 ?? address ?? '');
	if (sender === undefined || sender.prefix < sender.bits) return false;
	return entries.map(parseRange).some((range) => {
		if (range?.bits !== sender.bits) return false;
		const shift = BigInt(range.bits - range.prefix);
		return sender.value >> shift === range.value >> shift;
	});
}

/** Those that are neither an address nor a range. */
export function unreadableEntries(entries: readonly string[]): string[] {
	return entries.filter((entry) => parseRange(entry) === undefined);
}

/**
 * Reads an IPv4 or IPv6 address (RFC 4291 section 2.2, RFC 6943 section 3.1.1: dotted decimal only)
 * or a CIDR range (RFC 4632); a single address is a range of one.
 */
function parseRange(text: string): IpRange | undefined {
	const [, address = '', length] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
	const bits = address.includes(':') ? 128 : 32;
	const value = bits === 32 ? parseIpv4(address) : parseIpv6(address.replace(/%[^%]*$/, ''));
	const prefix = length === undefined ? bits : Number(length);
	if (value === undefined || prefix > bits) return undefined;
	// RFC 4291 section 2.5.5.2: an address in `::ffff:0:0/96` is the IPv4 address it stands for.
	const isMapped = bits === 128 && prefix >= 96 && value >> 32n === 0xffffn;
	return isMapped
		? { bits: 32, value: value & 0xffffffffn, prefix: prefix - 96 }
		: { bits, value, prefix };
}

function parseIpv4(text: string): bigint | undefined {
	const octets = text.split('.');
	// A leading zero means octal to some programs and decimal to others.
	const valid = octets.every((octet) => /^(?:0|[1-9]\d{0,2})$/.test(octet) && Number(octet) <= 255);
	if (octets.length !== 4 || !valid) return undefined;
	return octets.reduce((value, octet) => (value << 8n) | BigInt(octet), 0n);
}

function parseIpv6(text: string): bigint | undefined {
	const url = /^[\da-f:.]+$/i.test(text) ? readUrl(`http://[${text}]`) : undefined;
	if (url === undefined) return undefined;
	// As URL writes it: without an IPv4 part, and with one run of zeros left out at most.
	const [head = [], tail = []] = url.hostname
		.slice(1, -1)
		.split('::')
		.map((half) => (half === '' ? [] : half.split(':')));
	const zeros = new Array<string>(8 - head.length - tail.length).fill('0');
	const groups = [...head, ...zeros, ...tail].map((group) => group.padStart(4, '0'));
	return BigInt(`0x${groups.join('')}`);
}
