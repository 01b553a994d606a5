import type { ServiceFailure } from '../failure/serviceFailure';

const IF_IT_RESPONDS = 'the service responds';
const IF_ANY_USERS = 'the list has users';
const IF_MORE_USERS = 'there are more users, with IDs and in a steady order';
const IF_SEVERAL_PAGES = 'more users exist than one page holds';
const NEEDED = 'The Polling Trigger needs it: if users have one, set';
const PATH_REMEDY = 'Ask your service provider for the path, and set it as Path Segment.';

/** The title of each finding, and what it takes to find it out; a sentence if that may never be. */
const TEXTS = {
	tokenExchange: ['Access token is issued', IF_IT_RESPONDS],
	tokenField: ['Field of the access token', 'an access token is issued'],
	tokenLifetime: ['Lifetime of a token in seconds', 'Ask your service provider how long it lasts.'],
	tokenRevocation: ['A new token ends the old one', 'two tokens are issued and users can be read'],
	usersReadable: ['Users can be read', IF_IT_RESPONDS],
	itemsPath: ['Path of the list in the response', IF_ANY_USERS],
	idField: ['ID field of a user', `${NEEDED} ID Path.`],
	updatedAtField: ['Update time field of a user', `${NEEDED} Updated At Path.`],
	pagingMetadata: ['What a page says about the list', IF_ANY_USERS],
	firstPageNumber: ['Number of the first page', IF_MORE_USERS],
	pageHonoured: ['The service follows "page"', IF_MORE_USERS],
	defaultPageSize: ['Default page size', IF_SEVERAL_PAGES],
	pageSizeHonoured: ['The service follows "pageSize"', IF_SEVERAL_PAGES],
	maxPageSize: ['Largest page size', 'more users exist than the largest page holds'],
	sortFormat: ['Format of Sort', 'Ask your service provider for the format of "sort".'],
	updatedSinceFormat: ['Format of Updated Since', 'users were changed on different days'],
	badTokenAnswer: ['Status for a bad token', 'the service rejects all bad tokens alike'],
	unknownPathAnswer: ['Status for an unknown path', IF_IT_RESPONDS],
	rateLimit: ['Rate limit', 'the service sends headers that name it'],
	clockDifference: ['Clock difference in seconds', 'responses are quick and have Date headers'],
	companiesPath: ['Path of the companies', PATH_REMEDY],
	visitsPath: ['Path of the visits', PATH_REMEDY],
	tasksPath: ['Path of the tasks', PATH_REMEDY],
} as const;

export type Check = keyof typeof TEXTS;

export const CHECKS = Object.keys(TEXTS) as Check[];

/** Values of parameters and options, by the labels of the editor. */
export type Values = Readonly<Record<string, string | number | boolean>>;

/** In the order of the columns in which n8n shows it. */
export interface Finding {
	title: string;
	status: 'ok' | 'warning' | 'failed' | 'unknown';
	/** What it means for the user, in sentences. */
	meaning: string;
	/** Settings by node or operation, as the editor names them. */
	setting?: Readonly<Record<string, Values>>;
	/** The fact itself. */
	observed?: string | number | boolean;
	check: Check | 'summary';
}

const findingWith =
	(status: Finding['status']) =>
	(check: Check, observed: Finding['observed'], fact: string, advice = ''): Finding => {
		const meaning = `${fact} ${advice}`.trim();
		// n8n would show `null` in red.
		const shown = observed === undefined ? {} : { observed };
		return { title: TEXTS[check][0], status, meaning, ...shown, check };
	};

export const ok = findingWith('ok');
export const warning = findingWith('warning');
export const failed = findingWith('failed');

export const failedBecause = (check: Check, { message, description }: ServiceFailure) =>
	failed(check, false, message, description);

/** A finding that is unknown, with what would show it. */
export function unknown(check: Check, reason = ''): Finding {
	const [, hint] = TEXTS[check];
	const sentence = hint.endsWith('.') ? hint : `Diagnose can tell if ${hint}.`;
	return findingWith('unknown')(check, undefined, reason, sentence);
}
