import type { Check } from '../../../../../nodes/VisitorService/diagnosis/finding';
import fc, { assertFromSeveralSeeds } from '../../../../properties';
import type { DeepPartial, Fault, JsonObject, Switches } from '../../../../reference-service';
import {
	type Diagnosed,
	listWithSettings,
	recommendedSettings,
	withDiagnosed,
} from '../../../../unit/nodes/VisitorService/diagnosis/diagnosedService';
import {
	isSeenFailure,
	wrongFindings,
} from '../../../../unit/nodes/VisitorService/diagnosis/wrongFindings';

const RUNS = Number(process.env.DIAGNOSED_SERVICES ?? 100);

const users = fc.constantFrom(0, 1, 2, 3, 4, 5, 7, 10, 20, 33, 50, 51, 100, 101, 250, 600, 1001);

const list: fc.Arbitrary<DeepPartial<Switches['list']>> = fc
	.record({
		envelope: fc.constantFrom('array', 'data', 'content', 'embedded', 'resultList'),
		metadata: fc.constantFrom<Switches['list']['metadata'][]>(
			'standard',
			'none',
			['total'],
			['hasMore'],
		),
		totalLag: fc.constantFrom(0, 0, 20, -7),
		emptyAs: fc.constantFrom('array', 'null'),
		defaultPageSize: fc.constantFrom(10, 20, 25, 50, 100),
		maxPageSize: fc.constantFrom(100, 200, 333, 500, 1000, 2000),
		beyondMaximum: fc.constantFrom('clamp', 'clampKeepingOffsetOfAskedSize', 'error', 'useDefault'),
		pageSizeIgnored: fc.constantFrom(false, false, false, true),
		pageIgnored: fc.constantFrom(false, false, false, false, true),
		firstPageNumber: fc.constantFrom(0, 0, 0, 1),
		pageBeforeFirst: fc.constantFrom('first', 'empty', 'error'),
		pageBeyondEnd: fc.constantFrom('empty', 'lastPage', 'error'),
		hiddenAfterPaging: fc.constantFrom(0, 0, 0, 2, 3, 7, 10, 25, 50),
		duplicatesAcrossPages: fc.constantFrom(0, 0, 1, 3),
		idField: fc.constantFrom('id', 'uuid', null),
		updatedAtField: fc.constantFrom('updatedAt', 'modified', null),
		updatedAtFormat: fc.constantFrom(
			'iso',
			'isoSeconds',
			'isoOffset',
			'isoLocal',
			'epochMs',
			'epochS',
		),
		zoneOffsetMinutes: fc.constantFrom(0, 120, -330),
		sortSpellings: fc.subarray(['field,desc', '-field', 'field:desc', 'field desc'] as const),
		unknownSort: fc.constantFrom('ignored', 'error'),
		naturalOrder: fc.constantFrom('insertion', 'id', 'updatedAt', 'updatedAtDescending'),
		updatedSince: fc.record({
			ignored: fc.constantFrom(false, false, false, true),
			accepted: fc.subarray(['iso', 'isoSeconds', 'epochMs', 'epochS', 'date'] as const),
			unreadable: fc.constantFrom('error', 'ignored', 'empty'),
			misreadEpoch: fc.boolean(),
			inclusive: fc.boolean(),
			precision: fc.constantFrom('ms', 's'),
		}),
		badParameters: fc.constantFrom('refused', 'ignored'),
		badParameter: fc.record({ status: fc.constantFrom(400, 422, 500) }),
		unknownPath: fc.record({ status: fc.constantFrom(404, 403, 401, 400) }),
		paths: fc.record({ companies: fc.constantFrom('companies', 'organizations', null) }),
	})
	// Records both left out and repeated look like other pages altogether; no service is known to do
	// it.
	.map((switches) => ({
		...switches,
		duplicatesAcrossPages: switches.hiddenAfterPaging === 0 ? switches.duplicatesAcrossPages : 0,
	}));

const services = fc.record({
	users,
	switches: fc.record({
		clockOffsetMs: fc.constantFrom(0, 0, 4000, -70_000),
		seeding: fc.record({ idStyle: fc.constantFrom('prefixed', 'integer', 'uuid') }),
		token: fc.record({
			revokePrevious: fc.boolean(),
			lifetimeRequests: fc.constantFrom(0, 0, 0, 1, 4, 9, 17),
			expiresIn: fc.constantFrom('number', 'missing', 'expires_at_epoch_s'),
		}),
		list,
	}),
});

const randomFaults = fc.record({
	share: fc.constantFrom(0.05, 0.1, 0.2, 0.4),
	seed: fc.nat(),
	faults: fc.constant([
		{ status: 500 },
		{ status: 502, body: '<html><body>Bad gateway</body></html>' },
		{ status: 503 },
		{ status: 429, retryAfter: 1 },
		'reset',
		'html',
		'truncatedJson',
		'errorObject200',
		'empty',
	] satisfies Fault[]),
});

/**
 * In how many of a hundred services each of these is known at least: a diagnosis in which one check
 * knows nothing fails. No limit of the rate is drawn; failing services answer 429 now and then.
 * These are the numbers of the usual seeds: with another one, three standard deviations less are
 * within what the draw explains.
 */
