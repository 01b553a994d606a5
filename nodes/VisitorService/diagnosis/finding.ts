import { holdsSecret } from '../failure/serverText';

const IF_ANSWERED = 'the service answers';
const IF_ANY_USERS = 'the list has users';
const IF_MORE_USERS = 'there are more users, with IDs and in a steady order';
const IF_SEVERAL_PAGES = 'more users exist than one page holds';
const ASK_FOR_PATH = 'Ask your service provider for the path, and set it as Path Segment.';

/** What is found out, as it is shown: its title, and if what Diagnose can tell it, or who can. */
const TEXTS = {
	tokenExchange: ['Access token is issued', IF_ANSWERED],
	tokenField: ['Field of the access token', 'an access token is issued'],
	tokenLifetime: ['Lifetime of a token in seconds', 'Ask your service provider how long it lasts.'],
	tokenRevocation: ['A new token ends the old one', 'two tokens are issued and users can be read'],
	usersReadable: ['Users can be read', IF_ANSWERED],
	itemsPath: ['Place of the list in the response', IF_ANY_USERS],
	idField: ['ID field of a user', 'a field with a usual name differs in every user'],
	updatedAtField: ['Update time field of a user', 'a field with a usual name holds a time'],
	pagingMetadata: ['What a page says about the list', IF_ANY_USERS],
	firstPageNumber: ['Number of the first page', IF_MORE_USERS],
	pageHonoured: ['The service follows "page"', IF_MORE_USERS],
	defaultPageSize: ['Default page size', IF_SEVERAL_PAGES],
	pageSizeHonoured: ['The service follows "pageSize"', IF_SEVERAL_PAGES],
	maxPageSize: ['Largest page size', 'more users exist than the largest page holds'],
	sortFormat: ['Format of Sort', 'Ask your service provider for the format of "sort".'],
	updatedSinceFormat: ['Format of Updated Since', 'users were changed on different days'],
	updatedSinceInclusive: [
		'Updated Since includes the time itself',
		'users show update times in milliseconds and a format of Updated Since works',
	],
	badTokenAnswer: ['Status for a bad token', 'the service answers all bad tokens alike'],
	badParameterAnswer: ['Status for a bad parameter', 'the service answers all other requests'],
	unknownPathAnswer: ['Status for an unknown path', IF_ANSWERED],
	rateLimit: ['Rate limit', 'the service sends headers that name it'],
	clockDifference: ['Clock difference in seconds', 'answers are quick and have Date headers'],
	companiesPath: ['Path of the companies', ASK_FOR_PATH],
	visitsPath: ['Path of the visits', ASK_FOR_PATH],
	tasksPath: ['Path of the tasks', ASK_FOR_PATH],
} as const;

export type Check = keyof typeof TEXTS;

export const CHECKS = Object.keys(TEXTS) as Check[];

export type Status = 'ok' | 'warning' | 'failed' | 'unknown';

/** The fact itself. */
export type Observed = string | number | boolean | null;

export type Values = Readonly<Record<string, string | number | boolean>>;

/** Values of parameters and options by their names, by the place as the screen names it. */
export type Setting = Readonly<Record<string, Values>>;

/** In the order of the columns in which n8n shows it. */
export interface Finding {
	title: string;
	status: Status;
	/** What it means for the user, in sentences. */
	meaning: string;
	setting: Setting | null;
	observed: Observed;
	check: Check | 'summary';
}

/** What a check found; nothing if the answers do not show it. */
export type Found = Finding | undefined;

const finding =
	(status: Status) =>
	(check: Check, observed: Observed, meaning: string, setting: Setting | null = null): Finding => {
		return { title: TEXTS[check][0], status, meaning, setting, observed, check };
	};

export const ok = finding('ok');
export const warning = finding('warning');
export const failed = finding('failed');

/** What the answers do not show is said to be so, with what would show it. */
export function unknown(check: Check, reason = ''): Finding {
	const [, hint] = TEXTS[check];
	const sentence = hint.endsWith('.') ? hint : `Diagnose can tell if ${hint}.`;
	return finding('unknown')(check, null, `${reason} ${sentence}`.trim());
}

/** The finding; if a name or a text of the service repeats a secret in it, only that it does so. */
export function concealed(found: Finding, secrets: readonly string[]): Finding {
	const { check, observed, meaning, setting } = found;
	const text = `${String(observed)} ${meaning} ${JSON.stringify(setting)}`;
	if (check === 'summary' || !holdsSecret(text, secrets)) return found;
	const reason = 'Not shown, because the service repeats a secret or the access token in it.';
	return finding('unknown')(check, null, reason);
}
