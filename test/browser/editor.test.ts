import { EXAMPLES, exampleWorkflow } from '../e2e/harness/exampleWorkflow';
import { Testbed } from '../e2e/harness/testbed';
import type { StoredWorkflow } from '../n8n/n8nClient';
import { type NewNode, ownNode, START, webhookUrl } from '../n8n/workflow';
import { type JsonObject, syntheticRecord } from '../reference-service';
import type { Editor } from './harness/editor';
import { EditorSessions } from './harness/editorSessions';
import { Pictures } from './harness/pictures';

const USERS = 2_600;
const WEBHOOK_SECRET = 'browser-webhook-secret';
const TRIGGER = 'Visitor Service Trigger';
const POLLING_TRIGGER = 'Visitor Service Polling Trigger';

const testbed = Testbed.shared();
let sessions: EditorSessions;
let pictures: Pictures;

beforeAll(async () => {
	await testbed.service.seed('users', usersOfFewFields());
	sessions = await EditorSessions.start(testbed.n8nUrl);
	pictures = await Pictures.open();
});

afterAll(async () => {
	await sessions.close();
	await pictures.close();
});

/** A node of this package with what starts it by hand. */
async function startedByHand(name: string, parameters: NewNode['parameters']) {
	const credential = await testbed.createCredential();
	return await testbed.createWorkflow([START, ownNode('action', name, credential, parameters)]);
}

async function useNode(
	workflow: StoredWorkflow,
	name: string,
	work: (editor: Editor) => Promise<void>,
): Promise<void> {
	await sessions.use(async (editor) => {
		await editor.openWorkflow(workflow);
		await editor.openNode(name);
		await work(editor);
	});
}

