const DECIMAL = /^\s*-?\d+(?:\.\d+)?\s*$/;

/** The one reader of numbers that may be written as text. Undefined for what is not a finite number in decimal digits. */
export function readDecimal(value: unknown): number | undefined {
	const number = typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value;
	return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}
