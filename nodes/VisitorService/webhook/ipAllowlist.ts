import { isInRange, parseAddress, parseRange } from './ipAddress';
import { splitList } from './settings';

/**
 * Tells whether an address may deliver. An empty list allows every address; with a list, an entry or an
 * address that cannot be read allows nothing.
 *
 * @param list addresses and CIDR ranges, comma-separated
 */
export function isAllowedAddress(list: string, address: string | undefined): boolean {
	const entries = splitList(list);
	if (entries.length === 0) return list.trim() === '';
	const parsed = address === undefined ? undefined : parseAddress(address);
	if (parsed === undefined) return false;
	return entries.some((entry) => {
		const range = parseRange(entry);
		return range !== undefined && isInRange(parsed, range);
	});
}

/** The entries of a list that are neither an address nor a range. */
export function unreadableEntries(list: string): string[] {
	return splitList(list).filter((entry) => parseRange(entry) === undefined);
}
