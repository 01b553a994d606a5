/** Names of invisible characters. */
const NAMES: Record<string, string> = {
	' ': 'a space',
	'\t': 'a tab',
	'\n': 'a line break',
	'\r': 'a line break',
	'\u00a0': 'a no-break space',
	'\u00ad': 'a soft hyphen',
	'\u200b': 'a zero-width space',
	'\ufeff': 'a byte order mark',
};

/** Includes characters without a shape, such as joiners (Unicode: Default_Ignorable_Code_Point). */
const HIDDEN = /[\s\p{Cc}\p{Cf}\p{DI}\u2800]+/gu;

/** Which spaces and invisible characters a text has and where, e.g. "a space at its end". */
export function describeHiddenCharacters(text: string): string {
	const described = [...text.matchAll(HIDDEN)].flatMap(({ 0: run, index }) => {
		const end = index + run.length === text.length ? 'at its end' : 'within';
		const where = index === 0 ? 'at its start' : end;
		return Array.from(run, (character) => `${nameOf(character)} ${where}`);
	});
	return [...new Set(described)].join(' and ');
}

export function withoutHiddenCharacters(text: string): string {
	return text.replace(HIDDEN, '');
}

function nameOf(character: string): string {
	const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
	return NAMES[character] ?? `the character U+${code}`;
}
