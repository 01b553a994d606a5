import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import { type Development, startDevelopment } from '../dev/development';
import { signIn } from '../n8n/n8nClient';
import { N8nRejection } from '../n8n/n8nSession';
import { chosenVersion, prepareN8n } from '../n8n/prepareN8n';
import { NODE_TYPES } from '../n8n/workflow';

const ROOT = path.resolve(__dirname, '..', '..');
const NODE = path.join('nodes', 'VisitorService', 'VisitorService.node.ts');
const COPIED = ['package.json', 'tsconfig.json', 'gulpfile.js', 'index.js', 'nodes', 'credentials'];

/** A copy of the sources, because the test changes one. */
let sources: string;
let development: Development | undefined;
let output = '';

beforeAll(async () => {
	sources = await mkdtemp(path.join(os.tmpdir(), 'visitor-service-sources-'));
	for (const name of COPIED) {
		await cp(path.join(ROOT, name), path.join(sources, name), { recursive: true });
	}
	await symlink(path.join(ROOT, 'node_modules'), path.join(sources, 'node_modules'), 'junction');
	development = await startDevelopment({
		sources,
		installation: await prepareN8n(chosenVersion(process.env)),
		onOutput: (text) => {
			output += text;
		},
	});
});

afterAll(async () => {
	await development?.stop();
	await rm(sources, { recursive: true, force: true });
});

describe('npm run dev', () => {
	it('shows a change of a node in n8n without a restart, and ends what it has started', async () => {
		if (development === undefined) throw new Error('It did not start.');
		const { url, owner, service, stop } = development;
		const n8n = await signIn(url, owner);
		const shown = async () => (await n8n.nodeType(NODE_TYPES.action)).displayName;
		// n8n forgets the nodes of a package before it loads them again; until then it refuses to show
		// them. The start ends with such a loading.
		const shownAfterLoading = () => shown().catch(nothingWhileLoading);
		await until(async () => (await shownAfterLoading()) === 'Visitor Service');

		const file = path.join(sources, NODE);
		const text = await readFile(file, 'utf8');
		await writeFile(
			file,
			text.replace("displayName: 'Visitor Service',", "displayName: 'Changed Service',"),
		);
		await until(async () => (await shownAfterLoading()) === 'Changed Service');
		const notice = 'Hot reload triggered for n8n-nodes-visitor-service';
		await until(() => Promise.resolve(output.includes(notice)));

		await n8n.close();
		await stop();
		development = undefined;
		await expect(request(url)).rejects.toThrow('ECONNREFUSED');
		await expect(request(service.url)).rejects.toThrow('ECONNREFUSED');
	});
});

/** Returns when it is so; the time limit of the test ends the waiting. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
	while (!(await isSo())) await delay(100);
}

/** Any failure but n8n's rejection of a type it does not have is thrown again. */
function nothingWhileLoading(failure: unknown): undefined {
	if (failure instanceof N8nRejection && failure.reason.startsWith('Unrecognized node type'))
		return;
	throw failure;
}
