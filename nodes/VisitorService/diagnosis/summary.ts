import type { Finding, Values } from './finding';
import type { Outcome } from './recommendation';

/** The first item: how List Users does, what to change, and what to tell the service provider. */
export function summarize(found: readonly Finding[], outcome = unreadable(found)): Finding {
	const setting: Record<string, Values> = {};
	for (const one of [outcome, ...found]) {
		for (const [place, more] of Object.entries(one.setting ?? {}))
			setting[place] = { ...setting[place], ...more };
	}
	const isSet = Object.keys(setting).length > 0;
	const sentences = [...outcome.sentences];
	const odd = found.filter(({ status }) => status === 'warning' || status === 'failed');
	if (odd.length > 0) sentences.push(`Look at: ${odd.map(({ title }) => title).join(', ')}.`);
	if (isSet) sentences.push(`Set ${describeSetting(setting)}.`);
	// To be copied into a mail: without the advice to the user, which follows the first sentence.
	const facts = found
		.filter(({ check, status }) => status === 'failed' && check !== 'tokenExchange')
		.map(({ meaning }) => meaning.replace(/(?<=[.]) .*/, ''));
	const broken = [...(outcome.broken ?? []), ...facts].join(' ').replaceAll('"', "'");
	if (broken !== '') sentences.push(`For your service provider: "${broken}"`);
	return {
		title: 'Summary',
		status: outcome.status === 'ok' && odd.length > 0 ? 'warning' : outcome.status,
		meaning: sentences.join(' '),
		setting: isSet ? setting : null,
		observed: isSet ? JSON.stringify(setting) : null,
		check: 'summary',
	};
}

/** Without a token or users nothing else can be said. */
function unreadable(found: readonly Finding[]): Outcome {
	const broken = found.find(({ status }) => status === 'failed');
	return { status: 'failed', sentences: [broken?.meaning ?? 'Users cannot be read.'] };
}

const SHOWN_VALUES: Readonly<Record<string, string>> = {
	epochMs: 'Epoch Milliseconds',
	epochS: 'Epoch Seconds',
	false: 'off',
};

/** By the names on the screen, such as `in List Users: Page Size 1000, Sort "id,asc"`. */
function describeSetting(setting: Readonly<Record<string, Values>>): string {
	// The screen shows a parameter by its name in words.
	const inWords = (name: string) =>
		name.replace(/[A-Z]/g, ' $&').replace(/^./, (first) => first.toUpperCase());
	const show = ([name, value]: [string, Values[string]]) =>
		`${inWords(name)} ${SHOWN_VALUES[String(value)] ?? JSON.stringify(value)}`;
	return Object.entries(setting)
		.map(([place, values]) => `in ${place}: ${Object.entries(values).map(show).join(', ')}`)
		.join('; ');
}
