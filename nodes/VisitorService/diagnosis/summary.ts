import { type Finding, type Found, NEEDED_OPTIONS, type Values } from './finding';
import type { Recommendation } from './recommendation';

/** Options that the Polling Trigger has too. */
const POLLING_VALUES = ['itemsPath', 'pageSize'];

/** The first item: how List Users does, what to change, and what to tell the service provider. */
export function summarize(found: readonly Found[], recommendation?: Recommendation): Finding {
	const { isRead, values = {} } = recommendation ?? {};
	const isForPolling = Object.keys(values).every((name) => POLLING_VALUES.includes(name));
	const places: Array<[string, Values]> = [
		['List Users', values],
		// What works only together holds for the Polling Trigger if it has it all.
		['Polling Trigger', isRead === false && isForPolling ? values : {}],
		...found.flatMap((one) => Object.entries(one.setting ?? {})),
	];
	const setting: Record<string, Values> = {};
	for (const [place, more] of places) {
		if (Object.keys(more).length > 0) setting[place] = { ...setting[place], ...more };
	}
	const isEmpty = Object.keys(setting).length === 0;
	const [status, ...sentences] = verdict(found, isForPolling, recommendation);
	if (!isEmpty) sentences.push(`Set ${describeSetting(setting)}.`);
	const broken = brokenFacts(found, recommendation).join(' ').replaceAll('"', "'");
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
	found: readonly Found[],
	isForPolling: boolean,
	recommendation: Recommendation | undefined,
): [Finding['status'], ...string[]] {
	// Without these nothing else can be said.
	const broken = found.find(
		({ check, status }) => status !== 'ok' && /^(?:tokenExchange|usersReadable)$/.test(check),
	);
	if (broken !== undefined) return [broken.status, broken.meaning];
	if (recommendation === undefined) throw new Error('Users that can be read were not listed.');
	const { failure, isEmpty, isRead, isWhole, values } = recommendation;
	const cause = `${failure.message} ${failure.description}`;
	if (isRead === undefined) return ['unknown', 'Users can be read, but how is not clear.', cause];
	const isSet = Object.keys(values).length > 0;
	if (!isRead && !isSet) return ['failed', 'List Users fails.', cause];

	const isNotable = ({ status, check }: Found) =>
		status === 'unknown' ? check in NEEDED_OPTIONS && !isEmpty : status !== 'ok';
	const titles = found.filter(isNotable).map(({ title }) => title);
	const notes = titles.length > 0 ? `Look at: ${titles.join(', ')}.` : '';
	if (!isRead) {
		const what = 'List Users works only with other settings than the defaults.';
		const extent = values.maxPages === 1 ? 'It reads one page, and more users may exist.' : '';
		const polling = isForPolling ? '' : 'The Polling Trigger has no such settings.';
		return ['warning', what, extent, polling, notes];
	}
	const what = notes === '' ? 'Everything works' : 'List Users works';
	const extent = isWhole ? '' : ' on the pages that were read';
	const gain = isSet ? 'Larger pages are faster.' : '';
	const status = notes === '' ? 'ok' : 'warning';
	return [status, `${what} with the defaults${extent}.`, gain, notes];
}

/** What is broken in the service, to be copied into a mail: without the advice to the user. */
function brokenFacts(found: readonly Found[], recommendation?: Recommendation): string[] {
	const broken = found.filter(
		({ check, status }) => status === 'failed' && check !== 'tokenExchange',
	);
	const facts = broken.map(({ fact }) => fact);
	const { failure, isRead, values = {} } = recommendation ?? {};
	const isFromOne = values.page === 1;
	const isOpen = isRead === false && (isFromOne || Object.keys(values).length === 0);
	if (!isOpen || failure === undefined) return facts;
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
