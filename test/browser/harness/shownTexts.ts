import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { textsOfJson, textsOfProgram } from '../../unit/words/texts';

const ROOT = path.resolve(__dirname, '..', '..', '..');

/** What a picture shows of the texts of this package, by its file. Written with the pictures. */
export const SHOWN_TEXTS = path.join(ROOT, 'docs', 'pictures', 'shown-texts.json');

export type ShownTexts = Record<string, string[]>;

/** Shorter texts, such as "a list of", are found anywhere. */
const MIN_LENGTH = 12;

/**
 * Every text a user may see in the editor: of the nodes, the credential and the examples, as
 * written today.
 */
export function textsOfToday(): Set<string> {
	const programs = [...filesIn('nodes', '.ts'), ...filesIn('credentials', '.ts')];
	const shown = [
		...programs.flatMap((file) => textsOfProgram(readFileSync(file, 'utf8'))),
		...filesIn('examples', '.json').flatMap((file) => textsOfJson(readFileSync(file, 'utf8'))),
	].filter(({ reader }) => reader === 'user');
	return new Set(
		shown
			.flatMap(({ text }) => text.split(/\n+|<br \/>/))
			.map(asShown)
			.filter((text) => text.replaceAll('…', '').trim().length >= MIN_LENGTH),
	);
}

/** Those of the texts that a page shows; "…" in one stands for any value. */
export function textsIn(page: string, texts: Iterable<string>): string[] {
	const shown = asShown(page);
	return [...texts].filter((text) => holdsInOrder(shown, text.split('…'))).sort();
}

function holdsInOrder(shown: string, parts: readonly string[]): boolean {
	let from = 0;
	for (const part of parts) {
		const at = shown.indexOf(part, from);
		if (at === -1) return false;
		from = at + part.length;
	}
	return true;
}

/** Without the marks of HTML and Markdown, which the editor does not show. */
function asShown(text: string): string {
	return text
		.replace(/<[^>]+>|[*`]|^#+ /gm, '')
		.replace(/\s+/g, ' ')
		.trim();
}

function filesIn(folder: string, extension: string): string[] {
	return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith(extension))
		.map((file) => path.join(ROOT, folder, file));
}
