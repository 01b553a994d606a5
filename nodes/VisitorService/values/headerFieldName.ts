/** As header fields are compared (RFC 9110 §5.1), and as Node.js names them. */
export function headerFieldName(name: string): string {
	return name.trim().toLowerCase();
}
