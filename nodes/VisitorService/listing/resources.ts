export interface ListedResource {
	/** Value of the `resource` parameter. */
	name: 'user' | 'company' | 'visit' | 'task';
	/** For sentences. */
	plural: string;
	/** Path segment of the list; published for users only. */
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
