export interface ListedResource {
	/** Value of the `resource` parameter. */
	name: 'user' | 'company' | 'visit' | 'task';
	/** For sentences. */
	plural: string;
	/** Path segment of the list; documented for users only. */
	segment: string;
	/** Keys a service may give this list in a response. */
	keys: readonly string[];
}

export const LISTED_RESOURCES: Readonly<Record<ListedResource['name'], ListedResource>> = {
	user: {
		name: 'user',
		plural: 'users',
		segment: 'users',
		keys: ['users', 'user', 'people', 'persons', 'members'],
	},
	company: {
		name: 'company',
		plural: 'companies',
		segment: 'companies',
		keys: ['companies', 'company', 'organizations', 'organisations'],
	},
	visit: { name: 'visit', plural: 'visits', segment: 'visits', keys: ['visits', 'visit'] },
	task: { name: 'task', plural: 'tasks', segment: 'tasks', keys: ['tasks', 'task'] },
};

/** What one thing of a resource is called, such as `user`, `person` and `member`. */
export function resourceNames(resource: string): string[] {
	const listed = Object.values(LISTED_RESOURCES).find(({ name }) => name === resource);
	const names = (listed?.keys ?? []).map(singular);
	return [...new Set([resource, ...names])];
}

export function singular(name: string): string {
	return name.replace(/ies$/, 'y').replace(/s$/, '');
}
