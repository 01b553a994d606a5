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
		name: 'user',
		plural: 'users',
		segment: 'users',
		keys: ['users', 'user', 'people', 'persons', 'members'],
		relatedNames: [
			'account',
			'contact',
			'customer',
			'employee',
			'worker',
			'staff',
			'cardholder',
			'visitor',
		],
	},
	company: {
		name: 'company',
		plural: 'companies',
		segment: 'companies',
		keys: ['companies', 'company', 'organizations', 'organisations'],
		relatedNames: ['customer', 'account', 'client', 'tenant', 'firm'],
	},
	visit: {
		name: 'visit',
		plural: 'visits',
		segment: 'visits',
		keys: ['visits', 'visit'],
		relatedNames: ['appointment', 'booking', 'invitation', 'meeting', 'event'],
	},
	task: {
		name: 'task',
		plural: 'tasks',
		segment: 'tasks',
		keys: ['tasks', 'task'],
		relatedNames: ['ticket', 'issue', 'job', 'todo', 'workitem'],
	},
};

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
