import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { object } from '../n8n/answerShape';
import { ROOT, runScript, type UnpackedPackage, unpackPackage } from './unpackedPackage';

/** They contradict n8n's newer plugin; n8n's scanner has them off as well. */
const LEFT_OUT = [
	'n8n-nodes-base/cred-class-field-documentation-url-miscased',
	'n8n-nodes-base/node-class-description-inputs-wrong-regular-node',
	'n8n-nodes-base/node-class-description-outputs-wrong',
];

let unpacked: UnpackedPackage;

beforeAll(async () => {
	unpacked = await unpackPackage();
});

afterAll(async () => {
	await unpacked.remove();
});

describe("n8n's package scanner finds nothing", () => {
	it('in the source', async () => {
		const { verdict, problems, files, rules } = object(
			await runScript('scanFolder.mjs', ROOT, 'source'),
			'The scan of the source',
		);
		expect(problems).toEqual([]);
		expect(verdict).toEqual({ passed: true });
		expect(files).toBeGreaterThan(100);
		expect(rules).toBe(170);
		console.info(
			`Scanner on the source: ${String(rules)} rules, ${String(files)} files, 0 problems`,
		);
	});

	it('in the package', async () => {
		const { verdict, problems, files, rules } = object(
			await runScript('scanFolder.mjs', unpacked.folder, 'package'),
			'The scan of the package',
		);
		expect(problems).toEqual([]);
		expect(verdict).toEqual({ passed: true });
		expect(files).toBeGreaterThan(100);
		expect(rules).toBe(62);
		console.info(
			`Scanner on the package: ${String(rules)} rules, ${String(files)} files, 0 problems`,
		);
	});
});

it("n8n's package scanner does find what is wrong", async () => {
	const folder = await mkdtemp(path.join(os.tmpdir(), 'visitor-service-broken-'));
	try {
		await mkdir(path.join(folder, 'nodes'));
		await writeFile(path.join(folder, 'package.json'), '{}');
		await writeFile(
			path.join(folder, 'nodes', 'Other.node.ts'),
			'/* eslint-disable */\nexport class Broken { execute() { throw new Error(process.cwd()); } }\n',
		);
		const { verdict, problems } = object(
			await runScript('scanFolder.mjs', folder, 'source'),
			'The scan of a broken node',
		);
		expect(object(verdict, 'The verdict').passed).toBe(false);
		const found = [problems].flat().join('\n');
		expect(found).toContain('@n8n/community-nodes/no-restricted-globals');
		expect(found).toContain('n8n-nodes-base/node-dirname-against-convention');
	} finally {
		await rm(folder, { recursive: true });
	}
});

describe('npm run lint', () => {
	it("applies every rule of n8n's two plugins, but three", async () => {
		const { communityNodes, nodesBase, active } = object(
			await runScript(
				'activeRules.mjs',
				'package.json',
				'credentials/VisitorServiceApi.credentials.ts',
				'nodes/VisitorService/VisitorService.node.ts',
			),
			'The rules',
		);
		const rules = [communityNodes, nodesBase].flat();
		expect(rules.filter((rule) => ![active].flat().includes(rule)).sort()).toEqual(LEFT_OUT);
		expect(communityNodes).toHaveLength(44);
		expect(nodesBase).toHaveLength(132);
	});
});
