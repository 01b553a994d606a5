import { type Check, type Finding, type Setting, type Values } from './finding';
import type { Recommendation } from './recommendation';

/** The first item: how List Users does, what to change, and what to tell the service provider. */
export function summarize(findings: readonly Finding[], recommendation: Recommendation): Finding {
	const setting: Record<string, Values> = {};
	for (const [place, values] of findings.flatMap((one) => Object.entries(one.setting ?? {}))) {
		setting[place] = { ...setting[place], ...values };
	}
	const isEmpty = Object.keys(setting).length === 0;
	const { sentence, status } = verdict(findings, recommendation);
	const change = isEmpty ? [] : [`Set ${describeSetting(setting)}.`];
	return {
		check: 'summary',
		title: 'Summary',
		status,
		observed: isEmpty ? null : JSON.stringify(setting),
		meaning: [sentence, ...change, ...mailTo(findings)].join(' '),
		setting: isEmpty ? null : setting,
	};
}

type Judgement = Pick<Finding, 'status'> & { sentence: string };

function verdict(findings: readonly Finding[], recommendation: Recommendation): Judgement {
	const basics: Array<[Check, string]> = [
		['tokenExchange', 'No access token is issued.'],
		['usersReadable', 'Users cannot be read.'],
	];
	for (const [check, what] of basics) {
		const found = findings.find((finding) => finding.check === check);
		if (found?.status === 'failed' || found?.status === 'unknown') {
			return { sentence: `${what} ${found.meaning}`, status: found.status };
		}
	}
	if (recommendation.kind === 'fails') {
		return { sentence: `List Users fails. ${recommendation.reason}`, status: 'failed' };
	}
	if (recommendation.kind === 'unclear') {
		const sentence =
			'Users can be read, but List Users could not be tried. Run Diagnose again later.';
		return { sentence, status: 'unknown' };
	}
	const bad = findings.filter(({ status }) => status === 'failed' || status === 'warning');
	const notes = bad.length === 0 ? '' : ` Look at: ${bad.map(({ title }) => title).join(', ')}.`;
	const { isNeeded, values } = recommendation;
	if (isNeeded) {
		const part = values.maxPages === 1 ? ' It reads one page, and more users may exist.' : '';
		const sentence = `List Users works only with other settings than the defaults.${part}${notes}`;
		return { sentence, status: 'warning' };
	}
	const what = bad.length === 0 ? 'Everything works' : 'List Users works';
	const { pageSize } = values;
	const gain = pageSize === undefined ? '' : ` Faster with Page Size ${String(pageSize)}.`;
	const sentence = `${what} with the defaults.${gain}${notes}`;
	return { sentence, status: bad.length === 0 ? 'ok' : 'warning' };
}

/** What is broken in the service, to be copied into a mail: the facts, without the advice to the user. */
function mailTo(findings: readonly Finding[]): string[] {
	const broken = findings.filter(
		({ check, status }) => status === 'failed' && check !== 'tokenExchange',
	);
	const facts = broken.map(({ meaning }) => /^.*?\.(?= |$)/.exec(meaning)?.[0] ?? meaning);
	return facts.length === 0
		? []
		: [`For your service provider: "${facts.join(' ').replaceAll('"', "'")}"`];
}

const VALUES: Readonly<Record<string, string>> = {
	epochMs: 'Epoch Milliseconds',
	epochS: 'Epoch Seconds',
	false: 'off',
};

/** By the names on the screen, such as `in List Users: Page Size 1000, Sort "id,asc"`. */
function describeSetting(setting: Setting): string {
	return Object.entries(setting)
		.map(([place, values]) => `in ${place}: ${describeValues(values)}`)
		.join('; ');
}

function describeValues(values: Values): string {
	return Object.entries(values)
		.map(([name, value]) => {
			const shown = VALUES[String(value)] ?? JSON.stringify(value);
			return `${shownName(name)} ${shown}`;
		})
		.join(', ');
}

/** The screen shows a parameter by its name in words: Page Size is `pageSize`. */
function shownName(name: string): string {
	return name.replace(/[A-Z]/g, ' $&').replace(/^./, (first) => first.toUpperCase());
}
