import type { Finding, Setting, Values } from './finding';
import type { Recommendation } from './recommendation';

/** Options that the Polling Trigger has too. */
const POLLING_VALUES = ['itemsPath', 'pageSize'];

/** The first item: how List Users does, what to change, and what to tell the service provider. */
export function summarize(findings: readonly Finding[], recommendation?: Recommendation): Finding {
	const { isRead, values = {} } = recommendation ?? {};
	const isForPolling = Object.keys(values).every((name) => POLLING_VALUES.includes(name));
	const places: Array<[string, Values]> = [
		['List Users', values],
		// What works only together holds for the Polling Trigger if it has it all.
		['Polling Trigger', isRead === false && isForPolling ? values : {}],
		...findings.flatMap((one) => Object.entries(one.setting ?? {})),
	];
	const setting: Record<string, Values> = {};
	for (const [place, more] of places) {
		if (Object.keys(more).length > 0) setting[place] = { ...setting[place], ...more };
	}
	const isEmpty = Object.keys(setting).length === 0;
	const { sentence, status } = verdict(findings, isForPolling, recommendation);
	const change = isEmpty ? [] : [`Set ${describeSetting(setting)}.`];
	return {
		title: 'Summary',
		status,
		meaning: [sentence, ...change, ...mailTo(findings, recommendation)].join(' '),
		setting: isEmpty ? null : setting,
		observed: isEmpty ? null : JSON.stringify(setting),
		check: 'summary',
	};
}

function verdict(
	findings: readonly Finding[],
	isForPolling: boolean,
	{ isRead, values, whole, reason }: Partial<Recommendation> = {},
): Pick<Finding, 'status'> & { sentence: string } {
	// Without these nothing else can be said.
	const broken = findings.find(
		({ check, status }) => status !== 'ok' && /^(?:tokenExchange|usersReadable)$/.test(check),
	);
	if (broken !== undefined) return { status: broken.status, sentence: broken.meaning };
	const { page, pageSize, maxPages } = values ?? {};
	const isSet = Object.keys(values ?? {}).length > 0;
	if (isRead === undefined) {
		const tried = reason ? `failed. ${reason}` : 'could not be tried. Run Diagnose again later.';
		return { status: 'unknown', sentence: `Users can be read, but List Users ${tried}` };
	}
	if (!isRead && !isSet) return { status: 'failed', sentence: `List Users fails. ${reason ?? ''}` };
	const bad = findings.filter(({ status }) => status === 'failed' || status === 'warning');
	const notes = bad.length === 0 ? '' : ` Look at: ${bad.map(({ title }) => title).join(', ')}.`;
	const options = findings.flatMap(
		({ meaning }) =>
			/^The Polling Trigger needs it: if users have one, set ([^.]*)\.$/.exec(meaning)?.[1] ?? [],
	);
	const needs = options.length === 0 ? '' : ` The Polling Trigger needs ${options.join(' and ')}.`;
	if (!isRead) {
		const what = 'List Users works only with other settings than the defaults.';
		const extent = maxPages === 1 ? ' It reads one page, and more users may exist.' : '';
		const start = page === 1 ? ' It reads from page 1 on.' : '';
		const polling = isForPolling ? needs : ' The Polling Trigger has no such settings.';
		return { status: 'warning', sentence: `${what}${extent}${start}${polling}${notes}` };
	}
	const what = bad.length === 0 && needs === '' ? 'Everything works' : 'List Users works';
	const extent = whole ? '' : ' on the pages that were read';
	const gain = pageSize ? ` Faster with Page Size ${pageSize}.` : '';
	const sentence = `${what} with the defaults${extent}.${gain}${needs}${notes}`;
	return { status: bad.length === 0 ? 'ok' : 'warning', sentence };
}

/** What is broken in the service, to be copied into a mail: without the advice to the user. */
function mailTo(
	findings: readonly Finding[],
	{ values, reason }: Partial<Recommendation> = {},
): string[] {
	const broken = findings.filter(
		({ check, status }) => status === 'failed' && check !== 'tokenExchange',
	);
	const what =
		values?.page === 1
			? 'Page 0 should be the first page of the users, but cannot be read.'
			: 'The list of users cannot be read completely.';
	const isSettled = values !== undefined && Object.keys(values).length > 0 && values.page !== 1;
	const reasons = reason === undefined || isSettled ? [] : [what, reason];
	const texts = [...reasons, ...broken.map(({ meaning }) => meaning)];
	if (texts.length === 0) return [];
	const facts = texts.map((text) => /^.*?\.(?= |$)/.exec(text)?.[0] ?? text);
	return [`For your service provider: "${facts.join(' ').replaceAll('"', "'")}"`];
}

const SHOWN_VALUES: Readonly<Record<string, string>> = {
	epochMs: 'Epoch Milliseconds',
	epochS: 'Epoch Seconds',
	false: 'off',
};

/** By the names on the screen, such as `in List Users: Page Size 1000, Sort "id,asc"`. */
function describeSetting(setting: Setting): string {
	const places = Object.entries(setting).map(([place, values]) => {
		const shown = Object.entries(values).map(([name, value]) => {
			// The screen shows a parameter by its name in words.
			const words = name.replace(/[A-Z]/g, ' $&').replace(/^./, (first) => first.toUpperCase());
			return `${words} ${SHOWN_VALUES[String(value)] ?? JSON.stringify(value)}`;
		});
		return `in ${place}: ${shown.join(', ')}`;
	});
	return places.join('; ');
}
