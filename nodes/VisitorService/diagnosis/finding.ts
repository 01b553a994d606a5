import { holdsSecret } from '../transport/cleanServerText';

/** What is found out, in the order it is shown; `summary` comes last. */
export const CHECKS = [
	'tokenExchange',
	'tokenField',
	'tokenLifetime',
	'tokenRevocation',
	'usersReadable',
	'itemsPath',
	'idField',
	'updatedAtField',
	'pagingMetadata',
	'firstPageNumber',
	'pageHonoured',
	'defaultPageSize',
	'pageSizeHonoured',
	'maxPageSize',
	'sortFormat',
	'updatedSinceFormat',
	'updatedSinceInclusive',
	'badTokenAnswer',
	'badParameterAnswer',
	'unknownPathAnswer',
	'rateLimit',
	'clockDifference',
	'companiesPath',
	'visitsPath',
	'tasksPath',
] as const;

export type Check = (typeof CHECKS)[number];

export type Status = 'ok' | 'warning' | 'failed' | 'unknown';

/** The fact itself. */
export type Observed = string | number | boolean | null;

/** Parameters and options to set, by their names. */
export type Setting = Readonly<
	Record<string, string | number | boolean | Readonly<Record<string, string>>>
>;

export interface Finding {
	check: Check | 'summary';
	status: Status;
	observed: Observed;
	/** What it means for the user, in sentences. */
	meaning: string;
	setting: Setting | null;
}

export function ok(
	check: Check,
	observed: Observed,
	meaning: string,
	setting: Setting | null = null,
): Finding {
	return { check, status: 'ok', observed, meaning, setting };
}

export function warning(
	check: Check,
	observed: Observed,
	meaning: string,
	setting: Setting | null = null,
): Finding {
	return { check, status: 'warning', observed, meaning, setting };
}

export function failed(
	check: Check,
	observed: Observed,
	meaning: string,
	setting: Setting | null = null,
): Finding {
	return { check, status: 'failed', observed, meaning, setting };
}

/** What the data cannot show is said to be so, with the reason. */
export function unknown(check: Check, reason: string, setting: Setting | null = null): Finding {
	return { check, status: 'unknown', observed: null, meaning: reason, setting };
}

/** The finding, or where a name or a text of the service repeats a secret in it, that it does so. */
export function concealed(finding: Finding, secrets: readonly string[]): Finding {
	const { check, observed, meaning, setting } = finding;
	const text = `${String(observed)} ${meaning} ${JSON.stringify(setting)}`;
	if (check === 'summary' || !holdsSecret(text, secrets)) return finding;
	return unknown(
		check,
		'Not shown, because the service repeats a secret or the access token in it.',
	);
}

/** Collects findings; of two for one check the later one counts, and a check without one is unknown. */
export class Findings {
	private readonly found = new Map<string, Finding>();

	add(...findings: readonly Finding[]): void {
		for (const finding of findings) this.found.set(finding.check, finding);
	}

	get(check: Check): Finding | undefined {
		return this.found.get(check);
	}

	/**
	 * One for each check, in their order.
	 *
	 * @param reason why what was not checked is unknown
	 */
	complete(reason: string): Finding[] {
		return CHECKS.map((check) => this.found.get(check) ?? unknown(check, reason));
	}
}
