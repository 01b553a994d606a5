import {
	CHECKS,
	type Check,
	type Finding,
} from '../../../../../nodes/VisitorService/diagnosis/finding';
import fc, { assertFromSeveralSeeds } from '../../../../properties';
import {
	diagnoseInMemory,
	NOW,
} from '../../../../unit/nodes/VisitorService/diagnosis/memoryTenant';
import { type DrawnTenant, habits, tenantOf, visibleOf } from './drawnTenant';

const RUNS = Number(process.env.DIAGNOSED_TENANTS ?? 2000);

/**
 * Of all tenants drawn the share of which a check must know the truth, so that a diagnosis that
 * knows nothing fails.
 */
const MUST_KNOW: Partial<Record<Check, number>> = {
	tokenExchange: 1,
	tokenField: 1,
	tokenRevocation: 0.95,
	usersReadable: 1,
	itemsPath: 0.9,
	idField: 0.9,
	updatedAtField: 0.5,
	pagingMetadata: 0.9,
	firstPageNumber: 0.7,
	pageHonoured: 0.75,
	defaultPageSize: 0.2,
	pageSizeHonoured: 0.6,
	maxPageSize: 0.1,
	sortFormat: 0.14,
	updatedSinceFormat: 0.6,
	updatedSinceInclusive: 0.15,
	badTokenAnswer: 0.95,
	badParameterAnswer: 0.3,
	unknownPathAnswer: 0.75,
	clockDifference: 0.95,
	companiesPath: 0.3,
};

describe('a diagnosis of tenants drawn at random', () => {
	it('says nothing wrong, knows enough, tries List Users, and recommends nothing that reads less', async () => {
		const known = new Map<Check, number>();
		let recommended = 0;
		let untried = 0;
		await assertFromSeveralSeeds(
			fc.asyncProperty(habits, async (drawn) => {
				const tenant = tenantOf(drawn);
				const { finding, requests, list } = await diagnoseInMemory(tenant);
				expect(wrongOf(tenant, CHECKS.map(finding))).toEqual([]);
				expect(requests).toBeLessThanOrEqual(25);
				for (const check of CHECKS) {
					if (finding(check).status !== 'unknown') known.set(check, (known.get(check) ?? 0) + 1);
				}
				const { meaning, setting, status } = finding('summary');
				const without = await list({}).catch(() => undefined);
				if (status === 'unknown') untried++;
				const isWhole = without !== undefined && without.length === visibleOf(drawn);
				if (meaning.includes('works with the defaults')) expect(isWhole).toBe(true);
				if (/List Users (fails|works only)/.test(meaning)) expect(isWhole).toBe(false);
				const settings = setting?.['List Users'];
				if (settings === undefined) return;
				recommended++;
				const records = await list(settings).catch(() => []);
				expect(records.length).toBeGreaterThanOrEqual(without?.length ?? 0);
			}),
			RUNS,
		);
		const tooFew = Object.entries(MUST_KNOW).filter(
			([check, share]) => (known.get(check as Check) ?? 0) < share * RUNS,
		);
		expect(tooFew).toEqual([]);
		expect(recommended).toBeGreaterThan(RUNS / 4);
		expect(untried).toBeLessThan(RUNS / 50);
	});

	it('says nothing wrong if the list changes once while it is asked', async () => {
		const changes = fc.record({
			before: fc.integer({ min: 1, max: 20 }),
			kind: fc.constantFrom('added', 'firstRemoved', 'oneRemoved'),
		});
		await assertFromSeveralSeeds(
			fc.asyncProperty(habits, changes, async (drawn, { before, kind }) => {
				const tenant = tenantOf(drawn, kind === 'added');
				const updatedAt = new Date(NOW).toISOString();
				const added = { id: 'user-99999', lastName: 'name-999999' };
				tenant.beforeRequest = (number, users) => {
					if (number !== before) return;
					if (kind === 'added')
						users.unshift(drawn.updates === 'all' ? { ...added, updatedAt } : added);
					else users.splice(kind === 'firstRemoved' ? 0 : Math.floor(users.length / 2), 1);
				};
				const { finding } = await diagnoseInMemory(tenant);
				expect(wrongOf(tenant, CHECKS.map(finding))).toEqual([]);
			}),
			RUNS / 2,
		);
	});
});

/** Findings that are neither true nor unknown. */
function wrongOf({ truth }: DrawnTenant, findings: readonly Finding[]): Finding[] {
	return findings.filter(
		({ check, status, observed }) =>
			status !== 'unknown' && truth[check as Check]?.includes(observed) !== true,
	);
}
