import type { INodeParameters } from 'n8n-workflow';
import { signed } from '../../boundary/webhook/trigger';
import { MemoryHost } from '../../host/memoryHost';
import { PublishedWorkflow } from '../../host/publishedWorkflow';
import type { JsonValue } from '../../reference-service';

export type Row = Record<string, unknown>;

/** What a service answers with, or sends. */
export interface Content {
	records: Row[];
	/** Beside the list. */
	beside?: Row;
	/** All records come on the first page, however many are asked for. */
	isWhole?: boolean;
}

/** Each way through the package that reads what others wrote. */
export type Way = (content: Content) => Promise<void>;

const TIME = '2026-03-02T08:00:00Z';

function hostWith({ records, beside, isWhole = false }: Content): MemoryHost {
	const pageBody = ({ page = '0', pageSize = '100' }: Record<string, string>) => {
		const size = isWhole ? records.length : Number(pageSize);
		const data = records.slice(Number(page) * size, (Number(page) + 1) * size);
		return { data, total: records.length, ...beside } as unknown as JsonValue;
	};
	return new MemoryHost({
		switches: { list: { respondWith: ({ query }) => ({ status: 200, body: pageBody(query) }) } },
	});
}

const execute =
	(parameters: INodeParameters): Way =>
	async (content) => {
		await hostWith(content).execute({
			resource: 'user',
			operation: 'list',
			returnAll: true,
			...parameters,
		});
	};

/** Publishing, a poll without changes and one with a change in each record. */
const poll =
	(parameters: INodeParameters): Way =>
	async (content) => {
		const host = hostWith(content);
		const workflow = new PublishedWorkflow(host, [{ node: 'polling', parameters }]);
		await workflow.publish().catch(() => undefined);
		for (const updatedAt of [TIME, '2026-03-02T08:30:00Z']) {
			host.time.pass(600_000);
			for (const record of content.records) record.updatedAt &&= updatedAt;
			await workflow.tryPoll();
		}
	};

const condition = (field: string, is: string, value: string) => ({
	conditions: [{ field, condition: is, value }],
});

const deliver =
	(parameters: INodeParameters, wrap: (text: string) => string = (text) => text): Way =>
	async ({ records, beside }) => {
		const host = new MemoryHost();
		host.credentials.put('one', { webhookSecret: 'synthetic-webhook-secret' });
		const workflow = new PublishedWorkflow(host, [{ node: 'webhook', parameters }]);
		const body = wrap(JSON.stringify({ type: 'changed', data: records, ...beside }));
		await workflow.deliver(signed(body) as never);
	};

export const ways: Record<string, Way> = {
	list: execute({}),
	find: execute({ operation: 'find', field: 'name', value: 'nobody' }),
	conditions: execute({ match: condition('name', 'contains', 'x') }),
	'output fields': async (content) =>
		await execute({
			match: condition('at', 'before', '2090-01-01'),
			options: { fields: Object.keys(content.records[0] ?? {}) },
		})(content),
	'fields menu': async (content) => {
		await hostWith(content)
			.loadOptions('getFields', { resource: 'user' })
			.catch(() => undefined);
	},
	Diagnose: execute({ resource: 'connection', operation: 'diagnose' }),
	'Trigger On Created or Updated': poll({}),
	'Trigger On Created': poll({ triggerOn: 'created' }),
	'Trigger On Updated': poll({ triggerOn: 'updated' }),
	'Trigger On Removed': poll({ triggerOn: 'removed' }),
	'Trigger On Starts to Match': poll({
		triggerOn: 'startsToMatch',
		match: condition('name', 'contains', 'x'),
	}),
	'Trigger On of visits': poll({ resource: 'visit' }),
	webhook: deliver({
		events: 'created',
		match: condition('type', 'contains', 'x'),
		options: { ignoreRepeats: true },
	}),
	'webhook, each element': deliver({ options: { itemsPath: 'data', ignoreRepeats: true } }),
	'webhook, form': deliver({}, (text) => `payload=${encodeURIComponent(text)}`),
	'token answer': async ({ records, beside }) => {
		const template = { access_token: '{token}', data: records, ...beside } as unknown as JsonValue;
		const host = new MemoryHost({ switches: { token: { response: { template } } } });
		await host.execute({ resource: 'user', operation: 'list' });
	},
};