describe('In the editor of the real n8n', () => {
	it.each(['light', 'dark'] as const)(
		'the nodes are found by "visitor", with a %s icon',
		async (colorScheme) => {
			await sessions.use(
				async (editor) => {
					await editor.openNewWorkflow();
					await editor.searchNodes('visitor');
					// n8n leaves out "Trigger" if a node has a Trigger On to choose from.
					const polling = editor.offered('Visitor Service Polling');
					const service = editor.offered('Visitor Service');
					for (const found of [service, polling]) {
						const icon = found.locator('img').first();
						const file = colorScheme === 'dark' ? 'visitorService.dark.svg' : 'visitorService.svg';
						expect(await icon.getAttribute('src')).toMatch(new RegExp(`/${file}$`));
						expect(await icon.evaluate(widthOnceDecoded)).toBeGreaterThan(0);
					}
					await service.click();
					await editor.offered('On new Visitor Service event').waitFor();
					await editor.nodeCreator.getByText('Actions (11)').click();
					await editor.offered('List visits').waitFor();
					expect(
						await editor.nodeCreator.locator('[data-keyboard-nav-type=action]').allInnerTexts(),
					).toEqual([
						'On new Visitor Service event',
						'Find a company',
						'List companies',
						'Diagnose connection',
						'Find a record of another list',
						'List records of another list',
						'Find a task',
						'List tasks',
						'Find a user',
						'List users',
						'Find a visit',
						'List visits',
					]);
					await pictures.take(editor.nodeCreator, `docs/pictures/nodes-${colorScheme}.png`);
				},
				{ colorScheme },
			);
		},
	);

	it('List Users is dragged in, gets a credential that passes its test, and lists all users', async () => {
		const { url, clientId, clientSecret } = testbed.service;
		await sessions.use(async (editor) => {
			await editor.openNewWorkflow();
			await editor.searchNodes('visitor');
			await editor.offered('Visitor Service').click();
			await editor.nodeCreator.getByText('Actions (11)').click();
			await editor
				.offered('List users')
				.locator('[draggable]')
				.dragTo(editor.page.getByTestId('canvas-wrapper'), { targetPosition: { x: 500, y: 300 } });
			await editor.node.waitFor();

			await editor.node.getByText('Connect to Visitor Service').click();
			const dialog = editor.credentialDialog;
			await editor.fillIn({ authUrl: url, baseUrl: url, clientId, clientSecret: 'wrong' });
			await editor.saveCredential();
			await dialog.getByText('More details').click();
			expect(await dialog.getByText('The authorization server').innerText()).toBe(
				'The authorization server does not accept the client ID and secret (invalid_client), status 401. Check Client ID and Client Secret in the credential. Your service provider issues them.',
			);
			await pictures.take(dialog, 'docs/pictures/credential-refused.png');

			await editor.fillIn({ clientSecret });
			await editor.saveCredential();
			await dialog.waitFor({ state: 'hidden' });
			await editor.node.getByTestId('credential-edit-button').click();
			const passed = dialog.getByTestId('credentials-config-container-test-success');
			await passed.getByRole('button', { name: 'Retry' }).waitFor();
			testbed.service.clearRequests();
			const tested = editor.page.waitForResponse(`${testbed.n8nUrl}/rest/credentials/test`);
			await passed.getByRole('button', { name: 'Retry' }).click();
			await tested;
			await passed.getByRole('button', { name: 'Retry' }).waitFor();
			expect(await passed.innerText()).toContain('Connection tested successfully');
			expect(testbed.service.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
				'POST /auth/app-oauth',
				'GET /api/external/v2/users',
			]);
			await pictures.take(dialog, 'docs/pictures/credential-accepted.png');
			await dialog.getByRole('button', { name: 'Close' }).click();

			await editor.parameter('returnAll').locator('.el-switch').click();
			await editor.executeStep();
			const hint = editor.output.getByTestId('node-hint');
			expect(await hint.innerText()).toMatch(/^Read 2,600 users \(3 pages, [45] requests, /);
			expect(await editor.output.getByTestId('ndv-items-count').innerText()).toBe('2600 items');
			await editor.output.getByText('user-000001', { exact: true }).waitFor();
			await editor.widenOutput();
			await editor.showsEachColumn();
			await pictures.take(editor.page, 'docs/pictures/list-users.png');
		});
	});

	it('the fields to keep and to match are chosen from those of the service', async () => {
		const workflow = await startedByHand('List Users', {
			resource: 'user',
			operation: 'list',
			match: { conditions: [{ condition: 'equals' }] },
			options: { fields: [] },
		});
		await useNode(workflow, 'List Users', async (editor) => {
			await editor.chooseFromList('field', 'id');
			await editor.parameter('value').locator('input').fill('user-000007');
			await editor.choose('fields', 'email');
			await editor.executeStep();
			await editor.output.getByText(/^Found 1 of [\d,]+ users read \(/).waitFor();
			await editor.output.getByText('user-000007@example.test').waitFor();
			const rows = await editor.output.getByRole('row').allInnerTexts();
			expect(rows.map((row) => row.trim())).toEqual(['email', 'user-000007@example.test']);
		});
	});

	it('a field that was saved as text is shown, and one is typed if the list cannot be read', async () => {
		const findUser = { resource: 'user', operation: 'find', value: 'user-000007' };
		const workflow = await startedByHand('Find User', { ...findUser, field: 'id' });
		await useNode(workflow, 'Find User', async (editor) => {
			const field = editor.parameter('field').getByTestId('rlc-input');
			expect(await field.inputValue()).toBe('id');
			await editor.executeStep();
			await editor.output.getByText('user-000007@example.test').waitFor();

			testbed.service.set({ outage: { status: 403 } });
			await editor.parameter('field').getByTestId('rlc-mode-selector').click();
			await editor.page.getByTestId('mode-list').click();
			await editor.parameter('field').getByTestId('rlc-input').click();
			await editor.page
				.getByTestId('rlc-error-container')
				.getByText(/choose By Name/)
				.waitFor();
			await editor.page.keyboard.press('Escape');
			testbed.service.resetSwitches();
			await editor.parameter('field').getByTestId('rlc-mode-selector').click();
			await editor.page.getByTestId('mode-name').click();
			await field.fill('email');
			await editor.parameter('value').locator('input').fill('user-000008@example.test');
			await editor.executeStepUntil(editor.output.getByText('user-000008', { exact: true }));
		});
	});

	async function createWebhookWorkflow() {
		const credential = await testbed.createCredential({ webhookSecret: WEBHOOK_SECRET });
		const workflow = await testbed.createWorkflow([ownNode('webhook', TRIGGER, credential)]);
		const url = webhookUrl(testbed.n8nUrl, workflow, TRIGGER);
		return { workflow, url, testUrl: url.replace('/webhook/', '/webhook-test/') };
	}

	it('the webhook trigger says what to do, shows its URL, and rejects a forged test event', async () => {
		const { workflow, url, testUrl } = await createWebhookWorkflow();
		await useNode(workflow, TRIGGER, async (editor) => {
			const { node } = editor;
			const listen = node.getByTestId('trigger-execute-button');
			await node.getByText('Start on events of the service').waitFor();
			await node.getByText('When will this node trigger my flow?').click();
			const help = node.getByText('To test', { exact: true });
			expect(await help.locator('..').innerText()).toContain(
				`click "${(await listen.innerText()).trim()}"`,
			);

			await node.getByText('Webhook URLs', { exact: true }).click();
			await node.getByText('Production URL', { exact: true }).click();
			await node.getByText(url).waitFor();
			await pictures.take(editor.page, 'docs/pictures/webhook-trigger.png');
			await node.getByText('Test URL', { exact: true }).click();
			await node.getByText('/webhook-test/').click();
			expect(await editor.copiedText()).toBe(testUrl);

			await listen.click();
			await node.getByText('Listening for test event').waitFor();
			expect(await testbed.deliver({ url: testUrl, secret: 'forged' })).toBe(401);
			// A rejected delivery is shown as the output of the test, which ends it.
			await editor.output.getByText('no signature matches', { exact: false }).first().waitFor();
		});
	});

	// In a workflow of its own: n8n may end the test before when the next one has begun.
	it('the webhook trigger receives a test event', async () => {
		const { workflow, testUrl } = await createWebhookWorkflow();
		await useNode(workflow, TRIGGER, async (editor) => {
			await editor.node.getByTestId('trigger-execute-button').click();
			await editor.node.getByText('Listening for test event').waitFor();
			expect(await testbed.deliver({ url: testUrl, secret: WEBHOOK_SECRET })).toBe(200);
			await editor.output.getByText('visit-000001', { exact: false }).first().waitFor();
			expect(await editor.output.getByRole('row').nth(1).innerText()).toMatch(
				/visit\.created[^]*visit-000001/,
			);
			// A table of its headers is wider than the page.
			await editor.showAsJson();
			await editor.widenOutput();
			await pictures.take(editor.page, 'docs/pictures/webhook-received.png');
		});
	});

	it('the polling trigger fetches the users that changed last, and shows when', async () => {
		const workflow = await testbed.createWorkflow([
			ownNode('polling', POLLING_TRIGGER, await testbed.createCredential()),
		]);
		await useNode(workflow, POLLING_TRIGGER, async (editor) => {
			await editor.output
				.getByText('A test shows the records changed last, or for Removed an example.')
				.waitFor();
			await editor.executeStep();
			await editor.output.getByText('user-', { exact: false }).first().waitFor();
			await editor.widenOutput();
			await editor.output.getByText('updatedAt', { exact: true }).waitFor();
			await editor.showsEachColumn();
			await pictures.take(editor.page, 'docs/pictures/polling-trigger.png');
		});
	});

	it('Diagnose shows a row for each finding', async () => {
		const parameters = { resource: 'connection', operation: 'diagnose' };
		const workflow = await startedByHand('Diagnose', parameters);
		await useNode(workflow, 'Diagnose', async (editor) => {
			await editor.executeStep();
			await editor.output.getByText('tokenExchange', { exact: true }).waitFor();
			await editor.widenOutput();
			await editor.showsEachColumn();
			await pictures.take(editor.page, 'docs/pictures/diagnose.png');
		});
	});

	it('the node is attached to an agent as a tool, and runs as one', async () => {
		await testbed.createCredential();
		const workflow = await testbed.createWorkflow([
			{ name: 'Question', type: '@n8n/n8n-nodes-langchain.chatTrigger' },
			{
				name: 'Receptionist',
				type: '@n8n/n8n-nodes-langchain.agent',
				typeVersion: 3,
				position: [260, 0],
			},
		]);
		await sessions.use(async (editor) => {
			await editor.openWorkflow(workflow);
			await editor
				.onCanvas('Receptionist')
				.locator('[data-connection-type=ai_tool]')
				.getByTestId('canvas-handle-plus')
				.click();
			await editor.page.getByTestId('node-creator-search-bar').fill('visitor');
			await editor.offered('Visitor Service Tool').click();
			await editor.node.waitFor();
			await editor.closeNode();
			await editor.onCanvas('List users in Visitor Service').waitFor();
			await editor.openNode('List users in Visitor Service');
			await editor.executeStep();
			await editor.output.getByText(/^Read 50 (of [\d,]+ )?users \(1 page, 1 request, /).waitFor();
		});
	});
});

describe('On the canvas', () => {
	// Large enough to show each of them in full size.
	const viewport = { width: 1600, height: 1200 };

	it('each example shows all of its nodes', async () => {
		const choices = { visitorService: await testbed.createCredential() };
		// In one editor: to load it anew takes longer than to show them.
		await sessions.use(
			async (editor) => {
				for (const name of EXAMPLES) {
					const workflow = await testbed.n8n.createWorkflow(exampleWorkflow(name, choices));
					await editor.openWorkflow(workflow);
					await pictures.takeWorkflow(editor, `examples/pictures/${name}.png`);
					await testbed.n8n.deleteWorkflow(workflow.id);
				}
			},
			{ viewport },
		);
	});
});

/** So few that a table shows all of them. */
function usersOfFewFields(): JsonObject[] {
	const fields = ['id', 'firstName', 'lastName', 'email', 'department', 'updatedAt'];
	return Array.from({ length: USERS }, (_, index) => {
		const user = Object.entries(syntheticRecord('users', index + 1));
		return Object.fromEntries(user.filter(([name]) => fields.includes(name)));
	});
}

/** Runs in the browser. Fails for a picture that could not be loaded. */
async function widthOnceDecoded(image: {
	decode(): Promise<void>;
	naturalWidth: number;
}): Promise<number> {
	await image.decode();
	return image.naturalWidth;
}
