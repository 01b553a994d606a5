import { ServiceFailure } from '../../../../../nodes/VisitorService/failure/serviceFailure';
import type { PollSettings } from '../../../../../nodes/VisitorService/polling/currentPoll';
import { DAY } from '../../../../../nodes/VisitorService/values/instant';
import { type Habits, PolledTenant, START } from './polledTenant';
import { SimulatedTrigger } from './simulatedTrigger';

export interface Setup {
	tenant: PolledTenant;
	trigger: SimulatedTrigger;
}

/** A tenant with 30 users that were changed long ago, and a trigger that polled once. */
export async function started(
	habits: Partial<Habits> = {},
	settings: Partial<PollSettings> = {},
): Promise<Setup> {
	const { tenant, trigger } = prepared(habits, settings);
	expect(await trigger.poll()).toEqual([]);
	tenant.requests = [];
	return { tenant, trigger };
}

export function prepared(
	habits: Partial<Habits> = {},
	settings: Partial<PollSettings> = {},
): Setup {
	const tenant = new PolledTenant(habits);
	for (let number = 0; number < 30; number++)
		tenant.change(`old-${number}`, 0, START - 30 * DAY + number);
	return { tenant, trigger: new SimulatedTrigger(tenant, settings) };
}

export function changeMany(tenant: PolledTenant, count: number, from = 0): number[] {
	return Array.from({ length: count }, (_, place) => tenant.change(`user-${from + place}`));
}

export const sorted = (numbers: readonly number[]) =>
	[...numbers].sort((one, other) => one - other);

/** @throws Error if the action does not fail as it should */
export async function failureOf(action: Promise<unknown>): Promise<ServiceFailure> {
	const outcome = await action.then(
		() => undefined,
		(error: unknown) => error,
	);
	if (outcome instanceof ServiceFailure) return outcome;
	throw new Error('No ServiceFailure was thrown.');
}
