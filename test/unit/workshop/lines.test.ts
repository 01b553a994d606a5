import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';

const ROOT = path.resolve(__dirname, '..', '..', '..');
const FIXTURE = path.join(__dirname, 'failing.fixture.ts');
const JEST = path.join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');

describe('A failing test', () => {
	it('a failing test is reported with the line of its TypeScript source', async () => {
		const line = lineOf('the line to be named');
		const report = await runFixture();
		expect(report).toContain('1 failed, 1 total');
		expect(report).toContain(`${path.basename(FIXTURE)}:${line}:`);
		expect(report).toMatch(new RegExp(`> +${line} \\|.*the line to be named`));
	});
});

function lineOf(mark: string): number {
	return (
		readFileSync(FIXTURE, 'utf8')
			.split('\n')
			.findIndex((line) => line.includes(mark)) + 1
	);
}

/** Runs the fixture as jest runs unit tests, and returns the report, which is on standard error. */
async function runFixture(): Promise<string> {
	const { projects } = jest.requireActual<{ projects: Array<{ displayName: string }> }>(
		'../../jest.config.js',
	);
	const unit = projects.find(({ displayName }) => displayName === 'unit');
	const config = JSON.stringify({ ...unit, testMatch: [FIXTURE] });
	const child = spawn(process.execPath, [JEST, '--config', config], {
		cwd: ROOT,
		env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined },
		stdio: ['ignore', 'ignore', 'pipe'],
	});
	const [report] = await Promise.all([text(child.stderr), once(child, 'close')]);
	return report;
}
