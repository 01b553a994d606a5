import { normalizedFieldName } from '../values/json';

export interface ListedResource {
	/** Of one record, for names of its fields and for sentences. */
	name: string;
	/** For sentences. */
	plural: string;
	/** Path segment of the list; documented for users only. */
	segment: string;
	/** Keys this list may have in a response. */
	listNames: readonly string[];
	/** Other names of such a record, and names of what it belongs to. */
	relatedNames: readonly string[];
	/** Whether the service filters it by the time of the last change. */
	acceptsUpdatedSince: boolean;
}

export const LISTED_RESOURCES = {
	user: {
		...listed('user', 'users', 'user people persons members'),
		relatedNames: 'account contact customer employee worker staff cardholder visitor'.split(' '),
		acceptsUpdatedSince: true,
	},
	company: {
		...listed('company', 'companies', 'company organizations organisations'),
		relatedNames: ['customer', 'account', 'client', 'tenant', 'firm'],
	},
	visit: {
		...listed('visit', 'visits', 'visit'),
		relatedNames: ['appointment', 'booking', 'invitation', 'meeting', 'event'],
	},
	task: {
		...listed('task', 'tasks', 'task'),
		relatedNames: ['ticket', 'issue', 'job', 'todo', 'workitem'],
	},
} satisfies Record<string, ListedResource>;

function listed(name: string, plural: string, others: string) {
	const listNames = [plural, ...others.split(' ')];
	return { name, plural, segment: plural, listNames, acceptsUpdatedSince: false };
}

export function listedResource(name: string): ListedResource | undefined {
	return Object.values(LISTED_RESOURCES).find((listed) => listed.name === name);
}

/** A resource at another path. The list in the response is often named for the path. */
export function resourceAtPath(resource: ListedResource, segment: string): ListedResource {
	const name = normalizedFieldName(segment.replace(/^.*\//, ''));
	return { ...resource, segment, listNames: [...new Set([...resource.listNames, name])] };
}

/** Any other list, whose records are named by the end of its path: a badge at `users/7/badges`. */
export function customResource(segment: string): ListedResource {
	const plural = segment.replace(/^.*\//, '');
	const listed = Object.values(LISTED_RESOURCES).find((one) => one.segment === plural);
	const { listNames = [] } = listed ?? {};
	const other = { name: singular(plural), plural, segment, listNames, relatedNames: [] };
	return resourceAtPath({ ...other, acceptsUpdatedSince: false }, segment);
}

/** Names of one record of a resource, such as `user`, `person` and `member`. */
export function resourceNames(resource: string): string[] {
	const names = (listedResource(resource)?.listNames ?? []).map(singular);
	return [...new Set([resource, ...names])];
}

/** By the rules of English: `company` of `companies`, `pass` of `passes`, `visit` of `visits`. */
export function singular(name: string): string {
	return name.replace(/ies$/, 'y').replace(/(?<=ss|x|ch|sh)es$|(?<!s)s$/, '');
}
