import { type Finding, NEEDED_OPTIONS, type Values } from './finding';
import type { Outcome } from './recommendation';

/** Options that the Polling Trigger has too. */
const POLLING_VALUES = ['itemsPath', 'pageSize'];

/** The first item: how List Users does, what to change, and what to tell the service provider. */
export function summarize(found: readonly Finding[], outcome?: Outcome): Finding {
	const { kind, settings = {} } = outcome ?? {};
	// What works only together holds for the Polling Trigger if it has it all.
	const isForPolling = Object.keys(settings).every((name) => POLLING_VALUES.includes(name));
	const places: Array<[string, Values]> = [
		['List Users', settings],
		['Polling Trigger', kind === 'needs' && isForPolling ? settings : {}],
		...found.flatMap((one) => Object.entries(one.setting ?? {})),
	];
	const setting: Record<string, Values> = {};
	for (const [place, more] of places) {
		if (Object.keys(more).length > 0) setting[place] = { ...setting[place], ...more };
	}
	const isEmpty = Object.keys(setting).length === 0;
	const [status, ...sentences] = verdict(found, isForPolling, outcome);
	if (!isEmpty) sentences.push(`Set ${describeSetting(setting)}.`);
	const broken = brokenFacts(found, outcome).join(' ').replaceAll('"', "'");
	if (broken !== '') sentences.push(`For your service provider: "${broken}"`);
	return {
		title: 'Summary',
		status,
		meaning: sentences.filter((sentence) => sentence !== '').join(' '),
		setting: isEmpty ? null : setting,
		observed: isEmpty ? null : JSON.stringify(setting),
		check: 'summary',
	};
}

/** The status, and sentences, of which some are empty. */
function verdict(
	found: readonly Finding[],
	isForPolling: boolean,
	outcome: Outcome | undefined,
): [Finding['status'], ...string[]] {
	if (outcome === undefined) {
		// Without these nothing else can be said.
		const { meaning = '' } = found.find(({ status }) => status === 'failed') ?? {};
		return ['failed', meaning];
	}
	const { failure, isEmpty, kind, settings } = outcome;
	const cause = failure ? `${failure.message} ${failure.description}` : '';
	if (kind === 'unclear') return ['unknown', 'Users can be read, but how is not clear.', cause];
	if (kind === 'fails') return ['failed', 'List Users fails.', cause];

	const isNotable = ({ status, check }: Finding) =>
		status === 'unknown' ? check in NEEDED_OPTIONS && !isEmpty : status !== 'ok';
	const titles = found.filter(isNotable).map(({ title }) => title);
	const notes = titles.length > 0 ? `Look at: ${titles.join(', ')}.` : '';
	if (kind === 'needs') {
		const what = 'List Users works only with other settings than the defaults.';
		const extent = settings.maxPages === 1 ? 'It reads one page, and more users may exist.' : '';
		const polling = isForPolling ? '' : 'The Polling Trigger has no such settings.';
		return ['warning', what, extent, polling, notes];
	}
	const gain = Object.keys(settings).length > 0 ? 'Larger pages are faster.' : '';
	const what = 'List Users works with the defaults on the pages that were read.';
	return [notes === '' ? 'ok' : 'warning', what, gain, notes];
}

/** What is broken in the service, to be copied into a mail: without the advice to the user. */
function brokenFacts(found: readonly Finding[], outcome?: Outcome): string[] {
	const facts = found
		.filter(({ check, status }) => status === 'failed' && check !== 'tokenExchange')
		.map(({ meaning }) => meaning.replace(/(?<=[.]) .*/, ''));
	const { failure, kind, settings } = outcome ?? {};
	const isFromOne = settings?.page === 1;
	if (failure === undefined || (kind !== 'fails' && !isFromOne)) return facts;
	const what = isFromOne
		? 'Page 0 should be the first page of the users, but cannot be read.'
		: 'The list of users cannot be read completely.';
	return [what, failure.message, ...facts];
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
