/**
 * What a text means as a URL; undefined if it is none. In place of `URL.canParse`, which Node.js
 * 20.20 answers with false for any letter beyond ASCII once it was called some thousand times.
 */
export function readUrl(text: string, base?: string): URL | undefined {
	try {
		return new URL(text, base);
	} catch {
		return undefined;
	}
}
