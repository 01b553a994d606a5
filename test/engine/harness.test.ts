import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import {
	type ICredentialDataDecryptedObject,
	type ICredentialType,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type IPollFunctions,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { CredentialStore, type HostVersion } from './harness/credentialStore';
import { pollContext } from './harness/pollContext';
import { runWorkflow } from './harness/runWorkflow';

const credentialType: ICredentialType = {
	name: 'smokeApi',
	displayName: 'Smoke',
	properties: [
		{ displayName: 'Name', name: 'name', type: 'string', default: '' },
		{ displayName: 'Token', name: 'token', type: 'hidden', default: '' },
		{
			displayName: 'Valid',
			name: 'valid',
			type: 'hidden',
			default: '',
			typeOptions: { expirable: true },
		},
	],
	preAuthentication: ({ name }) =>
		Promise.resolve({
			token: `token of ${typeof name === 'string' ? name : ''}`,
			valid: '={{ $self.token === "" ? "" : "yes" }}',
		}),
	authenticate: {
		type: 'generic',
		properties: { headers: { Authorization: '=Bearer {{ $credentials.token }}' } },
	},
};

class SmokeNode implements INodeType {
	description: INodeType['description'] = {
		displayName: 'Smoke',
		name: 'smoke',
		group: ['transform'],
		version: 1,
		description: '',
		defaults: { name: 'Smoke' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'smokeApi', required: true }],
		properties: [{ displayName: 'Factor', name: 'factor', type: 'number', default: 2 }],
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const credentials = await this.getCredentials('smokeApi', 0);
		const factor = this.getNodeParameter('factor', 0) as number;
		return [
			this.getInputData().map((item, index) => ({
				json: { value: Number(item.json.value) * factor, valid: credentials.valid },
				pairedItem: { item: index },
			})),
		];
	}
}

const helpers = {
	helpers: { httpRequest: () => Promise.resolve({}) },
};

describe('the engine harness', () => {
	it('runs a node in the real engine with default parameters and a stored credential', async () => {
		const credentials = new CredentialStore([credentialType]);
		const used = credentials.add('smokeApi', { name: 'A' });
		const result = await runWorkflow({
			nodeTypes: { 'test.smoke': new SmokeNode() },
			nodes: [{ type: 'test.smoke', credentials: used }],
			credentials,
			items: [{ value: 1 }, { value: 21 }],
		});
		expect(result.error).toBeUndefined();
		expect(result.status).toBe('success');
		expect(result.json()).toEqual([
			{ value: 2, valid: '' },
			{ value: 42, valid: '' },
		]);
		expect(credentials.reads).toBe(1);
	});

	it('keeps the error of a failed run', async () => {
		const result = await runWorkflow({
			nodeTypes: { 'test.smoke': new SmokeNode() },
			nodes: [{ type: 'test.smoke' }],
		});
		expect(result.status).toBe('error');
		expect(result.error?.message).toContain('credential');
	});

	it.each<HostVersion>(['1.123.81', '2.41.1'])(
		'stores what preAuthentication returns and resolves it on the next read, as n8n %s does',
		async (host) => {
			const credentials = new CredentialStore([credentialType], host);
			const used = credentials.add('smokeApi', { name: 'A' }, 'one');
			const result = await runWorkflow({
				nodeTypes: { 'test.smoke': new SmokeNode() },
				nodes: [{ type: 'test.smoke', credentials: used }],
				credentials,
				items: [{ value: 1 }],
			});
			const node = { ...nodeWith(used) };
			const data: ICredentialDataDecryptedObject = { name: 'A', token: '', valid: '' };
			await credentials.preAuthentication(helpers, data, 'smokeApi', node, false);
			expect(credentials.writes).toBe(1);
			expect(credentials.peek('one')).toMatchObject({
				name: 'A',
				token: 'token of A',
				valid: '={{ $self.token === "" ? "" : "yes" }}',
			});
			expect(result.json()).toEqual([{ value: 2, valid: '' }]);

			const again = await runWorkflow({
				nodeTypes: { 'test.smoke': new SmokeNode() },
				nodes: [{ type: 'test.smoke', credentials: used }],
				credentials,
				items: [{ value: 1 }],
			});
			expect(again.json()).toEqual([{ value: 2, valid: 'yes' }]);
		},
	);

	it('sends an authenticated request, repeated once with a fresh token after a 401', async () => {
		const seen: Array<string | undefined> = [];
		const server = createServer((request, response) => {
			seen.push(request.headers.authorization);
			const ok = request.headers.authorization === 'Bearer token of A';
			response.writeHead(ok ? 200 : 401, { 'content-type': 'application/json' }).end('{"ok":true}');
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
		try {
			const credentials = new CredentialStore([credentialType]);
			const used = credentials.add('smokeApi', { name: 'A', token: 'old', valid: 'yes' }, 'one');
			const node = new SmokeNode();
			node.execute = async function (this: IExecuteFunctions) {
				const json: unknown = await this.helpers.httpRequestWithAuthentication.call(
					this,
					'smokeApi',
					{ url },
				);
				return [[{ json: json as IDataObject }]];
			};
			const result = await runWorkflow({
				nodeTypes: { 'test.smoke': node },
				nodes: [{ type: 'test.smoke', credentials: used }],
				credentials,
			});
			expect(result.error).toBeUndefined();
			expect(result.json()).toEqual([{ ok: true }]);
			expect(seen).toEqual(['Bearer old', 'Bearer token of A']);
			expect(credentials.peek('one').token).toBe('token of A');
		} finally {
			await new Promise((resolve) => server.close(resolve));
		}
	});

	it('calls preAuthentication only for an empty expirable field or a refused request', async () => {
		const credentials = new CredentialStore([credentialType]);
		const node = nodeWith(credentials.add('smokeApi', { name: 'A' }));
		const data: ICredentialDataDecryptedObject = { name: 'A', token: 't', valid: 'yes' };
		expect(
			await credentials.preAuthentication(helpers, data, 'smokeApi', node, false),
		).toBeUndefined();
		expect(
			await credentials.preAuthentication(helpers, data, 'smokeApi', node, true),
		).toMatchObject({ token: 'token of A' });
		expect(credentials.preAuthentications).toBe(1);
	});
});

describe('the contexts of triggers', () => {
	it('poll keeps what it assigns to the static data of the workflow', async () => {
		const poller: INodeType = {
			description: {
				...new SmokeNode().description,
				polling: true,
				group: ['trigger'],
				inputs: [],
			},
			poll(this: IPollFunctions) {
				const staticData = this.getWorkflowStaticData('node');
				staticData.polls = Number(staticData.polls ?? 0) + Number(this.getNodeParameter('factor'));
				return Promise.resolve([[{ json: { mode: this.getMode(), polls: staticData.polls } }]]);
			},
		};
		const nodes = [{ type: 'test.poller', name: 'Poller' }];
		const { context, workflow } = pollContext({
			nodeTypes: { 'test.poller': poller },
			nodes,
			staticData: { 'node:Poller': { polls: 5 } },
		});
		const items = await poller.poll?.call(context);
		expect(items).toEqual([[{ json: { mode: 'trigger', polls: 7 } }]]);
		expect(workflow.staticData['node:Poller']).toEqual({ polls: 7 });
	});
});

function nodeWith(credentials: ReturnType<CredentialStore['add']>) {
	return {
		id: '1',
		name: 'Smoke',
		type: 'test.smoke',
		typeVersion: 1,
		position: [0, 0] as [number, number],
		parameters: {},
		credentials,
	};
}
