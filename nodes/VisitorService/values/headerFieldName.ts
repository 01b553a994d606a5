/**
 * The name of a header field, as it is compared: in lower case, without spaces around it (RFC 9110
 * §5.1). Node.js names those of a request the same way.
 */
export function headerFieldName(name: string): string {
	return name.trim().toLowerCase();
}
