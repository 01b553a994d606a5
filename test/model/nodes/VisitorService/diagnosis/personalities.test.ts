import type { JsonObject } from '../../../../reference-service';
import {
	type Diagnosed,
	listWithSettings,
	recommendedSettings,
	SERVICE_URL,
	withDiagnosed,
} from '../../../../unit/nodes/VisitorService/diagnosis/diagnosedService';
import { isReadable } from '../../../../unit/nodes/VisitorService/diagnosis/facts';
import { workingPersonalities } from '../../../../unit/nodes/VisitorService/diagnosis/personalities';
import { wrongFindings } from '../../../../unit/nodes/VisitorService/diagnosis/wrongFindings';

describe('a diagnosis of a service that answers', () => {
	it.each(workingPersonalities)(
		'reports nothing wrong about a working service: $name',
		async (personality) => {
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
				if (canRead(diagnosed)) await expectWholeList(diagnosed);
			});
		},
	);
});

/** By the switches, so that a diagnosis that reads nothing does not pass. */
function canRead({ service }: Diagnosed): boolean {
	const { authorization, list } = service.switches;
	return isReadable(authorization.permission, 'users') && list.paths.users !== null;
}

/** With the settings the whole list is read, and without them no more than that. */
async function expectWholeList(diagnosed: Diagnosed): Promise<void> {
	expect(diagnosed.finding('usersReadable').observed).toBe(true);
	const without = await listWithSettings(diagnosed, {}).catch(() => []);
	const records = await listWithSettings(diagnosed, recommendedSettings(diagnosed));
	expect(records.length).toBeGreaterThanOrEqual(without.length);
	const wanted = await visibleUsers(diagnosed);
	expect(sorted(records)).toEqual(sorted(wanted));
}

/**
 * Every user that is not hidden, as the service shows it: read in one page, with nothing in the
 * way.
 */
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
		url: `${SERVICE_URL}/auth/app-oauth`,
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
		url: `${SERVICE_URL}/api/external/v2/users`,
		headers: { authorization: `Bearer ${accessToken}` },
		timeout: 5000,
	});
	return body as JsonObject[];
}

function sorted(records: readonly JsonObject[]): string[] {
	return records.map((record) => JSON.stringify(record)).sort();
}
