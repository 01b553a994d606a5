/** As services write numbers. */
const DECIMAL = /^\s*-?\d+(?:\.\d+)?\s*$/;

/** As people type them: `+5`, `.5`, `1e3`. Number() takes an empty text for 0, and reads 0x10. */
const TYPED_DECIMAL = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i;

/** The one reader of numbers that may be text: finite, and written in decimal digits. */
export function readDecimal(value: unknown): number | undefined {
	return readNumberLike(value, DECIMAL);
}

/** The same for what a person typed. */
export function readTypedDecimal(value: unknown): number | undefined {
	return readNumberLike(value, TYPED_DECIMAL);
}

function readNumberLike(value: unknown, form: RegExp): number | undefined {
	const number = typeof value === 'string' && form.test(value) ? Number(value) : value;
	return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}
