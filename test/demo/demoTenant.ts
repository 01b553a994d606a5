import {
	type JsonObject,
	type ReferenceService,
	type Resource,
	resources,
	syntheticRecord,
} from '../reference-service';

export const USERS = 2_600;
const COMPANIES = 250;
const TASKS = 400;
const VISITS = 5_000;
/** Yesterday, today and tomorrow, so that a demo over midnight finds as many. */
export const VISITS_A_DAY = 12;

const HOUR = 3_600_000;

/**
 * Gives the service people, companies, tasks, and visits of which some are today. Returns what
 * there is, in words.
 */
export async function fillTenant(service: ReferenceService, now: number): Promise<string> {
	await service.seed('users', USERS);
	await service.seed('companies', COMPANIES);
	await service.seed('tasks', TASKS);
	await service.seed('visits', visitsAround(now));
	const count = (resource: Resource) => `${service.count(resource)} ${resource}`;
	return resources.map(count).join(', ');
}

/**
 * The last visits of the list are those of these days, so that finding them takes reading all of
 * it.
 */
function visitsAround(now: number): JsonObject[] {
	const yesterday = now - (now % (24 * HOUR)) - 24 * HOUR;
	const ofTheseDays = 3 * VISITS_A_DAY;
	return Array.from({ length: VISITS }, (_, index) => {
		const visit = syntheticRecord('visits', index + 1);
		const turn = index - (VISITS - ofTheseDays);
		if (turn < 0) return visit;
		// From 8 in the morning, every half hour.
		const expectedAt =
			yesterday + (turn % 3) * 24 * HOUR + 8 * HOUR + Math.floor(turn / 3) * (HOUR / 2);
		return {
			...visit,
			expectedAt: new Date(expectedAt).toISOString(),
			leavesAt: new Date(expectedAt + HOUR).toISOString(),
		};
	});
}
