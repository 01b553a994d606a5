export interface StepResult {
	title: string;
	passed: boolean;
	detail: string;
	seconds: number;
}

const HEADINGS = ['Step', 'Result', 'Detail', 'Seconds'];

/** The results as a table of plain text, as wide as its texts. */
export function stepTable(results: StepResult[]): string {
	const rows = results.map(({ title, passed, detail, seconds }) => [
		title,
		passed ? 'ok' : 'FAILED',
		// A row is one line.
		detail.replaceAll(/\s+/g, ' ').trim(),
		seconds.toFixed(1),
	]);
	const table = [HEADINGS, ...rows];
	const widths = HEADINGS.map((_heading, column) =>
		Math.max(...table.map((row) => row[column]?.length ?? 0)),
	);
	const line = (row: string[]) =>
		row
			.map((cell, column) => {
				const width = widths[column] ?? 0;
				return column === HEADINGS.length - 1 ? cell.padStart(width) : cell.padEnd(width);
			})
			.join('  ')
			.trimEnd();
	return [
		line(HEADINGS),
		widths.map((width) => '─'.repeat(width)).join('  '),
		...rows.map(line),
	].join('\n');
}
