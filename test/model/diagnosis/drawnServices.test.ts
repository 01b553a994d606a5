import type { IDataObject } from 'n8n-workflow';
import type { Check, Finding } from '../../../nodes/VisitorService/diagnosis/finding';
import { readDotPath } from '../../../nodes/VisitorService/values/json';
import { listWith, type ShownFinding, shownFinding } from '../../boundary/diagnose/diagnosed';
import { itemsPathOf } from '../../boundary/diagnose/facts';
import { isSeenFailure, wrongFindings } from '../../boundary/diagnose/wrongFindings';
import { hostWith, list, listOf } from '../../boundary/listedHost';
import {
	brokenResponses,
	type DiagnosedService,
	diagnosedServices,
	userOf,
} from '../../drawn/diagnosedService';
import type { MemoryHost } from '../../host/memoryHost';
import fc, { assertFromSeveralSeeds, isNightly } from '../../properties';
import { syntheticRecord } from '../../reference-service';
import type { VisitorService } from '../../reference-service/service';

const RUNS = Number(process.env.DIAGNOSED_SERVICES ?? (isNightly ? 600 : 150));
const MAX_REQUESTS = 25;

/** What a diagnosis reads of the list: it says nothing of the pages after these. */
const PAGES_READ = { maxPages: 3 };

/**
 * In how many of a hundred services each of these is known at least. A check that is not here may
 * know nothing.
 */
const MUST_KNOW: Partial<Record<Check, number>> = {
	tokenExchange: 100,
	tokenField: 100,
	// Only `expires_in` in seconds is read; of other forms the 401 tells.
	tokenLifetime: 20,
	tokenRevocation: 95,
	usersReadable: 100,
	itemsPath: 90,
	idField: 60,
	updatedAtField: 50,
	pagingMetadata: 90,
	firstPageNumber: 45,
	pageHonoured: 55,
	// It takes a list of more than 100 users, of whom nobody is left out of pages.
	defaultPageSize: 7,
	pageSizeHonoured: 55,
	maxPageSize: 2,
	sortFormat: 14,
	updatedSinceFormat: 40,
	badTokenAnswer: 95,
	unknownPathAnswer: 60,
	// One in ten sends no `Date`.
	clockDifference: 85,
	companiesPath: 15,
	// What is asked last. Page 1 is read before a list counts as empty or unreadable.
	visitsPath: 47,
	tasksPath: 38,
};

const ADDED = { ...syntheticRecord('users', 99_999), updatedAt: '2026-03-01T08:00:00.000Z' };

/** @param happens is called before each list gets a response, with the number of the request */
async function diagnose(
	drawn: DiagnosedService,
	happens: (service: VisitorService, number: number) => Promise<void> = () => Promise.resolve(),
) {
	const users = listOf(drawn.users, (index) => userOf(drawn, index + 1));
	const lists = { users, companies: 30, visits: 30, tasks: 30 };
	const host = await hostWith(lists, { switches: drawn.switches });
	const { service } = host;
	service.onListRequest(async ({ number }) => await happens(service, number));
	const { items, error } = await list(host, { resource: 'connection', operation: 'diagnose' });
	expect(error).toBeUndefined();
	expect(service.requests.length).toBeLessThanOrEqual(MAX_REQUESTS);
	const findings = items.map((item) => shownFinding(item as unknown as Finding));
	const [summary] = findings;
	if (summary === undefined) throw new Error('There is no summary.');
	return { host, findings, summary };
}

/** Users that come twice are not told apart without IDs. */
const different = (records: readonly IDataObject[] = []) =>
	new Set(records.map((record) => JSON.stringify(record))).size;

/**
 * How many users the first three pages hold, by the service itself, which no accident meets here:
 * page 0 in the usual size, and two more in the size in which it came.
 */
function usersOnFirstPages({ service }: MemoryHost): number {
	const fetchPage = (page: number, pageSize: number): IDataObject[] => {
		const body = service.page('users', { page: `${page}`, pageSize: `${pageSize}` });
		const list = body && readDotPath(JSON.parse(body), itemsPathOf(service.switches.list));
		return (list || []) as IDataObject[];
	};
	const first = fetchPage(0, 100);
	const others = first.length === 0 ? [] : [1, 2].flatMap((page) => fetchPage(page, first.length));
	return different([...first, ...others]);
}

/** That List Users reads these pages with the defaults, all of the users on them. */
async function expectFirstPages(host: MemoryHost): Promise<void> {
	const records = await listWith(host, PAGES_READ);
	expect(records).toBeDefined();
	expect(different(records)).toBeGreaterThanOrEqual(usersOnFirstPages(host));
}

