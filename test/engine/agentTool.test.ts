import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type INodeParameters,
	type INodeProperties,
	type INodeType,
	jsonParse,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { type ReferenceService, syntheticRecord } from '../reference-service';
import { CredentialStore } from './harness/credentialStore';
import { type RunResult, runWorkflow } from './harness/runWorkflow';
import { credentialFor, HOSTS, loadPackage, seenBy, tenants } from './tenants';

const TOOL = 'n8n-nodes-visitor-service.visitorServiceTool';
const AGENT = 'test.agent';

/** What n8n makes of a node for an agent: a structured tool of LangChain. */
interface AgentTool {
	name: string;
	description: string;
	schema: { shape: Record<string, unknown> };
	invoke(toolArguments: IDataObject): Promise<string>;
}

/**
 * An agent without a model: it calls its tool once for each item, with the item as the arguments.
 */
class ScriptedAgent implements INodeType {
	description: INodeType['description'] = {
		displayName: 'Agent',
		name: 'agent',
		group: ['transform'],
		version: 1,
		description: 'Calls its tool',
		defaults: { name: 'Agent' },
		inputs: [NodeConnectionTypes.Main, NodeConnectionTypes.AiTool],
		outputs: [NodeConnectionTypes.Main],
		properties: [],
	};

	async execute(this: IExecuteFunctions) {
		const connected = await this.getInputConnectionData(NodeConnectionTypes.AiTool, 0);
		const [tool] = connected as AgentTool[];
		if (tool === undefined) throw new Error('No tool is connected.');
		const answers: IDataObject[] = [];
		for (const { json } of this.getInputData()) {
			const answer = await tool.invoke(json);
			answers.push({ answer, name: tool.name, description: tool.description });
		}
		const names = Object.keys(tool.schema.shape);
		return [answers.map((json) => ({ json: { ...json, arguments: names } }))];
	}
}

/** What n8n adds to the parameters of a tool: who describes it to the model. */
const TOOL_PARAMETERS: INodeProperties[] = [
	{ displayName: 'Description', name: 'descriptionType', type: 'options', default: 'auto' },
	{ displayName: 'Description', name: 'toolDescription', type: 'string', default: '' },
];

/**
 * The node as n8n wraps it for agents (`tool-generation/ai-tools.js`): no input, and a tool for its
 * output.
 */
function asTool(node: INodeType): INodeType {
	const description = {
		...node.description,
		name: `${node.description.name}Tool`,
		inputs: [],
		outputs: [NodeConnectionTypes.AiTool],
		properties: [...TOOL_PARAMETERS, ...node.description.properties],
	};
	return Object.create(node, { description: { value: description } }) as INodeType;
}

/** The parameters of a tool of the example with an agent. */
function exampleTool(name: string): INodeParameters {
	const file = join(__dirname, '..', '..', 'examples', 'agent-who-is-visiting.json');
	const { nodes } = jsonParse<{ nodes: INode[] }>(readFileSync(file, 'utf8'));
	const tool = nodes.find((node) => node.name === name);
	if (tool === undefined) throw new Error(`The example has no tool "${name}".`);
	return tool.parameters;
}

const start = tenants();

const PAGE = "={{ $fromAI('page', 'Page to read; the first one is 0', 'number', 0) }}";
const SINCE = "={{ $fromAI('since', 'Only users changed since this time', 'string', '') }}";

