import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { Testbed } from '../e2e/harness/testbed';
import type { Workflow } from '../n8n/workflow';
import { EditorSessions } from './harness/editorSessions';
import { Pictures } from './harness/pictures';

const FOLDER = path.resolve(__dirname, '..', '..', 'examples');
const examples = readdirSync(FOLDER).filter((file) => file.endsWith('.json'));

let testbed: Testbed;
let sessions: EditorSessions;
let context: BrowserContext;
let pictures: Pictures;

beforeAll(async () => {
	testbed = await Testbed.open();
	sessions = await EditorSessions.start(testbed.n8nUrl);
	// Large enough to show each of them in full size.
	context = await sessions.open({ viewport: { width: 1600, height: 1200 } });
	pictures = await Pictures.open();
});

afterAll(async () => {
	await testbed.close();
	await sessions.close();
	await pictures.close();
});

describe('On the canvas', () => {
	it.each(examples)('%s shows all of its nodes', async (file) => {
		// test/unit/documents.test.ts checks that it is one.
		const example = JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8')) as Workflow;
		const credential = await testbed.createCredential();
		for (const node of example.nodes) {
			if (node.type.startsWith('n8n-nodes-visitor-service.'))
				node.credentials = { visitorServiceApi: credential };
		}
		const workflow = await testbed.n8n.createWorkflow(example);
		await sessions.useIn(context, async (editor) => {
			await editor.openWorkflow(workflow);
			const picture = `examples/pictures/${path.basename(file, '.json')}.png`;
			await pictures.takeWorkflow(editor, picture);
		});
		await testbed.n8n.deleteWorkflow(workflow.id);
	});
});
