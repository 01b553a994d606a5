import type { Finding, Values } from './finding';
import type { Outcome } from './recommendation';

/** The first item: whether List Users works, what to change, and what to tell the provider. */
export function summarize(findings: readonly Finding[], outcome = unreadable(findings)): Finding {
	const setting: Record<string, Values> = {};
	for (const finding of [outcome, ...findings]) {
		for (const [node, more] of Object.entries(finding.setting ?? {}))
			setting[node] = { ...setting[node], ...more };
	}
	const isSet = Object.keys(setting).length > 0;
	const sentences = [...outcome.sentences];
	const odd = findings.filter(({ status }) => status === 'warning' || status === 'failed');
	if (odd.length > 0) sentences.push(`Look at: ${odd.map(({ title }) => title).join(', ')}.`);
	if (isSet) sentences.push(`Set ${describeSetting(setting)}.`);
	// To be copied into a mail: without the advice to the user, which follows the first sentence.
	const facts = findings
		.filter(({ check, status }) => status === 'failed' && check !== 'tokenExchange')
		.map(({ meaning }) => meaning.replace(/(?<=[.]) .*/, ''));
	const broken = [...(outcome.broken ?? []), ...facts].join(' ').replaceAll('"', "'");
	if (broken !== '') sentences.push(`For your service provider: "${broken}"`);
	return {
		title: 'Summary',
		status: outcome.status === 'ok' && odd.length > 0 ? 'warning' : outcome.status,
		meaning: sentences.join(' '),
		...(isSet && { setting }),
		...(outcome.status !== 'unknown' && { observed: outcome.status === 'ok' }),
		check: 'summary',
	};
}

/** Without a token or users nothing else can be said. */
function unreadable(findings: readonly Finding[]): Outcome {
	const broken = findings.find(({ status }) => status === 'failed');
	return { status: 'failed', sentences: [broken?.meaning ?? 'Users cannot be read.'] };
}

/** A setting in words, such as `in List Users: Page Size 1000, Sort "id,asc"`. */
function describeSetting(setting: Readonly<Record<string, Values>>): string {
	const show = ([label, value]: [string, Values[string]]) =>
		`${label} ${value === false ? 'off' : label === 'Sort' ? JSON.stringify(value) : value}`;
	return Object.entries(setting)
		.map(([node, values]) => `in ${node}: ${Object.entries(values).map(show).join(', ')}`)
		.join('; ');
}
