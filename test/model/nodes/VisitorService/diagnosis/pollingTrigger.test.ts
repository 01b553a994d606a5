import type { UpdatedSinceFormat } from '../../../../../nodes/VisitorService/answer/updatedSince';
import {
	type Diagnosed,
	diagnosed,
} from '../../../../unit/nodes/VisitorService/diagnosis/diagnosedService';
import { diagnoseInMemory } from '../../../../unit/nodes/VisitorService/diagnosis/memoryTenant';
import { oddTenants } from '../../../../unit/nodes/VisitorService/diagnosis/oddTenants';
import { workingPersonalities } from '../../../../unit/nodes/VisitorService/diagnosis/personalities';
import {
	type Polled,
	polledService,
} from '../../../../unit/nodes/VisitorService/diagnosis/polledService';

const TENANTS = [
	...workingPersonalities.map((personality) => ({
		...personality,
		diagnose: async () => await diagnosed(personality),
	})),
	...oddTenants.map((tenant) => ({
		...tenant,
		diagnose: async () => (await diagnoseInMemory(tenant)).diagnosed,
	})),
	// The Polling Trigger takes a 404 for a wrong path, also if no user was changed.
].filter(({ name }) => name !== 'an empty filter and a page after the end get 404');

/** What the summary said of the trigger, so that a sentence that is reworded is noticed. */
const said = new Set<string>();

describe('a diagnosis, of the Polling Trigger', () => {
	it.each(TENANTS)(
		'says of the trigger what its first poll finds out: $name',
		async ({ diagnose, itemsPath }) => {
			const run = await diagnose();
			const { finding } = run;
			const settings = { itemsPath, ...finding('summary').setting?.['Polling Trigger'] };
			const { observed, status } = finding('updatedSinceFormat');
			const format = status === 'ok' ? (observed as UpdatedSinceFormat) : 'iso';
			const polled = await polledService(run, format, settings);
			const { meaning } = finding('summary');
			if (meaning.includes('Page 0 should be the first page')) expect(polled.kind).toBe('failed');
			const needs = /The Polling Trigger needs ([^.]*)/.exec(meaning)?.[1];
			if (/has no such settings|List Users fails/.test(meaning)) {
				said.add('cannot');
				expect(finding('summary').setting?.['Polling Trigger']).toBeUndefined();
			} else if (needs === undefined) {
				said.add('can');
				expectSame(run, polled);
			} else {
				said.add('needs');
				expect(errorOf(polled)).toContain(needs.split(' and ')[0]);
			}
		},
	);

	it('says of some tenants that the trigger can, cannot, and needs something', () => {
		expect([...said].sort()).toEqual(['can', 'cannot', 'needs']);
	});
});

/** That fields and filter are those the trigger uses. */
function expectSame({ finding }: Diagnosed, polled: Polled): void {
	if (polled.kind === 'opened') {
		const { id, updatedAt } = polled.list.fields;
		expect([finding('idField').observed, finding('updatedAtField').observed]).toEqual([
			id,
			updatedAt,
		]);
	}
	const { status, meaning } = finding('updatedSinceFormat');
	const { reads } = polled.kind === 'opened' ? polled.list : {};
	if (status === 'ok') expect(['changes', 'allIncomplete']).toContain(reads ?? errorOf(polled));
	if (meaning.includes('reads all users each time')) expect(reads).toBe('allIgnored');
	if (meaning.includes('and the Polling Trigger cannot')) expect(polled.kind).toBe('failed');
}

function errorOf(polled: Polled): string {
	return polled.kind === 'failed' ? polled.failure.message : polled.kind;
}
