import { readUrl } from '../values/scalar';

/** An address in `X-Forwarded-For` of some proxies: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
const WITH_PORT = /^(?:([\d.]+)|\[([^\]:]*:[^\]]*)\]):\d{1,5}$/;

/**
 * Tells whether an address may deliver. An empty list allows every address; with a list, an entry
 * or an address that cannot be read allows nothing. IPv4 addresses are never part of an IPv6 range,
 * not even of `::/0`: who means both, writes both.
 *
 * @param entries addresses and CIDR ranges
 * @param address a zone (`%eth0`) and a port are left out
 */
export function isAllowedAddress(entries: readonly string[], address = ''): boolean {
	if (entries.length === 0) return true;
	const [, v4, v6] = WITH_PORT.exec(address) ?? [];
	const sender = readRange(v4 ?? v6 ?? address);
	if (sender?.prefix !== 128) return false;
	return entries.map(readRange).some((range) => {
		if (range?.isIpv4 !== sender.isIpv4) return false;
		return sender.bits >> BigInt(128 - range.prefix) === range.bits;
	});
}

/** Entries that are neither an address nor a range. */
export function unreadableEntries(entries: readonly string[]): string[] {
	return entries.filter((entry) => readRange(entry) === undefined);
}

/**
 * Reads an IPv4 or IPv6 address (RFC 4291 section 2.2, RFC 6943 section 3.1.1: dotted decimal only)
 * or a CIDR range (RFC 4632); a single address is a range of one. An address in `::ffff:0:0/96` is
 * the IPv4 address it stands for (RFC 4291 section 2.5.5.2), so that one reader is enough.
 *
 * @returns the bits that all its IPv6 addresses begin with, how many these are, and whether these
 *   stand for IPv4 addresses
 */
function readRange(text: string) {
	const [, address = '', length] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
	const isDotted = address.includes('.') && !address.includes(':');
	const value = readIpv6(isDotted ? `::ffff:${address}` : address.replace(/%[^%]*$/, ''));
	const prefix = length === undefined ? 128 : Number(length) + (isDotted ? 96 : 0);
	if (value === undefined || prefix > 128) return undefined;
	const isIpv4 = prefix >= 96 && value >> 32n === 0xffffn;
	return { bits: value >> BigInt(128 - prefix), prefix, isIpv4 };
}

function readIpv6(text: string): bigint | undefined {
	const url = /^[\da-f:.]+$/i.test(text) ? readUrl(`http://[${text}]`) : undefined;
	// As URL writes it: without an IPv4 part, and with one run of zeros left out at most.
	const [head, tail] = url?.hostname.slice(1, -1).split('::') ?? [];
	if (head === undefined) return undefined;
	const [before = [], after = []] = [head, tail].map((half) => half?.split(':').filter(Boolean));
	const zeros = new Array<string>(8 - before.length - after.length).fill('0');
	const groups = [...before, ...zeros, ...after].map((group) => group.padStart(4, '0'));
	return BigInt(`0x${groups.join('')}`);
}
