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
	const [status, sentence] = verdict(found, isForPolling, recommendation);
	const change = isEmpty ? [] : [`Set ${describeSetting(setting)}.`];
	return {
		title: 'Summary',
		status,
		meaning: [sentence, ...change, ...mailTo(found, recommendation)].join(' '),
		setting: isEmpty ? null : setting,
		observed: isEmpty ? null : JSON.stringify(setting),
		check: 'summary',
	};
}

function verdict(
	found: readonly Found[],
	isForPolling: boolean,
	recommendation: Recommendation | undefined,
): [Finding['status'], string] {
	// Without these nothing else can be said.
	const broken = found.find(
		({ check, status }) => status !== 'ok' && /^(?:tokenExchange|usersReadable)$/.test(check),
	);
	if (broken !== undefined) return [broken.status, broken.meaning];
	if (recommendation?.isRead === undefined) {
		return ['unknown', 'Users can be read, but how is not clear. Run Diagnose again later.'];
	}
	const { failure, isOnePage, isRead, keys, values, whole } = recommendation;
	const { page, pageSize, maxPages } = values;
	if (!isRead && Object.keys(values).length === 0) {
		return ['failed', `List Users fails. ${failure.message} ${failure.description}`];
	}
	const bad = found.filter(({ status }) => status === 'failed' || status === 'warning');
	const titles = bad.map(({ title }) => title).join(', ');
	const notes = bad.length === 0 ? '' : ` Look at: ${titles}.`;
	const open = isRead && keys.size === 0 ? [] : found.filter(({ status }) => status === 'unknown');
	const options = open.flatMap(({ check }) => NEEDED_OPTIONS[check] ?? []);
	const needs = options.length === 0 ? '' : ` The Polling Trigger needs ${options.join(' and ')}.`;
	if (!isRead) {
		const what = 'List Users works only with other settings than the defaults.';
		const extent = maxPages === 1 ? ' It reads one page, and more users may exist.' : '';
		const start = page === 1 ? ' It reads from page 1 on.' : '';
		const polling = isForPolling ? needs : ' The Polling Trigger has no such settings.';
		return ['warning', `${what}${extent}${start}${polling}${notes}`];
	}
	const what = bad.length === 0 && needs === '' ? 'Everything works' : 'List Users works';
	const extent = whole && !isOnePage ? '' : ' on the pages that were read';
	const gain = pageSize ? ' Larger pages are faster.' : '';
	const sentence = `${what} with the defaults${extent}.${gain}${needs}${notes}`;
	return [bad.length === 0 ? 'ok' : 'warning', sentence];
}

/** What is broken in the service, to be copied into a mail: without the advice to the user. */
function mailTo(found: readonly Found[], recommendation: Recommendation | undefined): string[] {
	const { failure, isRead, values = {} } = recommendation ?? {};
	const isFromOne = values.page === 1;
	const what = isFromOne
		? 'Page 0 should be the first page of the users, but cannot be read.'
		: 'The list of users cannot be read completely.';
	const isOpen = isRead === false && (isFromOne || Object.keys(values).length === 0);
	const broken = found.filter(
		({ check, status }) => status === 'failed' && check !== 'tokenExchange',
	);
	const facts = [...(isOpen ? [what, failure?.message] : []), ...broken.map(({ fact }) => fact)];
	if (facts.length === 0) return [];
	return [`For your service provider: "${facts.join(' ').replaceAll('"', "'")}"`];
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
