/** Header fields with names in lower case, as node:http gives them. */
export type HeaderFields = Record<string, string | string[] | undefined>;

/** One webhook request, its body already free of Content-Encoding but otherwise untouched. */
export interface Delivery {
	headers: HeaderFields;
	query: Record<string, unknown>;
	rawBody: Buffer;
	/** The address of the sender, proxies of the operator already taken off; undefined where unknown. */
	address: string | undefined;
	/** When it came, in milliseconds. */
	receivedAt: number;
}

/** The value of a header field, blanks around it removed; `''` where it is missing, empty or has no name. */
export function headerValue(headers: HeaderFields, name: string): string {
	const field = name.trim().toLowerCase();
	// A name such as "constructor" must not reach what every object inherits.
	const value = Object.hasOwn(headers, field) ? headers[field] : undefined;
	if (value === undefined) return '';
	return (Array.isArray(value) ? value.join(', ') : value).replace(/^[ \t]+|[ \t]+$/g, '');
}
