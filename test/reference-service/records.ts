import type { JsonObject } from './json';

export const resources = ['users', 'companies', 'visits', 'tasks'] as const;

export type Resource = (typeof resources)[number];

export function isResource(name: unknown): name is Resource {
	return (resources as readonly unknown[]).includes(name);
}

/** The one-record name used in ids and event names: `user-000123`, `user.updated`. */
export const singular: Record<Resource, string> = {
	users: 'user',
	companies: 'company',
	visits: 'visit',
	tasks: 'task',
};

const day = 86_400_000;
const firstCreated = Date.UTC(2025, 0, 1);
const firstUpdated = Date.UTC(2025, 6, 1);

/**
 * The synthetic record with this number, counted from 1: 250 to 400 bytes of JSON, the same on
 * every call. All times lie in the past, update times in an order of their own with milliseconds,
 * so that sorting by them shows.
 */
export function syntheticRecord(resource: Resource, number: number): JsonObject {
	const digits = String(number).padStart(6, '0');
	const id = (of: Resource, which: number) => `${singular[of]}-${String(which).padStart(6, '0')}`;
	const times = {
		createdAt: new Date(firstCreated + number * 1_000).toISOString(),
		updatedAt: new Date(firstUpdated + scatter(number, 180 * day)).toISOString(),
	};
	switch (resource) {
		case 'users':
			return {
				id: id('users', number),
				firstName: 'User',
				lastName: digits,
				email: `user-${digits}@example.test`,
				companyId: id('companies', 1 + (number % 250)),
				department: `Department ${1 + (number % 12)}`,
				badgeNumber: `B-${digits}`,
				language: 'en',
				role: number % 20 === 0 ? 'receptionist' : 'employee',
				active: number % 10 !== 0,
				...times,
			};
		case 'companies':
			return {
				id: id('companies', number),
				name: `Company ${digits}`,
				email: `company-${digits}@example.test`,
				website: `https://company-${digits}.example.test`,
				language: 'en',
				floor: 1 + (number % 30),
				employees: 5 + (number % 500),
				active: number % 10 !== 0,
				...times,
			};
		case 'visits': {
			const arrival = firstUpdated + scatter(number + 1, 180 * day);
			return {
				id: id('visits', number),
				visitorName: `Visitor ${digits}`,
				visitorEmail: `visitor-${digits}@example.test`,
				hostId: id('users', 1 + (number % 2_500)),
				companyId: id('companies', 1 + (number % 250)),
				state: ['expected', 'arrived', 'left', 'cancelled'][number % 4] ?? null,
				expectedAt: new Date(arrival).toISOString(),
				leavesAt: new Date(arrival + 3_600_000).toISOString(),
				...times,
			};
		}
		case 'tasks':
			return {
				id: id('tasks', number),
				title: `Task ${digits}`,
				description: `Synthetic task number ${digits} for the front desk.`,
				assigneeId: id('users', 1 + (number % 2_500)),
				visitId: id('visits', 1 + (number % 5_000)),
				priority: 1 + (number % 3),
				done: number % 3 === 0,
				...times,
			};
	}
}

/**
 * Spreads consecutive numbers over a range (multiplicative hashing), the same way on every call.
 */
function scatter(number: number, range: number): number {
	return Math.floor(((Math.imul(number, 2_654_435_761) >>> 0) / 2 ** 32) * range);
}
