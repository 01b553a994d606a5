import { normalizedFieldName } from '../values/json';

export interface ListedResource {
	/** What one record is, for names of its fields and for sentences. */
	name: string;
	/** For sentences. */
	plural: string;
	/** Path segment of the list; documented for users only. */
	segment: string;
	/** Keys a service may give this list in a response. */
	listNames: readonly string[];
	/** What such a record is also called, or belongs to. */
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

/** A resource at a path of its own, for which the list in the response is mostly named as well. */
export function resourceAtPath(resource: ListedResource, segment: string): ListedResource {
	const name = normalizedFieldName(segment.replace(/^.*\//, ''));
	return { ...resource, segment, listNames: [...new Set([...resource.listNames, name])] };
}

/** Any other list, whose records are what the end of its path says: a badge at `users/7/badges`. */
export function customResource(segment: string): ListedResource {
	const plural = segment.replace(/^.*\//, '');
	const listed = Object.values(LISTED_RESOURCES).find((one) => one.segment === plural);
	const { listNames = [], relatedNames = [] } = listed ?? {};
	const other = { name: singular(plural), plural, segment, listNames, relatedNames };
	return resourceAtPath({ ...other, acceptsUpdatedSince: false }, segment);
}

/** What one thing of a resource is called, such as `user`, `person` and `member`. */
export function resourceNames(resource: string): string[] {
	const names = (listedResource(resource)?.listNames ?? []).map(singular);
	return [...new Set([resource, ...names])];
}

/** As English mostly has it: `company` of `companies`, `pass` of `passes`, `visit` of `visits`. */
export function singular(name: string): string {
	return name.replace(/ies$/, 'y').replace(/(?<=ss|x|ch|sh)es$|(?<!s)s$/, '');
}
