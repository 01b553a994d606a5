import type { Finding } from '../../nodes/VisitorService/diagnosis/finding';

const NARROWEST_TEXT = 30;

/**
 * The findings as lines: status, check, value and meaning, the meaning wrapped at the width of the
 * terminal.
 *
 * @param width in characters
 */
export function findingTable(findings: readonly Finding[], width: number): string {
	const rows = findings.filter(({ check }) => check !== 'summary');
	const widest = (texts: string[]) => Math.max(...texts.map(({ length }) => length));
	const statusWidth = widest(rows.map(({ status }) => status));
	const checkWidth = widest(rows.map(({ check }) => check));
	const valueWidth = widest(rows.map(({ observed }) => show(observed)));
	const indent = statusWidth + checkWidth + valueWidth + 6;
	const lines = rows.flatMap(({ status, check, observed, meaning }) => {
		const head = [
			status.padEnd(statusWidth),
			check.padEnd(checkWidth),
			show(observed).padEnd(valueWidth),
		].join('  ');
		return wrap(meaning, Math.max(NARROWEST_TEXT, width - indent)).map(
			(line, index) => `${index === 0 ? head : ' '.repeat(head.length)}  ${line}`,
		);
	});
	return lines.join('\n');
}

function show(observed: Finding['observed']): string {
	if (observed === null) return '–';
	return observed === '' ? '""' : String(observed);
}

function wrap(text: string, width: number): string[] {
	const lines = [''];
	for (const word of text.split(' ')) {
		const line = lines.at(-1) ?? '';
		if (line !== '' && line.length + 1 + word.length > width) lines.push(word);
		else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
	}
	return lines;
}