const MUST_KNOW: Record<'answering' | 'failing', Record<Check, number>> = {
	answering: {
		tokenExchange: 100,
		tokenField: 100,
		tokenLifetime: 27,
		tokenRevocation: 100,
		usersReadable: 100,
		itemsPath: 95,
		idField: 60,
		updatedAtField: 58,
		pagingMetadata: 95,
		firstPageNumber: 60,
		pageHonoured: 60,
		defaultPageSize: 15,
		pageSizeHonoured: 55,
		maxPageSize: 9,
		sortFormat: 15,
		updatedSinceFormat: 60,
		updatedSinceInclusive: 8,
		badTokenAnswer: 95,
		badParameterAnswer: 20,
		unknownPathAnswer: 60,
		rateLimit: 0,
		clockDifference: 100,
		companiesPath: 15,
		visitsPath: 50,
		tasksPath: 40,
	},
	failing: {
		tokenExchange: 100,
		tokenField: 100,
		tokenLifetime: 35,
		tokenRevocation: 80,
		usersReadable: 95,
		itemsPath: 88,
		idField: 59,
		updatedAtField: 57,
		pagingMetadata: 91,
		firstPageNumber: 52,
		pageHonoured: 57,
		defaultPageSize: 10,
		pageSizeHonoured: 50,
		maxPageSize: 5,
		sortFormat: 5,
		updatedSinceFormat: 38,
		updatedSinceInclusive: 4,
		badTokenAnswer: 80,
		badParameterAnswer: 9,
		unknownPathAnswer: 52,
		rateLimit: 2,
		clockDifference: 100,
		companiesPath: 15,
		visitsPath: 36,
		tasksPath: 29,
	},
};

/** Counts in how many services a check was settled. */
class Knowledge {
	private readonly known = new Map<Check, number>();

	note({ findings }: Diagnosed): void {
		for (const { check, status } of findings) {
			if (check === 'summary' || status === 'unknown') continue;
			this.known.set(check, (this.known.get(check) ?? 0) + 1);
		}
	}

	lacking(required: Record<Check, number>): string[] {
		return Object.entries(required).flatMap(([check, least]) => {
			const count = this.known.get(check as Check) ?? 0;
			const share = least / 100;
			const deviation = Math.sqrt(RUNS * share * (1 - share));
			const margin = process.env.PROPERTY_SEED === undefined ? 0 : 3 * deviation;
			return count >= share * RUNS - margin ? [] : [`${check} is known of ${count} services`];
		});
	}
}

/** What the summary says of the defaults is true, and what it recommends reads no less. */
async function expectNothingLess(diagnosed: Diagnosed): Promise<void> {
	const { meaning } = diagnosed.finding('summary');
	const without = await listWithSettings(diagnosed, {}).catch(() => undefined);
	if (meaning.includes('with the defaults.')) expect(without).toBeDefined();
	const settings = recommendedSettings(diagnosed);
	if (Object.keys(settings).length === 0) return;
	const read = await listWithSettings(diagnosed, settings).catch(() => []);
	// Any page size may end a list too early whose total is too low.
	const mayLack = Math.max(0, -diagnosed.service.switches.list.totalLag);
	expect(different(read)).toBeGreaterThanOrEqual(different(without ?? []) - mayLack);
}

/** Accidents do not make the summary say that List Users works if it fails without them. */
async function expectTrueSummary(diagnosed: Diagnosed): Promise<void> {
	if (!diagnosed.finding('summary').meaning.includes('with the defaults.')) return;
	diagnosed.service.set({ list: { randomFaults: null }, token: { lifetimeRequests: 0 } });
	const { hiddenAfterPaging, totalLag } = diagnosed.service.switches.list;
	const read = await listWithSettings(diagnosed, {});
	const count = diagnosed.service.count('users');
	const every = Number(hiddenAfterPaging);
	const hidden = every > 0 ? Math.floor(count / every) : 0;
	// Any page size may end a list too early whose total is too low.
	expect(different(read)).toBeGreaterThanOrEqual(count - hidden - Math.max(0, -totalLag));
}

/** Users that come twice are not told apart without IDs. */
function different(records: readonly JsonObject[]): number {
	return new Set(records.map((record) => JSON.stringify(record))).size;
}

describe('a diagnosis of services put together at random', () => {
	it('returns no wrong finding, knows enough, and keeps to its budget', async () => {
		const knowledge = new Knowledge();
		await assertFromSeveralSeeds(
			fc.asyncProperty(services, async (personality) => {
				await withDiagnosed({ name: 'random', ...personality }, async (diagnosed) => {
					expect(wrongFindings(diagnosed)).toEqual([]);
					knowledge.note(diagnosed);
					expect(diagnosed.requests.length).toBeLessThanOrEqual(25);
					await expectNothingLess(diagnosed);
				});
			}),
			RUNS,
		);
		expect(knowledge.lacking(MUST_KNOW.answering)).toEqual([]);
	});

	it('returns no wrong finding and knows enough if answers break at random', async () => {
		const knowledge = new Knowledge();
		await assertFromSeveralSeeds(
			fc.asyncProperty(services, randomFaults, async ({ switches, ...personality }, faults) => {
				const broken: DeepPartial<Switches> = {
					...switches,
					list: { ...switches.list, randomFaults: faults },
				};
				await withDiagnosed(
					{ name: 'random', ...personality, switches: broken },
					async (diagnosed) => {
						expect(wrongFindings(diagnosed, isSeenFailure)).toEqual([]);
						knowledge.note(diagnosed);
						expect(diagnosed.requests.length).toBeLessThanOrEqual(25);
						await expectTrueSummary(diagnosed);
					},
				);
			}),
			RUNS,
		);
		expect(knowledge.lacking(MUST_KNOW.failing)).toEqual([]);
	});
});
