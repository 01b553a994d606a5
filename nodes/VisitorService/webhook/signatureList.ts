/**
 * Finds the signatures in a header field that may hold several, separated by commas, semicolons or blanks.
 *
 * @param prefix what stands before each signature (`sha256=`, `v1=`, `v1,`); what lacks it is left out
 * @returns the signatures without their prefix
 */
export function splitSignatures(header: string, prefix: string): string[] {
	// The prefix may itself hold a separator, so the header is searched rather than split.
	const start = prefix.trim().replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
	const pattern = new RegExp(`(?:^|[\\s,;])${start} ?([^\\s,;]+)`, 'gi');
	return [...header.matchAll(pattern)].map((match) => match[1] ?? '');
}

/** The timestamp of a header of the form `t=1614265330,v1=…` or `ts=1614265330;h1=…`, as it is written there. */
export function timestampInSignature(header: string): string | undefined {
	return /(?:^|[\s,;])ts?=([^\s,;]+)/.exec(header)?.[1];
}
