import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeParameters,
	type INodeProperties,
	type INodeType,
	jsonParse,
	NodeConnectionTypes,
} from 'n8n-workflow';

import type { ReferenceService } from '../reference-service';
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

	it('tells the model in two sentences what failed and what to do, and nothing secret', async () => {
		const result = await call([{}], { resource: 'visit', pathSegment: 'no-such-list' });
		expect(result.error?.message).toMatch(
			/The service has nothing at \/api\/external\/v2\/no-such-list.*\n\nDetails: .*Path Segment/,
		);
		expect(JSON.stringify(result.run)).not.toContain(service.clientSecret);
	});
});
