import { readInstant } from '../values/instant';
import { readCodeDecimal } from '../values/scalar';

/**
 * What a value of a record has in common with each value that it equals: texts of one letter case,
 * the same number, or the same moment.
 *
 * @param zone of times without one
 */
export function keysOf(found: unknown, zone: string): string[] {
	if (typeof found === 'boolean') return equalityKey('is', foldCase(String(found)));
	if (typeof found !== 'number' && typeof found !== 'string') return [];
	const times = equalityKey('time', readInstant(found, zone)?.earliestAt);
	if (typeof found === 'number') return [...equalityKey('number', found), ...times];
	const digits = equalityKey('digits', readCodeDecimal(found));
	return [...equalityKey('text', foldCase(found)), ...digits, ...times];
}

export function equalityKey(
	kind: 'text' | 'number' | 'digits' | 'is' | 'time',
	value: string | number | undefined,
): string[] {
	return value === undefined ? [] : [`${kind} ${value}`];
}

/**
 * The text without differences of letter case and Unicode form, as Unicode's default case folding
 * (section 3.13, D145). By way of capitals, because some letters have a capital of two letters. An
 * i without a dot stays another letter, as in any language but Turkish.
 */
export function foldCase(text: string): string {
	// Most texts, of which a search for many input items compares millions.
	if (/^\p{ASCII}*$/u.test(text)) return text.toUpperCase();
	// Parted as in UAX #15 section 13: sorting a letter's marks takes the square of their number.
	const parted = text.replace(/\p{M}{30}/gu, '$&\u034f');
	const letters = parted.normalize('NFD').toLowerCase();
	return letters.replace(/[^ı]+/g, (part) => part.toUpperCase()).normalize('NFC');
}

/** How a text that counts as equal is spelled; `otherLetters` as ß instead of ss. */
export type Spelling = 'literal' | 'otherCase' | 'otherLetters';

/** The best spelling of some values. Anything but text counts as literal. */
export function spellingOf(values: readonly unknown[], expected: string): Spelling {
	const texts = values.flat(Infinity).filter((value) => typeof value === 'string');
	if (texts.includes(expected)) return 'literal';
	if (texts.some((text) => foldLatin(text) === foldLatin(expected))) return 'otherCase';
	return texts.some((text) => foldCase(text) === foldCase(expected)) ? 'otherLetters' : 'literal';
}

function foldLatin(text: string): string {
	// A letter and its marks look the same as one sign. The Kelvin sign, without marks, stays.
	const composed = text.replace(/\P{M}\p{M}{1,30}/gu, (letter) => letter.normalize('NFC'));
	return composed.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