describe.each(HOSTS)('The node as a tool of an agent, as n8n %s stores credentials', (host) => {
	let service: ReferenceService;
	let call: (calls: IDataObject[], parameters?: INodeParameters) => Promise<RunResult>;

	beforeEach(async () => {
		service = await start();
		await service.seed('users', 2_500);
		const { VisitorService, VisitorServiceApi } = loadPackage();
		const store = new CredentialStore(new VisitorServiceApi(), host);
		const credentials = store.add(credentialFor(service), 'one');
		call = async (calls, parameters = {}) =>
			await runWorkflow({
				nodeTypes: { [TOOL]: asTool(new VisitorService()), [AGENT]: new ScriptedAgent() },
				credentials: store,
				items: calls,
				nodes: [
					{
						type: TOOL,
						name: 'List Users',
						credentials,
						parameters: { resource: 'user', operation: 'list', ...parameters },
					},
					{ type: AGENT, name: 'Agent' },
				],
				connections: {
					Input: { main: [[{ node: 'Agent', type: NodeConnectionTypes.Main, index: 0 }]] },
					'List Users': {
						ai_tool: [[{ node: 'Agent', type: NodeConnectionTypes.AiTool, index: 0 }]],
					},
				},
			});
	});

	const records = (result: RunResult, index = 0) =>
		jsonParse<Array<Record<string, string>>>(result.json()[index]?.answer as string);

	it('describes the node to the model, and returns 50 records in one request unless told otherwise', async () => {
		const result = await call([{}]);
		expect(result.error).toBeUndefined();
		expect(result.json()[0]).toMatchObject({
			name: 'List_Users',
			description: 'List users in Visitor Service',
			arguments: [],
		});
		expect(records(result)).toHaveLength(50);
		expect(seenBy(service)).toEqual({ exchanges: 1, lists: { 200: 1 } });
	});

	it('takes what the model says for the parameters that are left to it', async () => {
		const result = await call(
			[
				{ page: 1, since: '' },
				{ page: 0, since: '2025-12-01T00:00:00Z' },
			],
			{
				page: PAGE,
				limit: 10,
				filters: { updatedSince: SINCE },
				options: { pageSize: 10, fields: 'id,updatedAt' },
			},
		);
		expect(result.error).toBeUndefined();
		expect(result.json()[0]?.arguments).toEqual(['page', 'since']);
		expect(records(result).map(({ id }) => id)).toEqual(
			Array.from({ length: 10 }, (_, index) => `user-${String(index + 11).padStart(6, '0')}`),
		);
		expect(Object.keys(records(result)[0] ?? {})).toEqual(['id', 'updatedAt']);
		const changed = records(result, 1).map(({ updatedAt = '' }) => updatedAt);
		expect(changed).toHaveLength(10);
		expect(changed.every((time) => time >= '2025-12-01')).toBe(true);
	});

	it('finds the visits of a day among 20,000 in one call, with the tool of the example', async () => {
		await service.seed('visits', 20_000);
		const parameters = exampleTool('Find Visits');
		const day = '2025-09-01';
		const ofThatDay = Array.from({ length: 20_000 }, (_, n) =>
			syntheticRecord('visits', n + 1),
		).filter(({ expectedAt }) => JSON.stringify(expectedAt).startsWith(`"${day}`));
		const result = await call([{ firstDay: day, lastDay: day, limit: 200 }], parameters);
		expect(result.error).toBeUndefined();
		expect(ofThatDay.length).toBeGreaterThan(90);
		expect(records(result)).toEqual(ofThatDay);
		expect(result.json()[0]?.arguments).toEqual(['firstDay', 'lastDay', 'limit']);
		expect(seenBy(service)).toEqual({ exchanges: 1, lists: { 200: 200 } });
	});

	it('says in the description of the tool that there may be more, and returns it with a higher limit', async () => {
		await service.seed('visits', 2_000);
		const days = { firstDay: '2025-07-01', lastDay: '2025-12-31' };
		const calls = [
			{ ...days, limit: 50 },
			{ ...days, limit: 150 },
		];
		const result = await call(calls, exampleTool('Find Visits'));
		expect(records(result)).toHaveLength(50);
		expect(result.json()[0]?.description).toContain(
			'If it returns exactly as many as the limit, there may be more',
		);
		expect(records(result, 1)).toHaveLength(150);
		expect(records(result, 1).slice(0, 50)).toEqual(records(result));
	});

	it('finds a user by a field and a text the model chooses', async () => {
		const calls = [{ field: 'email', text: 'USER-000123@', limit: 50 }];
		const result = await call(calls, exampleTool('Find Users'));
		expect(records(result)).toEqual([syntheticRecord('users', 123)]);
	});

	it('finds one user by a value the model chooses, and reads no further', async () => {
		const value = "={{ $fromAI('email', 'E-mail address of the user', 'string') }}";
		const calls = [{ email: 'USER-000123@example.test' }, { email: 'nobody@example.test' }];
		const result = await call(calls, { operation: 'find', field: 'email', value });
		expect(result.json()[0]).toMatchObject({
			description: 'Find a user in Visitor Service',
			arguments: ['email'],
		});
		expect(records(result)).toEqual([syntheticRecord('users', 123)]);
		expect(records(result, 1)).toEqual([]);
	});

	it('tells the model in two sentences what failed and what to do, and nothing secret', async () => {
		const result = await call([{}], { resource: 'visit', pathSegment: 'no-such-list' });
		expect(result.error?.message).toMatch(
			/The service has nothing at \/api\/external\/v2\/no-such-list.*\n\nDetails: .*Path Segment/,
		);
		expect(JSON.stringify(result.run)).not.toContain(service.clientSecret);
	});
});
