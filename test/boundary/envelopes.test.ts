import { readFileSync } from 'node:fs';
import path from 'node:path';
import { MemoryHost } from '../host/memoryHost';
import type { JsonValue } from '../reference-service';

/** What is true of an answer of another service; null if it does not say so. */
interface Expectation {
	resource: string;
	itemsPath: string | null;
	records: number;
	idField: string | null;
	updatedAt: string | null;
	more: boolean | null;
	/** Whether there is no list to be found. */
	error?: boolean;
}

const FOLDERS = {
	'that was collected': '',
	'written down before the rules were tuned': 'further',
	'of a service that no rule was made for': 'unseen',
	'that was misread once': 'mended',
};

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
	itemsPath: ['activecampaign', 'two-lists-users-empty'],
	end: ['drf-last-page', 'spring-page-last', 'sugarcrm', 'todoist-tasks'],
};

type Diagnosed = 'itemsPath' | 'idField' | 'updatedAtField';

const readJson = (...file: string[]): unknown =>
	JSON.parse(readFileSync(path.join(__dirname, '..', 'envelopes', ...file), 'utf8'));

const all = Object.entries(FOLDERS).flatMap(([what, folder]) =>
	Object.entries(readJson(folder, 'expectations.json') as Record<string, Expectation>).map(
		([name, expected]): [string, string, string, Expectation] => [what, name, folder, expected],
	),
);

/** A service that answers page 0 with this answer, and each other page with a plain empty one. */
function hostOf(folder: string, name: string): MemoryHost {
	const answer = readJson(folder, `${name}.json`) as {
		headers: Record<string, string>;
		body: JsonValue;
	};
	const pageFaults = [{ page: 0, fault: { status: 200, ...answer }, times: 0 }];
	return new MemoryHost({ switches: { list: { pageFaults } } });
}

it.each(all)(
	'lists the records, and nothing else, of an answer %s: %s',
	async (_what, name, folder, { resource, records, more, error = false }) => {
		const run = await hostOf(folder, name).execute({
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

it.each(all.filter(([, , , { resource, error }]) => resource === 'user' && error !== true))(
	'diagnoses the list, the ID and the time of change in an answer %s: %s',
	async (_what, name, folder, { itemsPath, idField, updatedAt }) => {
		const { items } = await hostOf(folder, name).execute({
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
