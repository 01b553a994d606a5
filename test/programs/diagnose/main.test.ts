import { execFile } from 'node:child_process';
import path from 'node:path';

import { CHECKS, type Finding } from '../../../nodes/VisitorService/diagnosis/finding';
import { type ReferenceService, startReferenceService } from '../../reference-service';

const program = path.join(__dirname, '..', '..', 'diagnose', 'main.ts');
let service: ReferenceService;

afterEach(async () => {
	await service.stop();
});

async function run(commandLine: string[], environment: NodeJS.ProcessEnv = {}) {
	return await new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
		execFile(
			process.execPath,
			['--import', 'tsx', program, ...commandLine],
			{ env: { ...process.env, ...environment } },
			(error, stdout, stderr) => {
				resolve({ code: error === null ? 0 : error.code, stdout, stderr });
			},
		);
	});
}

describe('Diagnose on the command line', () => {
	const setUp = async () => {
		service = await startReferenceService();
		await service.seed('users', 120);
		const { url, clientId, clientSecret } = service;
		const addresses = ['--auth-url', url, '--base-url', url, '--client-id', clientId];
		return { service, addresses, environment: { VISITOR_SERVICE_CLIENT_SECRET: clientSecret } };
	};

	it('prints the summary, a table and the settings', async () => {
		const { service, addresses, environment } = await setUp();
		const { code, stdout, stderr } = await run(addresses, environment);
		expect(stderr).toBe('');
		expect(code).toBe(0);
		for (const check of CHECKS) expect(stdout).toContain(check);
		expect(stdout).toMatch(/^ok\s+firstPageNumber\s+0\s+Page 1 is the second page/m);
		expect(stdout).toMatch(/^Everything works with the defaults\. Faster with Page Size 1000\./);
		expect(stdout).toContain('"pageSize": 1000');
		expect(service.requests.length).toBeLessThanOrEqual(25);
	});

	it('prints JSON, and fails where something did', async () => {
		const { addresses } = await setUp();
		const wrong = { VISITOR_SERVICE_CLIENT_SECRET: 'canary-secret' };
		const { code, stdout } = await run([...addresses, '--json'], wrong);
		expect(code).toBe(1);
		const findings = JSON.parse(stdout) as Finding[];
		expect(findings).toHaveLength(CHECKS.length + 1);
		expect(findings[0]).toMatchObject({ check: 'summary', status: 'failed' });
		expect(stdout).not.toContain('canary-secret');
	});

	it('says what is missing', async () => {
		const { code, stderr } = await run(['--auth-url', 'https://auth.test']);
		expect(code).toBe(1);
		expect(stderr).toMatch(/^The Client ID is empty\. /);
	});

	it('says how it is called, after an unknown option', async () => {
		expect((await run(['--page-size', '5'])).stderr).toContain('npm run diagnose --');
	});
});
