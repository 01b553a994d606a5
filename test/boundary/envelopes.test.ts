import { COLLECTIONS, type Envelope, readEnvelopes } from '../envelopes/read';
import { MemoryHost } from '../host/memoryHost';

/** What is not found in some answers, and an error or Diagnose says so. */
const NOT_FOUND = {
	list: ['activecampaign'],
	idField: [
		'activecampaign',
		'adp-workers',
		'axis-pacs',
		'dayforce',
		'dynamics-systemusers',
		'dynamodb',
		'firestore',
		'google-people',
	],
	updatedAtField: ['activecampaign', 'bitrix24', 'cosmos', 'lightspeed-r', 'totvs-pt'],
	itemsPath: ['activecampaign'],
	end: ['drf-last-page', 'spring-page-last', 'sugarcrm', 'todoist-tasks'],
};

type Diagnosed = 'itemsPath' | 'idField' | 'updatedAtField';

const all = (Object.keys(COLLECTIONS) as Array<keyof typeof COLLECTIONS>).flatMap((collection) =>
	readEnvelopes(collection).map((envelope): [string, string, Envelope] => [
		COLLECTIONS[collection],
		envelope.name,
		envelope,
	]),
);

/** A service that answers page 0 with this answer, and each other page with a plain empty one. */
function hostOf({ headers, body }: Envelope): MemoryHost {
	const pageFaults = [{ page: 0, fault: { status: 200, headers, body }, times: 0 }];
	return new MemoryHost({ switches: { list: { pageFaults } } });
}

it.each(all)(
	'lists the records, and nothing else, of an answer %s: %s',
	async (_what, name, envelope) => {
		const { resource, records, more, error = false } = envelope.expected;
		const run = await hostOf(envelope).execute({
			resource,
			operation: 'list',
			returnAll: true,
			options: { maxPages: 1 },
		});
		expect(run.error !== undefined).toBe(error || NOT_FOUND.list.includes(name));
		if (run.error !== undefined) return;
		expect(run.items).toHaveLength(records);
		if (records === 0) return;
		const mayBeMore = run.hints.some(({ message }) => message.includes('there may be more'));
		expect(mayBeMore).toBe(more !== false || NOT_FOUND.end.includes(name));
	},
);

const diagnosed = all.filter(
	([, , { expected }]) => expected.resource === 'user' && expected.error !== true,
);

it.each(diagnosed)(
	'diagnoses the list, the ID and the time of change in an answer %s: %s',
	async (_what, name, envelope) => {
		const { itemsPath, idField, updatedAt } = envelope.expected;
		const { items } = await hostOf(envelope).execute({
			resource: 'connection',
			operation: 'diagnose',
		});
		const observed = (check: Diagnosed) =>
			items.find((finding) => finding.check === check)?.observed ?? null;
		const unless = (check: Diagnosed, value: string | null) =>
			NOT_FOUND[check].includes(name) ? null : value;
		expect({
			itemsPath: observed('itemsPath'),
			idField: observed('idField'),
			updatedAtField: observed('updatedAtField'),
		}).toEqual({
			itemsPath: unless('itemsPath', itemsPath),
			idField: unless('idField', idField),
			updatedAtField: unless('updatedAtField', updatedAt),
		});
	},
);
