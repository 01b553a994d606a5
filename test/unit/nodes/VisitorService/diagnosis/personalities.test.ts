import type { JsonObject } from '../../../../reference-service';
import { type Diagnosed, listWithSettings, withDiagnosed } from './diagnosedService';
import { workingPersonalities } from './personalities';
import { wrongFindings } from './wrongFindings';

describe('a diagnosis of a service that answers', () => {
	it.each(workingPersonalities)('$name', async (personality) => {
		await withDiagnosed(personality, async (diagnosed) => {
			expect(wrongFindings(diagnosed)).toEqual([]);
			expect(diagnosed.requests.length).toBeLessThanOrEqual(25);
			const unsettled = (personality.settles ?? []).filter(
				(check) => diagnosed.finding(check).status === 'unknown',
			);
			expect(unsettled).toEqual([]);
			const settled = (personality.cannotSettle ?? []).filter(
				(check) => diagnosed.finding(check).status !== 'unknown',
			);
			expect(settled).toEqual([]);
			if (diagnosed.finding('usersReadable').observed === true) await expectWholeList(diagnosed);
		});
	});
});

async function expectWholeList(diagnosed: Diagnosed): Promise<void> {
	const { service } = diagnosed;
	const settings = diagnosed.finding('summary').setting ?? {};
	const records = await listWithSettings(diagnosed, settings);
	const wanted = await visibleUsers(diagnosed);
	expect(sorted(records)).toEqual(sorted(wanted));
	expect(service.count('users')).toBeGreaterThanOrEqual(records.length);
}

/** Every user that is not hidden, as the service shows it: read in one page, with nothing in the way. */
async function visibleUsers({ service, transport }: Diagnosed): Promise<JsonObject[]> {
	const { hiddenAfterPaging, idField, updatedAtField, updatedAtFormat } = service.switches.list;
	service.set({
		token: { answer: 'rfc6749', lifetimeRequests: 0 },
		list: {
			...{
				envelope: 'array',
				defaultPageSize: 1_000_000,
				emptyAs: 'array',
				duplicatesAcrossPages: 0,
			},
			...{ hiddenAfterPaging, idField, updatedAtField, updatedAtFormat },
		},
	});
	const token = await transport({
		method: 'POST',
		url: `${service.url}/auth/app-oauth`,
		form: [
			['grant_type', 'client_credentials'],
			['client_id', service.clientId],
			['client_secret', service.clientSecret],
		],
		timeout: 5000,
	});
	const { access_token: accessToken } = token.body as { access_token: string };
	const { body } = await transport({
		method: 'GET',
		url: `${service.url}/api/external/v2/users`,
		headers: { authorization: `Bearer ${accessToken}` },
		timeout: 5000,
	});
	return body as JsonObject[];
}

function sorted(records: readonly JsonObject[]): string[] {
	return records.map((record) => JSON.stringify(record)).sort();
}
