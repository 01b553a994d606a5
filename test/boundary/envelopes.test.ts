import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MemoryHost } from '../host/memoryHost';
import type { JsonValue } from '../reference-service';
import { diagnose, list } from './listedHost';

/** A response of another service, and what is true of it: null if it does not say so. */
interface Envelope {
	name: string;
	expected: {
		resource: 'user' | 'company' | 'visit' | 'task';
		itemsPath: string | null;
		records: number;
		idField: string | null;
		updatedAt: string | null;
		total: number | null;
		more: boolean | null;
		/** Whether there is no list to be found. */
		error?: boolean;
	};
	headers: Record<string, string>;
	body: JsonValue;
}

/** What is not found in some responses, and an error or Diagnose says so. */
const NOT_FOUND = {
	list: ['activecampaign'],
	idField: [
		...['activecampaign', 'adp-workers', 'axis-pacs', 'dayforce', 'dynamics-systemusers'],
		...['dynamodb', 'firestore', 'google-people'],
	],
	updatedAtField: ['activecampaign', 'bitrix24', 'cosmos', 'lightspeed-r', 'totvs-pt'],
	itemsPath: ['activecampaign'],
	total: [
		...['cakephp', 'chinese-names', 'ckan', 'discourse-directory', 'german-names'],
		...['hasura', 'lightspeed-r', 'odoo-web', 'omie', 'sequelize'],
		...['simplybook', 'taiga', 'totvs-pt', 'typeorm-tuple', 'brivo-users'],
		...['django-ninja', 'linode', 'parse', 'sendgrid', 'solace-semp'],
		...['xero-contacts', 'drupal-users', 'odoo-jsonrpc'],
	],
	end: ['drf-last-page', 'spring-page-last', 'sugarcrm', 'todoist-tasks'],
};

const DIAGNOSED = ['itemsPath', 'idField', 'updatedAtField'] as const;

const envelopes = readFileSync(join(__dirname, '..', 'envelopes', 'answers.jsonl'), 'utf8')
	.trim()
	.split('\n')
	.map((line) => JSON.parse(line) as Envelope);

/** A service that returns this as page 0, and a plain empty one as each other page. */
function hostOf({ headers, body }: Pick<Envelope, 'headers' | 'body'>): MemoryHost {
	const pageFaults = [{ page: 0, fault: { status: 200, headers, body }, times: 0 }];
	return new MemoryHost({ switches: { list: { pageFaults } } });
}

it.each(envelopes)(
	'lists the records, and nothing else, of the response $name',
	async ({ name, ...envelope }) => {
		const { resource, records, more, total, error = false } = envelope.expected;
		const run = await list(hostOf(envelope), { resource, options: { maxPages: 1 } });
		expect(run.error !== undefined).toBe(error || NOT_FOUND.list.includes(name));
		if (run.error !== undefined) return;
		expect(run.items).toHaveLength(records);
		if (records === 0) return;
		const mayBeMore = run.hints.some(({ message }) => message.includes('there may be more'));
		expect(mayBeMore).toBe(more !== false || NOT_FOUND.end.includes(name));
		const limited = { resource, returnAll: false, limit: records };
		const { hints } = await list(hostOf(envelope), limited);
		const [, stated] = /^Read [\d,]+ of ([\d,]+) /.exec(hints[0]?.message ?? '') ?? [];
		const isStated = (total ?? 0) > records && !NOT_FOUND.total.includes(name);
		expect(stated?.replaceAll(',', '')).toBe(isStated ? String(total) : undefined);
	},
);

it.each(
	envelopes.filter(({ expected }) => expected.resource === 'user' && expected.error !== true),
)(
	'diagnoses the list, the ID and the time of change in the response $name',
	async ({ name, ...envelope }) => {
		const { updatedAt: updatedAtField, ...expected } = envelope.expected;
		const facts = { ...expected, updatedAtField };
		const { finding } = await diagnose(hostOf(envelope));
		for (const check of DIAGNOSED) {
			const fact = NOT_FOUND[check].includes(name) ? null : facts[check];
			expect([check, finding(check)?.observed ?? null]).toEqual([check, fact]);
		}
	},
);

describe('the ID and the time of change of a user', () => {
	const AT = '2026-03-01T08:00:00Z';
	const person = (id: string) => ({ id, name: `Name of ${id}`, mail: `${id}@example.test` });

	it.each<[string, (id: string) => object, string | null, string | null]>([
		['in an object of any name that is all there is', (id) => ({ x: person(id) }), 'x.id', null],
		['beside less than it holds', (id) => ({ user: person(id), role: 1 }), 'user.id', null],
		['in a resource', (id) => ({ resource: { ...person(id), on: 1 } }), 'resource.id', null],
		['not in what another name has', (id) => ({ x: person(id), role: 'admin' }), null, null],
		[
			'not in what is less',
			(id) => ({ mail: 'a', phone: 'b', role: 'c', item: { id } }),
			null,
			null,
		],
		['not in what else it holds', (id) => ({ company: person(id) }), null, null],
		['not deeper than one object', (id) => ({ data: { data: person(id) } }), null, null],
		['in bookkeeping', (id) => ({ id, meta: { updatedAt: AT } }), 'id', 'meta.updatedAt'],
		[
			'two deep',
			(id) => ({ id, meta: { audit: { updatedAt: AT } } }),
			'id',
			'meta.audit.updatedAt',
		],
		['not three deep', (id) => ({ id, meta: { audit: { dates: { updatedAt: AT } } } }), 'id', null],
	])('is found %s', async (_, recordOf, idField, updatedAt) => {
		const body = { data: ['a', 'b', 'c', 'd'].map(recordOf) } as JsonValue;
		const { finding } = await diagnose(hostOf({ headers: {}, body }));
		const observed = (check: string) => finding(check)?.observed ?? null;
		expect([observed('idField'), observed('updatedAtField')]).toEqual([idField, updatedAt]);
	});
});
