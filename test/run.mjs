// `npm test`: everything that has to hold, from a fresh clone with nothing but Node.js and npm.
// `--browser` fails without a Chromium, `--queue` needs a Redis and a PostgreSQL. The first `--n8n`
// runs all of it, each further one what the host in memory is held to.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import util from 'node:util';
import { installDependencies, npm, requireNode, root } from './install.mjs';

const results = [];

/** Runs a step and remembers how it ended. @returns whether all of it passed */
async function step(name, action) {
	console.log(`\n── ${name} ${'─'.repeat(Math.max(0, 76 - name.length))}`);
	const start = performance.now();
	const counts = await action().catch((error) => {
		console.error(error.message);
		return { passed: 0, failed: 1 };
	});
	results.push({ name, seconds: (performance.now() - start) / 1000, ...counts });
	return counts.failed === 0;
}

/** A command of npm counts as one check. */
const command = async (name, ...npmArguments) =>
	await step(name, async () => checkOf(await npm(npmArguments)));

const checkOf = (exitCode) => ({
	passed: Number(exitCode === 0),
	failed: Number(exitCode !== 0),
});

const script = async (name) => await command(name, 'run', '--silent', name);

/** Each test counts; so does a file that jest could not run, and a run that ends badly. */
const jest = async (name, suites, ...jestArguments) =>
	await step(name, async () => {
		const folder = mkdtempSync(path.join(os.tmpdir(), 'visitor-service-jest-'));
		const outputFile = path.join(folder, 'result.json');
		const program = path.join(root, 'node_modules', 'jest', 'bin', 'jest.js');
		const own = ['--config=test/jest.config.js', '--forceExit', '--selectProjects', ...suites];
		const output = ['--json', `--outputFile=${outputFile}`];
		const { status } = spawnSync(
			process.execPath,
			[program, ...output, ...jestArguments, ...own],
			// The report that it prints, too, is in the file.
			{ cwd: root, stdio: ['ignore', 'ignore', 'inherit'] },
		);
		const report = JSON.parse(readFileSync(outputFile, 'utf8'));
		rmSync(folder, { recursive: true });
		const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
		return {
			passed: report.numPassedTests,
			failed: failed === 0 && status !== 0 ? 1 : failed,
			parts: suites.length === 1 ? [] : suites.map((suite) => partOf(suite, report.testResults)),
		};
	});

/** What one of several suites took, which ran side by side: more than the clock says. */
function partOf(suite, files) {
	const folder = path.join(root, 'test', suite, path.sep);
	const own = files.filter(({ name }) => name.startsWith(folder));
	const seconds = own.reduce(
		(sum, { startTime, endTime }) => sum + (endTime - startTime) / 1000,
		0,
	);
	const passed = own
		.flatMap((file) => file.assertionResults)
		.filter(({ status }) => status === 'passed').length;
	return { name: suite, seconds, passed };
}

/** They do nothing but compute. jest leaves one core free otherwise: half of a small machine. */
const COMPUTING = ['unit', 'boundary', 'programs', 'model', 'engine'];

async function runAll() {
	const installed = await step('install', async () => {
		requireNode();
		await installDependencies(() => console.log('Installing dependencies: about a minute, once.'));
		return { passed: 1, failed: 0 };
	});
	if (!installed) return;
	const { values } = util.parseArgs({
		options: {
			n8n: { type: 'string', multiple: true, default: [''] },
			queue: { type: 'boolean' },
			browser: { type: 'boolean' },
		},
	});
	// Each keeps one core busy, and prints nothing if all is well.
	await Promise.all([script('typecheck'), script('lint')]);
	// What an earlier build left of deleted sources stays otherwise.
	rmSync(path.join(root, 'dist'), { recursive: true, force: true });
	if (!(await script('build'))) return;
	const preparing = prepareEach(values.n8n);
	await jest('package', ['package']);
	// Together, so that no core waits for the last file of a suite.
	await jest(COMPUTING.join(', '), COMPUTING, '--maxWorkers=100%');
	for (const [place, version] of values.n8n.entries()) {
		process.env.VISITOR_SERVICE_N8N = version;
		const n8n = `n8n ${version}`.trim();
		const prepared = await step(`prepare ${n8n}`, async () => checkOf(await preparing[place]));
		if (!prepared) continue;
		// Two at a time on any machine: they mostly wait for an n8n.
		const smoke = place === 0 ? [] : ['--testPathPattern=sameWorkflows'];
		await jest(`e2e, ${n8n}`, ['e2e'], '--maxWorkers=2', ...smoke);
		if (place > 0) continue;
		if (values.browser || (await hasChromium())) await jest(`browser, ${n8n}`, ['browser']);
		// One cluster at a time.
		if (values.queue) await jest(`queue, ${n8n}`, ['queue'], '--runInBand');
	}
}

/** An n8n that is not there yet comes, one after the other, while what needs none is tested. */
function prepareEach(versions) {
	let last = Promise.resolve();
	return versions.map((version) => {
		const environment = { ...process.env, VISITOR_SERVICE_N8N: version };
		const program = ['exec', '--no', '--', 'tsx', 'test/n8n/main.ts'];
		last = last.then(async () => await npm(program, environment).catch(() => 1));
		return last;
	});
}

async function hasChromium() {
	const { require: load } = await import('tsx/cjs/api');
	const { findObstacle } = load('./browser/harness/requirements.ts', import.meta.url);
	return findObstacle(process.env) === undefined;
}

await runAll();

console.log('\n');
for (const { name, seconds, passed, failed, parts = [] } of results) {
	const counts = [`${passed} passed`, ...(failed > 0 ? [`${failed} failed`] : [])].join(', ');
	const end = failed > 0 ? 'FAILED' : 'ok    ';
	console.log(`${end} ${name.padEnd(40)} ${seconds.toFixed(1).padStart(6)} s  ${counts}`);
	for (const part of parts) {
		const took = `${part.seconds.toFixed(1).padStart(6)} s of work`;
		console.log(`         ${part.name.padEnd(38)} ${took}  ${part.passed} passed`);
	}
}
const total = (key) => results.reduce((sum, result) => sum + result[key], 0);
// The last line is read by machines, too.
console.log(`${total('passed')} passed, ${total('failed')} failed`);
process.exitCode = total('failed') === 0 ? 0 : 1;
