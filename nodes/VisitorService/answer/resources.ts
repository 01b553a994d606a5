export interface ListedResource {
	/** Value of the `resource` parameter. */
	name: 'user' | 'company' | 'visit' | 'task';
	/** For sentences. */
	plural: string;
	/** Path segment of the list; documented for users only. */
	segment: string;
	/** Keys a service may give this list in a response. */
	keys: readonly string[];
	/** What such a record is also called, or belongs to. */
	relatedNames: readonly string[];
}

export const LISTED_RESOURCES: Readonly<Record<ListedResource['name'], ListedResource>> = {
	user: {
		...listedAs('user', 'users'),
		keys: ['users', 'user', 'people', 'persons', 'members'],
		relatedNames: 'account contact customer employee worker staff cardholder visitor'.split(' '),
	},
	company: {
		...listedAs('company', 'companies'),
		keys: ['companies', 'company', 'organizations', 'organisations'],
		relatedNames: ['customer', 'account', 'client', 'tenant', 'firm'],
	},
	visit: {
		...listedAs('visit', 'visits'),
		keys: ['visits', 'visit'],
		relatedNames: ['appointment', 'booking', 'invitation', 'meeting', 'event'],
	},
	task: {
		...listedAs('task', 'tasks'),
		keys: ['tasks', 'task'],
		relatedNames: ['ticket', 'issue', 'job', 'todo', 'workitem'],
	},
};

function listedAs(
	name: ListedResource['name'],
	plural: string,
): Pick<ListedResource, 'name' | 'plural' | 'segment'> {
	return { name, plural, segment: plural };
}

export function listedResource(name: string): ListedResource | undefined {
	return Object.values(LISTED_RESOURCES).find((listed) => listed.name === name);
}

/** What one thing of a resource is called, such as `user`, `person` and `member`. */
export function resourceNames(resource: string): string[] {
	const names = (listedResource(resource)?.keys ?? []).map(singular);
	return [...new Set([resource, ...names])];
}

/** As English mostly has it: `company` of `companies`, `pass` of `passes`, `visit` of `visits`. */
export function singular(name: string): string {
	return name.replace(/ies$/, 'y').replace(/(?<=ss|x|ch|sh)es$|(?<!s)s$/, '');
}
