import type { Finding, Setting, Status } from './finding';

const STATUSES: readonly Status[] = ['failed', 'warning', 'unknown', 'ok'];

/** The last item: all settings together, and how the findings came out. */
export function summarize(findings: readonly Finding[], requests: number): Finding {
	const setting = collectSettings(findings);
	const worst =
		STATUSES.find((status) => status !== 'unknown' && count(findings, status) > 0) ?? 'unknown';
	return {
		check: 'summary',
		status: worst,
		observed: JSON.stringify(setting),
		meaning: `${describeFindings(findings)}, with ${requests} ${requests === 1 ? 'request' : 'requests'}. Set what "setting" holds: tokenField in the credential; idPath and updatedAtPath in the Polling Trigger; the rest in the lists. Nothing of it is for the webhook trigger, whose paths lead into deliveries.`,
		setting,
	};
}

/** "20 ok, 2 failed, 3 unknown" */
export function describeFindings(findings: readonly Finding[]): string {
	return [...STATUSES]
		.reverse()
		.map((status) => ({ status, number: count(findings, status) }))
		.filter(({ number }) => number > 0)
		.map(({ status, number }) => `${number} ${status}`)
		.join(', ');
}

/** Such as `itemsPath "data", pathSegment of tasks "todos"`: the editor breaks no line within JSON. */
export function describeSetting(setting: Setting): string {
	return Object.entries(setting)
		.flatMap(([name, value]) =>
			typeof value === 'object'
				? Object.entries(value).map(([of, part]) => `${name} of ${of} ${JSON.stringify(part)}`)
				: [`${name} ${JSON.stringify(value)}`],
		)
		.join(', ');
}

function count(findings: readonly Finding[], status: Status): number {
	return findings.filter((finding) => finding.status === status).length;
}

/** Each of the three lists has a path segment of its own, so these go by resource. */
function collectSettings(findings: readonly Finding[]): Setting {
	const segments: Record<string, string> = {};
	const together: Record<string, Setting[string]> = {};
	for (const { check, setting } of findings) {
		const { pathSegment, ...others } = setting ?? {};
		Object.assign(together, others);
		if (typeof pathSegment === 'string') segments[check.replace(/Path$/, '')] = pathSegment;
	}
	return Object.keys(segments).length === 0 ? together : { ...together, pathSegment: segments };
}
