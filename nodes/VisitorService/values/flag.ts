const TRUE = /^(?:true|yes|y|1)$/i;
const FALSE = /^(?:false|no|n|0)$/i;

/**
 * The one reader of what services write for true and false: as text too, and as 1 and 0, which SQL,
 * PHP and XML make of them. What a person sets is read by `parameterReaders`.
 */
export function readSaidFlag(value: unknown): boolean | undefined {
	if (typeof value === 'boolean') return value;
	if (typeof value !== 'string' && typeof value !== 'number') return undefined;
	const word = String(value).trim();
	if (TRUE.test(word)) return true;
	return FALSE.test(word) ? false : undefined;
}
