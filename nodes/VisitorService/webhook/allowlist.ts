interface IpAddress {
	bits: 32 | 128;
	value: bigint;
}

interface IpRange extends IpAddress {
	prefix: number;
}

/** As some proxies write it into `X-Forwarded-For`: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
const WITH_PORT = /^(?:([\d.]+)|\[([^\]]*:[^\]]*)\]):\d{1,5}$/;

/**
 * Tells whether an address may deliver. An empty list allows every address; with a list, an entry
 * or an address that cannot be read allows nothing.
 *
 * @param entries addresses and CIDR ranges
 */
export function isAllowedAddress(entries: readonly string[], address: string | undefined): boolean {
	if (entries.length === 0) return true;
	const parsed = address === undefined ? undefined : parseAddress(address);
	if (parsed === undefined) return false;
	return entries.some((entry) => {
		const range = parseRange(entry);
		return range !== undefined && isInRange(parsed, range);
	});
}

/** Those that are neither an address nor a range. */
export function unreadableEntries(entries: readonly string[]): string[] {
	return entries.filter((entry) => parseRange(entry) === undefined);
}

/** Whether a range has all IPv4 addresses or all IPv6 addresses, however it is written. */
export function hasEverybody(entry: string): boolean {
	return parseRange(entry)?.prefix === 0;
}

/**
 * Reads an IPv4 or IPv6 address (RFC 4291 section 2.2, RFC 6943 section 3.1.1: dotted decimal
 * only). An IPv4-mapped IPv6 address is the IPv4 address it stands for; a zone (`%eth0`) and a port
 * are left out.
 *
 * @returns undefined if the text is not an address
 */
function parseAddress(text: string): IpAddress | undefined {
	const [, v4, v6] = WITH_PORT.exec(text) ?? [];
	const range = parseBits(v4 ?? v6 ?? text);
	return range === undefined ? undefined : unmapped({ ...range, prefix: range.bits });
}

/** Reads an address or a CIDR range (RFC 4632); a single address is a range of one. */
function parseRange(text: string): IpRange | undefined {
	const [address = '', length, ...rest] = text.split('/');
	if (rest.length > 0) return undefined;
	const parsed = parseBits(address);
	if (parsed === undefined) return undefined;
	if (length === undefined) return unmapped({ ...parsed, prefix: parsed.bits });
	if (!/^\d{1,3}$/.test(length) || Number(length) > parsed.bits) return undefined;
	return unmapped({ ...parsed, prefix: Number(length) });
}

/**
 * IPv4 addresses are never part of an IPv6 range, not even of `::/0`: who means both, writes both.
 */
function isInRange(address: IpAddress, range: IpRange): boolean {
	const shift = BigInt(range.bits - range.prefix);
	return address.bits === range.bits && address.value >> shift === range.value >> shift;
}

/** RFC 4291 section 2.5.5.2: `::ffff:0:0/96`. */
function unmapped(range: IpRange): IpRange {
	const isMapped = range.bits === 128 && range.prefix >= 96 && range.value >> 32n === 0xffffn;
	if (!isMapped) return range;
	return { bits: 32, value: range.value & 0xffffffffn, prefix: range.prefix - 96 };
}

function parseBits(text: string): IpAddress | undefined {
	if (!text.includes(':')) {
		const value = parseIpv4(text);
		return value === undefined ? undefined : { bits: 32, value };
	}
	const value = parseIpv6(text.replace(/%[^%/]*$/, ''));
	return value === undefined ? undefined : { bits: 128, value };
}

function parseIpv4(text: string): bigint | undefined {
	const octets = text.split('.');
	// A leading zero means octal to some programs and decimal to others.
	const valid = octets.every((octet) => /^(?:0|[1-9]\d{0,2})$/.test(octet) && Number(octet) <= 255);
	if (octets.length !== 4 || !valid) return undefined;
	return octets.reduce((value, octet) => (value << 8n) | BigInt(octet), 0n);
}

function parseIpv6(text: string): bigint | undefined {
	const written = withoutDottedPart(text);
	const [head = '', tail, ...more] = written?.split('::') ?? [];
	if (written === undefined || more.length > 0) return undefined;
	const before = parseGroups(head);
	if (tail === undefined) return before?.length === 8 ? join(before) : undefined;
	const after = parseGroups(tail);
	if (before === undefined || after === undefined) return undefined;
	// `::` stands for one group of zeros at least.
	const missing = 8 - before.length - after.length;
	return missing > 0
		? join([...before, ...new Array<bigint>(missing).fill(0n), ...after])
		: undefined;
}

/** An IPv4 address at the end stands for the last two groups. */
function withoutDottedPart(text: string): string | undefined {
	const end = text.slice(text.lastIndexOf(':') + 1);
	if (!end.includes('.')) return text;
	const value = parseIpv4(end);
	if (value === undefined) return undefined;
	return `${text.slice(0, -end.length)}${(value >> 16n).toString(16)}:${(value & 0xffffn).toString(16)}`;
}

function parseGroups(text: string): bigint[] | undefined {
	if (text === '') return [];
	const groups = text.split(':');
	if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return undefined;
	return groups.map((group) => BigInt(`0x${group}`));
}

function join(groups: bigint[]): bigint {
	return groups.reduce((value, group) => (value << 16n) | group, 0n);
}
