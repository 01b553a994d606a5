/** The headings of a document as GitHub's links name them. */
export function headingsOf(markdown: string): string[] {
	return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, text = '']) =>
		text
			.toLowerCase()
			.replace(/[^\p{L}\p{N}\- ]/gu, '')
			.replaceAll(' ', '-'),
	);
}
