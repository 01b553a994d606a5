// `npm test`: everything that has to hold, from a fresh clone with nothing but Node.js and npm.
// `--browser` needs a Chromium, `--queue` a Redis and a PostgreSQL. The first `--n8n` runs all of
// it, each further one what the host in memory is held to.
// `npm test -- boundary --testPathPattern sending`: these suites only, with options of jest.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import util from 'node:util';
import { installDependencies, npm, requireAll, root } from './install.mjs';
import { findMissing, SUITES } from './requirements.cjs';

const JEST = path.join(root, 'node_modules', 'jest', 'bin', 'jest.js');

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
		const own = ['--config=test/jest.config.js', '--forceExit', '--selectProjects', ...suites];
		const output = ['--json', `--outputFile=${outputFile}`];
		const { status } = spawnSync(
			process.execPath,
			[JEST, ...output, ...jestArguments, ...own],
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

async function runAll(values) {
	const installed = await step('install', async () => {
		await installDependencies(() => console.log('Installing dependencies: about a minute, once.'));
		return { passed: 1, failed: 0 };
	});
	if (!installed) return;
	// Each keeps one core busy, and prints nothing if all is well.
	await Promise.all([script('typecheck'), script('lint')]);
	// What an earlier build left of deleted sources stays otherwise.
	rmSync(path.join(root, 'dist'), { recursive: true, force: true });
	if (!(await script('build'))) return;
	const preparing = prepareEach(values.n8n);
	// Together, so that no core waits for the last file of a suite.
	const together = ['package', ...COMPUTING];
	await jest(together.join(', '), together, '--maxWorkers=100%');
	for (const [index, version] of values.n8n.entries()) {
		process.env.VISITOR_SERVICE_N8N = version;
		const n8n = `n8n ${version}`.trim();
		const prepared = await step(`prepare ${n8n}`, async () => checkOf(await preparing[index]));
		if (!prepared) continue;
		// Two at a time on any machine: they mostly wait for an n8n.
		const smoke = index === 0 ? [] : ['--testPathPattern=sameWorkflows'];
		await jest(`e2e, ${n8n}`, ['e2e'], '--maxWorkers=2', ...smoke);
		if (index > 0) continue;
		if (values.browser || canOpenEditor(version)) await jest(`browser, ${n8n}`, ['browser']);
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

/** The editor of n8n 1 is built differently. */
function canOpenEditor(version) {
	return findMissing(['browser']).length === 0 && !version.startsWith('1.');
}

/** Suites by their names, with the report of jest on this terminal. @returns the exit code */
async function runSuites(suites, jestArguments) {
	requireAll(suites);
	await installDependencies(() => console.log('Installing dependencies: about a minute, once.'));
	const computes = suites.every((suite) => COMPUTING.includes(suite));
	const workers = computes ? ['--maxWorkers=100%'] : [];
	// One cluster at a time.
	const processes = suites.includes('queue') ? ['--runInBand'] : workers;
	const own = ['--config=test/jest.config.js', ...processes, ...jestArguments];
	const program = [JEST, ...own, '--selectProjects', ...suites];
	return spawnSync(process.execPath, program, { cwd: root, stdio: 'inherit' }).status ?? 1;
}

/** @returns the exit code */
function printResults() {
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
	return total('failed') === 0 ? 0 : 1;
}

async function runEverything() {
	const { values } = util.parseArgs({
		options: {
			n8n: { type: 'string', multiple: true, default: [process.env.VISITOR_SERVICE_N8N ?? ''] },
			queue: { type: 'boolean' },
			browser: { type: 'boolean' },
		},
	});
	requireAll(['browser', 'queue'].filter((suite) => values[suite]));
	const missing = findMissing(['browser']);
	if (missing.length > 0) console.log(`Left out: browser. It needs ${missing.join('; ')}`);
	await runAll(values);
	return printResults();
}

const words = process.argv.slice(2);
const end = words.findIndex((word) => !(word in SUITES));
const suites = end < 0 ? words : words.slice(0, end);

try {
	process.exitCode =
		suites.length > 0 ? await runSuites(suites, words.slice(suites.length)) : await runEverything();
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
}