/** Counts the checks that were settled, and what the summaries say of List Users. */
class Knowledge {
	private readonly counts = new Map<string, number>();

	note(findings: readonly ShownFinding[]): void {
		const settled = findings.filter(({ status }) => status !== 'unknown');
		for (const { check } of settled) this.count(check);
	}

	count(name: string): void {
		this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
	}

	lacking(required: Readonly<Record<string, number>>): string[] {
		return Object.entries(required).flatMap(([name, least]) => {
			const count = this.counts.get(name) ?? 0;
			const share = least / 100;
			// Of another seed, what the draw explains may be missing.
			const deviation = Math.sqrt(RUNS * share * (1 - share));
			const margin = process.env.PROPERTY_SEED === undefined ? 0 : 3 * deviation;
			return count >= share * RUNS - margin ? [] : [`${name}: ${count} of ${RUNS} services`];
		});
	}
}

type Verdict = 'works' | 'needs' | 'fails' | 'unclear';

/** How List Users does, by the summary. */
function verdictOf({ meaning, status }: ShownFinding): Verdict {
	if (/\bworks with the defaults on the pages that were read\./.test(meaning)) return 'works';
	if (/List Users works only with other settings/.test(meaning)) return 'needs';
	if (/^List Users fails/.test(meaning)) return 'fails';
	// Any other sentence would leave the summary without a judge.
	expect(status).toBe('unknown');
	return 'unclear';
}

describe('Diagnose of drawn services', () => {
	it('says nothing wrong, knows enough, and recommends nothing that reads less', async () => {
		const knowledge = new Knowledge();
		await assertFromSeveralSeeds(
			fc.asyncProperty(diagnosedServices, async (drawn) => {
				const { host, findings, summary } = await diagnose(drawn);
				expect(wrongFindings({ findings, service: host.service })).toEqual([]);
				knowledge.note(findings);
				const verdict = verdictOf(summary);
				knowledge.count(verdict);
				if (verdict === 'works') await expectFirstPages(host);
				const without = await listWith(host, {});
				const settings = summary.setting?.['List Users'];
				if (settings === undefined) return;
				const read = different(await listWith(host, settings));
				const lag = Math.max(0, -host.service.switches.list.totalLag);
				expect(read).toBeGreaterThanOrEqual(different(without) - lag);
			}),
			RUNS,
		);
		expect(knowledge.lacking({ ...MUST_KNOW, works: 30, needs: 3, fails: 1 })).toEqual([]);
	});

	it('says nothing wrong if responses break at random', async () => {
		const knowledge = new Knowledge();
		await assertFromSeveralSeeds(
			fc.asyncProperty(diagnosedServices, brokenResponses, async (drawn, randomFaults) => {
				const { switches } = drawn;
				const broken = { ...switches, list: { ...switches.list, randomFaults } };
				const { host, findings, summary } = await diagnose({ ...drawn, switches: broken });
				expect(wrongFindings({ findings, service: host.service }, isSeenFailure)).toEqual([]);
				const verdict = summary.status === 'failed' ? 'fails' : verdictOf(summary);
				knowledge.count(verdict);
				if (verdict !== 'works') return;
				// Accidents do not make the summary say that List Users works if it fails without them.
				host.service.set({ list: { randomFaults: null }, token: { lifetimeRequests: 0 } });
				await expectFirstPages(host);
			}),
			RUNS,
		);
		expect(knowledge.lacking({ works: 20 })).toEqual([]);
	});

	it('says nothing wrong if the list changes once while it is asked', async () => {
		const changes = fc.record({
			before: fc.integer({ min: 1, max: 20 }),
			kind: fc.constantFrom('added', 'firstRemoved', 'oneRemoved'),
		});
		await assertFromSeveralSeeds(
			fc.asyncProperty(diagnosedServices, changes, async (drawn, { before, kind }) => {
				const index = kind === 'firstRemoved' ? 1 : Math.ceil(drawn.users / 2);
				const { id } = userOf(drawn, Math.max(1, index));
				const { host, findings } = await diagnose(drawn, async (service, number) => {
					if (number !== before) return;
					if (kind === 'added') await service.upsert('users', { ...ADDED });
					else await service.remove('users', id);
				});
				// Both what was there before and what is there now are true.
				const { service } = host;
				const { switches } = service;
				const wrongBefore = wrongFindings({
					findings,
					service: { switches, count: () => drawn.users },
				});
				const wrong = wrongFindings({ findings, service });
				expect(wrong.filter((finding) => wrongBefore.includes(finding))).toEqual([]);
			}),
			RUNS,
		);
	});
});
