import type { Finding, Setting, Values } from './finding';
import { hasPolling, type Recommendation } from './recommendation';

/** The first item: how List Users does, what to change, and what to tell the service provider. */
export function summarize(findings: readonly Finding[], recommendation: Recommendation): Finding {
	const { kind, values } = recommendation;
	const setting: Record<string, Values> = {};
	const add = (place: string, more: Values) => {
		if (Object.keys(more).length > 0) setting[place] = { ...setting[place], ...more };
	};
	add('List Users', values);
	// Values that were tried together hold for the Polling Trigger if it has them all.
	if (kind === 'needs' && hasPolling(values)) add('Polling Trigger', values);
	for (const one of findings) {
		for (const [place, more] of Object.entries(one.setting ?? {})) add(place, more);
	}
	const isEmpty = Object.keys(setting).length === 0;
	const { sentence, status } = verdict(findings, recommendation);
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

/** Without these nothing else can be said. */
const BASICS: Readonly<Partial<Record<Finding['check'], string>>> = {
	tokenExchange: 'No access token is issued.',
	usersReadable: 'Users cannot be read.',
};

/** Options that the Polling Trigger does not work without if the field is not found. */
const POLLING_NEEDS: Readonly<Partial<Record<Finding['check'], string>>> = {
	idField: 'ID Path',
	updatedAtField: 'Updated At Path',
};

const LATER = 'Run Diagnose again later.';

function verdict(
	findings: readonly Finding[],
	{ kind, values, whole, reason }: Recommendation,
): Pick<Finding, 'status'> & { sentence: string } {
	const broken = findings.find(({ check, status }) => status !== 'ok' && check in BASICS);
	if (broken !== undefined) {
		const { check, status, meaning } = broken;
		return { status, sentence: `${BASICS[check] ?? ''} ${meaning}` };
	}
	if (kind === 'fails') return { status: 'failed', sentence: `List Users fails. ${reason ?? ''}` };
	if (kind === 'unclear') {
		const tried = reason === undefined ? `could not be tried. ${LATER}` : `failed. ${reason}`;
		return { status: 'unknown', sentence: `Users can be read, but List Users ${tried}` };
	}
	const bad = findings.filter(({ status }) => status === 'failed' || status === 'warning');
	const notes = bad.length === 0 ? '' : ` Look at: ${bad.map(({ title }) => title).join(', ')}.`;
	const pollingNeeds = findings.flatMap(({ check, meaning }) =>
		meaning.startsWith('The Polling Trigger needs it') ? (POLLING_NEEDS[check] ?? []) : [],
	);
	const needs =
		pollingNeeds.length > 0 ? ` The Polling Trigger needs ${pollingNeeds.join(' and ')}.` : '';
	if (kind === 'needs') {
		const isBeginning = values.page === undefined || findings.some(isNumberingKnown);
		const part = isBeginning ? '' : ' It reads from page 1 on, and more users may be before it.';
		const extent = values.maxPages === 1 ? ' It reads one page, and more users may exist.' : part;
		const polling = hasPolling(values) ? needs : ' The Polling Trigger has no such settings.';
		const what = 'List Users works only with other settings than the defaults.';
		const sentence = `${what}${extent}${polling}${notes}`;
		return { status: 'warning', sentence };
	}
	const what = bad.length === 0 && needs === '' ? 'Everything works' : 'List Users works';
	const gain = values.pageSize ? ` Faster with Page Size ${values.pageSize}.` : '';
	const extent = whole === false ? ' on the pages that were read' : '';
	const sentence = `${what} with the defaults${extent}.${gain}${needs}${notes}`;
	return { status: bad.length === 0 ? 'ok' : 'warning', sentence };
}

const isNumberingKnown = ({ check, status }: Finding) =>
	check === 'firstPageNumber' && status === 'ok';

/** What is broken in the service, to be copied into a mail: without the advice to the user. */
function mailTo(findings: readonly Finding[], { kind, reason }: Recommendation): string[] {
	const fact = (text: string) => /^.*?\.(?= |$)/.exec(text)?.[0] ?? text;
	const what =
		kind === 'needs'
			? 'Page 0 should be the first page of the users, but cannot be read.'
			: 'The list of users cannot be read completely.';
	const facts = [
		...(reason === undefined ? [] : [what, fact(reason)]),
		...findings
			.filter(({ check, status }) => status === 'failed' && check !== 'tokenExchange')
			.map(({ meaning }) => fact(meaning)),
	];
	if (facts.length === 0) return [];
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
