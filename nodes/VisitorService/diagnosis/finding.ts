import { holdsSecret } from '../failure/serverText';

/** What is found out, in the order it is shown. */
const TITLES = {
	tokenExchange: 'Access token is issued',
	tokenField: 'Field of the access token',
	tokenLifetime: 'Lifetime of a token in seconds',
	tokenRevocation: 'A new token ends the old one',
	usersReadable: 'Users can be read',
	itemsPath: 'Place of the list in the response',
	idField: 'ID field of a user',
	updatedAtField: 'Update time field of a user',
	pagingMetadata: 'What a page says about the list',
	firstPageNumber: 'Number of the first page',
	pageHonoured: 'The service follows "page"',
	defaultPageSize: 'Default page size',
	pageSizeHonoured: 'The service follows "pageSize"',
	maxPageSize: 'Largest page size',
	sortFormat: 'Format of Sort',
	updatedSinceFormat: 'Format of Updated Since',
	updatedSinceInclusive: 'Updated Since includes the time itself',
	badTokenAnswer: 'Status for a bad token',
	badParameterAnswer: 'Status for a bad parameter',
	unknownPathAnswer: 'Status for an unknown path',
	rateLimit: 'Rate limit',
	clockDifference: 'Clock difference in seconds',
	companiesPath: 'Path of the companies',
	visitsPath: 'Path of the visits',
	tasksPath: 'Path of the tasks',
} as const;

export type Check = keyof typeof TITLES;

export const CHECKS = Object.keys(TITLES) as Check[];

const IF_ANSWERED = 'Diagnose can tell if the service answers.';
const IF_ANY_USERS = 'Diagnose can tell if the list has users.';
const IF_MORE_USERS = 'Diagnose can tell if there are more users, with IDs and in a steady order.';
const IF_SEVERAL_PAGES = 'Diagnose can tell if more users exist than one page holds.';
const ASK_FOR_PATH = 'Ask your service provider for the path, and set it as Path Segment.';

/** What would show it if it is unknown. */
const HINTS: Readonly<Record<Check, string>> = {
	tokenExchange: 'Diagnose can tell if the authorization server answers.',
	tokenField: 'Diagnose can tell if an access token is issued.',
	tokenLifetime: 'Ask your service provider how long a token is valid.',
	tokenRevocation: 'Diagnose can tell if two tokens are issued and users can be read.',
	usersReadable: IF_ANSWERED,
	itemsPath: IF_ANY_USERS,
	idField: 'Diagnose can tell if a field with a usual name differs in every user.',
	updatedAtField: 'Diagnose can tell if a field with a usual name holds a time.',
	pagingMetadata: IF_ANY_USERS,
	firstPageNumber: IF_MORE_USERS,
	pageHonoured: IF_MORE_USERS,
	defaultPageSize: IF_SEVERAL_PAGES,
	pageSizeHonoured: IF_SEVERAL_PAGES,
	maxPageSize: 'Diagnose can tell if more users exist than the largest page holds.',
	sortFormat: 'Ask your service provider for the format of "sort".',
	updatedSinceFormat: 'Diagnose can tell if users were changed on different days.',
	updatedSinceInclusive:
		'Diagnose can tell if users show update times in milliseconds and a format of Updated Since works.',
	badTokenAnswer: 'Diagnose can tell if the service answers all bad tokens alike.',
	badParameterAnswer: 'Diagnose can tell if the service answers all other requests.',
	unknownPathAnswer: IF_ANSWERED,
	rateLimit: 'Diagnose can tell if the service sends headers that name it.',
	clockDifference: 'Diagnose can tell if the service answers quickly, with Date headers.',
	companiesPath: ASK_FOR_PATH,
	visitsPath: ASK_FOR_PATH,
	tasksPath: ASK_FOR_PATH,
};

export type Status = 'ok' | 'warning' | 'failed' | 'unknown';

/** The fact itself. */
export type Observed = string | number | boolean | null;

export type Values = Readonly<Record<string, string | number | boolean>>;

/**
 * Values of parameters and options by their names, for each place they are right for, as the screen
 * names it.
 */
export type Setting = Readonly<Record<string, Values>>;

export interface Finding {
	check: Check | 'summary';
	title: string;
	status: Status;
	observed: Observed;
	/** What it means for the user, in sentences. */
	meaning: string;
	setting: Setting | null;
}

/** What a check found; nothing if the answers do not show it. */
export type Found = Finding | undefined;

const finding =
	(status: Status) =>
	(check: Check, observed: Observed, meaning: string, setting: Setting | null = null): Finding => {
		return { check, title: TITLES[check], status, observed, meaning, setting };
	};

export const ok = finding('ok');
export const warning = finding('warning');
export const failed = finding('failed');

/** What the answers do not show is said to be so, with what would show it. */
export function unknown(check: Check, reason = ''): Finding {
	return finding('unknown')(check, null, `${reason} ${HINTS[check]}`.trim());
}

/**
 * The answer that says the same as an earlier one, or is sure: any other may be an accident.
 *
 * @returns undefined if no two of three say the same
 */
export async function twoOfThree<Answer>(
	first: Answer,
	ask: () => Promise<Answer>,
	meaningOf: (answer: Answer) => unknown,
	isSure: (answer: Answer) => boolean,
): Promise<Answer | undefined> {
	const said: unknown[] = [];
	for (let answer = first; ; answer = await ask()) {
		const meaning = meaningOf(answer);
		if (isSure(answer) || said.includes(meaning)) return answer;
		if (said.push(meaning) === 3) return undefined;
	}
}

/**
 * A warning or failure counts only if a second question leads to the same one: the first answer may
 * be an accident.
 */
export async function saidTwice(judge: () => Promise<Found>): Promise<Found> {
	const first = await judge();
	if (first?.status !== 'failed' && first?.status !== 'warning') return first;
	const second = await judge();
	return first.status === second?.status && first.observed === second.observed ? first : undefined;
}

/** The finding; if a name or a text of the service repeats a secret in it, only that it does so. */
export function concealed(found: Finding, secrets: readonly string[]): Finding {
	const { check, observed, meaning, setting } = found;
	const text = `${String(observed)} ${meaning} ${JSON.stringify(setting)}`;
	if (check === 'summary' || !holdsSecret(text, secrets)) return found;
	const reason = 'Not shown, because the service repeats a secret or the access token in it.';
	return finding('unknown')(check, null, reason);
}
