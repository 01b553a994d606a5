/** A number as sentences show it, with commas between thousands. */
export function writeNumber(number: number): string {
	return number.toLocaleString('en-US');
}

/** So many of something, e.g. "1 user" and "2,600 users". */
export function writeCount(number: number, one: string, many = `${one}s`): string {
	return `${writeNumber(number)} ${number === 1 ? one : many}`;
}
