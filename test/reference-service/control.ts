import { request } from 'undici';
import type { JsonObject } from './json';
import type { Resource } from './records';
import type { ReferenceService } from './referenceService';
import type { DeepPartial, Switches } from './switches';

/** What another process can let the service do, by the names of the calls. */
const CONTROLS = {
	service: ({ url, clientId, clientSecret, tokensIssued }: ReferenceService) => ({
		...{ url, clientId, clientSecret, tokensIssued },
	}),
	set: (service: ReferenceService, switches: DeepPartial<Switches>) => service.set(switches),
	resetSwitches: (service: ReferenceService) => service.resetSwitches(),
	summary: (service: ReferenceService) => service.summary(),
	clearRequests: (service: ReferenceService) => service.clearRequests(),
	seed: async (service: ReferenceService, resource: Resource, records: number | JsonObject[]) =>
		await service.seed(resource, records),
};

type Controls = typeof CONTROLS;

/** The same, for the process that asks. */
export type Control = {
	[Name in keyof Controls]: Controls[Name] extends (
		service: ReferenceService,
		...given: infer Given
	) => infer Result
		? (...given: Given) => Promise<Awaited<Result>>
		: never;
};

const isControl = (name: unknown): name is keyof Controls =>
	typeof name === 'string' && Object.hasOwn(CONTROLS, name);

/**
 * Responds to `POST /control` with a body such as `{"seed": ["users", 3]}`. @returns JSON
 * @throws Error for what is no such call
 */
export async function controlled(service: ReferenceService, body: string): Promise<string> {
	const [[name, given] = []] = Object.entries(JSON.parse(body) as object);
	if (!isControl(name) || !Array.isArray(given))
		throw new Error(`Send one of these with a list: ${Object.keys(CONTROLS).join(', ')}.`);
	const call = CONTROLS[name] as (service: ReferenceService, ...given: unknown[]) => unknown;
	return JSON.stringify((await call(service, ...(given as unknown[]))) ?? null);
}

/** Steers a reference service in another process. A rejected call rejects with its own words. */
export function controlOf(url: string): Control {
	const call = async (name: string, given: unknown[]): Promise<unknown> => {
		const { statusCode, body } = await request(`${url}/control`, {
			method: 'POST',
			body: JSON.stringify({ [name]: given }),
			// Seeding a million records takes longer than undici waits by itself.
			headersTimeout: 0,
			bodyTimeout: 0,
		});
		const text = await body.text();
		if (statusCode >= 400) throw new Error(text);
		return JSON.parse(text);
	};
	const calls = Object.keys(CONTROLS).map((name) => [
		name,
		async (...given: unknown[]) => await call(name, given),
	]);
	// Both ends are built from the same sources, so the types hold.
	return Object.fromEntries(calls) as Control;
}
