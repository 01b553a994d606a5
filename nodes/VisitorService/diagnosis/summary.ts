import type { Finding, Values } from './finding';
import type { Outcome } from './recommendation';

/** The first item: how List Users does, what to change, and what to tell the service provider. */
export function summarize(found: readonly Finding[], outcome?: Outcome): Finding {
	const setting: Record<string, Values> = {};
	for (const one of [outcome, ...found]) {
		for (const [place, more] of Object.entries(one?.setting ?? {}))
			setting[place] = { ...setting[place], ...more };
	}
	const isSet = Object.keys(setting).length > 0;
	const [status, ...sentences] = verdict(found, outcome);
	if (isSet) sentences.push(`Set ${describeSetting(setting)}.`);
	const broken = brokenFacts(found, outcome).join(' ').replaceAll('"', "'");
	if (broken !== '') sentences.push(`For your service provider: "${broken}"`);
	return {
		title: 'Summary',
		status,
		meaning: sentences.filter((sentence) => sentence !== '').join(' '),
		setting: isSet ? setting : null,
		observed: isSet ? JSON.stringify(setting) : null,
		check: 'summary',
	};
}

/** The status, and sentences, of which some are empty. */
function verdict(
	found: readonly Finding[],
	outcome: Outcome | undefined,
): [Finding['status'], ...string[]] {
	if (outcome === undefined) {
		// Without these nothing else can be said.
		const broken = found.find(
			({ check, status }) => /^(tokenExchange|usersReadable)$/.test(check) && status !== 'ok',
		);
		return [broken?.status ?? 'failed', broken?.meaning ?? ''];
	}
	const { failure, kind, setting } = outcome;
	const cause = failure ? `${failure.message} ${failure.description}` : '';
	if (kind === 'unclear') return ['unknown', 'Users can be read, but how is not clear.', cause];
	if (kind === 'fails') return ['failed', 'List Users fails.', cause];

	const titles = found
		.filter(({ status }) => /warning|failed/.test(status))
		.map(({ title }) => title);
	const notes = titles.length > 0 ? `Look at: ${titles.join(', ')}.` : '';
	if (kind === 'needs') {
		const what = 'List Users works only with other settings than the defaults.';
		const isOnePage = setting?.['List Users']?.maxPages === 1;
		const extent = isOnePage ? 'It reads one page, and more users may exist.' : '';
		const polling = setting?.['Polling Trigger'] ? '' : 'The Polling Trigger has no such settings.';
		return ['warning', what, extent, polling, notes];
	}
	const what = 'List Users works with the defaults on the pages that were read.';
	return [notes === '' ? 'ok' : 'warning', what, setting ? 'Larger pages are faster.' : '', notes];
}

/** What is broken in the service, to be copied into a mail: without the advice to the user. */
function brokenFacts(found: readonly Finding[], outcome?: Outcome): string[] {
	const { failure, kind, setting } = outcome ?? {};
	const facts = found
		.filter(({ check, status }) => status === 'failed' && check !== 'tokenExchange')
		.map(({ meaning }) => meaning.replace(/(?<=[.]) .*/, ''));
	const isFromOne = setting?.['List Users']?.page === 1;
	if (failure && (kind === 'fails' || isFromOne)) facts.unshift(failure.message);
	if (isFromOne) facts.unshift('Page 0 should be the first page of the users, but cannot be read.');
	return facts;
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
