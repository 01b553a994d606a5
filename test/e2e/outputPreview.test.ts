import { request } from 'undici';
import { itemsOf } from '../n8n/execution';
import { object } from '../n8n/responseShape';
import { NODE_TYPES } from '../n8n/workflow';
import { LIST_NODE, Testbed } from './harness/testbed';

/** What not every finding has, because n8n would show `null` in red. */
const OPTIONAL = new Set(['setting', 'observed']);

const testbed = Testbed.shared();

beforeAll(async () => await testbed.service.seed('users', 30));

/** Asks as the editor does for a node that has not run yet. */
async function preview(path: string): Promise<{ status: number; schema: unknown }> {
	const response = await request(
		`${testbed.n8nUrl}/schemas/${NODE_TYPES.action}/1.0.0/${path}.json`,
	);
	const text = await response.body.text();
	const isJson = String(response.headers['content-type']).includes('application/json');
	return { status: response.statusCode, schema: isJson ? JSON.parse(text) : undefined };
}

describe('What the editor shows of an output before the first run', () => {
	it('has the fields that Diagnose then returns', async () => {
		const { status, schema } = await preview('connection/diagnose');
		expect(status).toBe(200);
		const { properties } = object(schema, 'The schema');

		testbed.service.revokeTokens();
		const execution = await testbed.list(await testbed.createCredential(), {
			resource: 'connection',
			operation: 'diagnose',
		});
		const columns = Object.keys(object(properties, 'The properties'));
		const findings = itemsOf(execution, LIST_NODE).map((finding) => Object.keys(finding));
		expect(findings.flat()).toContain('observed');
		for (const fields of findings) {
			const isShown = (column: string) => fields.includes(column) || !OPTIONAL.has(column);
			expect(fields).toEqual(columns.filter(isShown));
		}
	});

	it('what the editor shows of an output before the first run is nothing for lists, whose fields are not documented', async () => {
		expect((await preview('user/list')).status).toBe(404);
	});
});
