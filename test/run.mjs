// `npm test`: everything that has to hold, from a fresh clone with nothing but Node.js and npm.
// `npm test -- --queue`: and queue mode, which needs a Redis and a PostgreSQL besides.
// Its own code has no dependencies, because it installs them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import util from 'node:util';
import { installDependencies, npm, requireNode, root } from './install.mjs';

/** How long jest may take to end after its last test, for servers that tests have left to close. */
const SECONDS_TO_END = 20;

/** jest leaves one free, which is half of a small machine. These suites do nothing but compute. */
const ALL_CORES = '--maxWorkers=100%';

const results = [];

/** Runs a step, remembers how it ended, and goes on after a failure. */
async function step(name, action) {
	console.log(`\n── ${name} ${'─'.repeat(Math.max(0, 76 - name.length))}`);
	const start = performance.now();
	let result;
	try {
		result = await action();
	} catch (error) {
		console.error(error instanceof Error ? error.message : error);
		result = { passed: 0, failed: 1 };
	}
	const seconds = (performance.now() - start) / 1000;
	results.push({ name, seconds, ...result });
	return result.failed === 0;
}

/** A step that has not run because of another one counts as failed. */
function notRun(name, because) {
	results.push({ name, seconds: 0, passed: 0, failed: 1, note: `not run: ${because}` });
}

/** A step that this machine cannot run, and that nobody has asked for, counts as nothing. */
function leftOut(name, because) {
	results.push({ name, seconds: 0, passed: 0, failed: 0, note: because, ran: false });
}

/** A command of npm counts as one check. */
const command =
	(...npmArguments) =>
	async () => {
		const exitCode = await npm(npmArguments);
		return exitCode === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
	};

const script = (name) => command('run', '--silent', name);

const prepareN8n = command('exec', '--no', '--', 'tsx', 'test/n8n/main.ts');

/** Each jest test counts; so does a file that jest could not run, and a run that ends badly. */
const jest =
	(project, ...jestArguments) =>
	async () => {
		const folder = await mkdtemp(path.join(os.tmpdir(), 'visitor-service-jest-'));
		try {
			const outputFile = path.join(folder, 'result.json');
			const end = await runJest([`--selectProjects=${project}`, ...jestArguments], outputFile);
			const text = await readFile(outputFile, 'utf8').catch(() => undefined);
			if (text === undefined) return { passed: 0, failed: 1, note: 'jest gave no result' };
			const report = JSON.parse(text);
			const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
			const skipped = report.numPendingTests + report.numTodoTests;
			if (end === 'hung') {
				const note = 'jest had to be killed: a test left something open';
				return { passed: report.numPassedTests, failed: failed + 1, note };
			}
			return {
				passed: report.numPassedTests,
				failed: failed === 0 && end !== 0 ? 1 : failed,
				skipped,
			};
		} finally {
			await rm(folder, { recursive: true, force: true });
		}
	};

/**
 * Runs jest as the npm scripts do, but without npm in between, which would not hand on a kill.
 * Resolves to the exit code, or to 'hung' when jest has given its result and does not end.
 */
async function runJest(jestArguments, outputFile) {
	const child = spawn(
		process.execPath,
		[
			path.join(root, 'node_modules', 'jest', 'bin', 'jest.js'),
			'--config=test/jest.config.js',
			...jestArguments,
			'--json',
			`--outputFile=${outputFile}`,
		],
		{ cwd: root, stdio: 'inherit' },
	);
	let hung = false;
	let secondsWithResult = 0;
	const watch = setInterval(() => {
		if (!existsSync(outputFile) || ++secondsWithResult < SECONDS_TO_END) return;
		hung = true;
		child.kill('SIGKILL');
	}, 1000);
	const [exitCode] = await once(child, 'close');
	clearInterval(watch);
	return hung ? 'hung' : exitCode;
}

async function runAll() {
	const installed = await step('install', async () => {
		requireNode();
		await installDependencies(() => console.log('Installing dependencies: about a minute, once.'));
		return { passed: 1, failed: 0 };
	});
	if (!installed) return;
	const { values } = util.parseArgs({
		options: {
			n8n: { type: 'string', multiple: true },
			queue: { type: 'boolean' },
			browser: { type: 'boolean' },
		},
	});
	// Without a choice test/n8n/prepareN8n.ts takes the newest one.
	const versions = values.n8n ?? [process.env.VISITOR_SERVICE_N8N ?? ''];

	await step('typecheck', script('typecheck'));
	await step('lint', script('lint'));
	const built = await step('build', async () => {
		// The compiler does not remove what an earlier build left of deleted sources.
		await rm(path.join(root, 'dist'), { recursive: true, force: true });
		return await script('build')();
	});
	if (built) await step('package', jest('package'));
	else notRun('package', 'the build failed');
	await step('unit', jest('unit', ALL_CORES));
	await step('boundary', jest('boundary', ALL_CORES));
	await step('programs', jest('programs', ALL_CORES));
	await step('model', jest('model', ALL_CORES));
	await step('engine', jest('engine', ALL_CORES));
	for (const version of versions) {
		// Two at a time on any machine: they mostly wait for an n8n.
		await testIn(version, built, 'e2e', '--maxWorkers=2');
		await testInBrowser(version, built, values.browser);
	}
	// One cluster at a time; what docs/guarantees.md promises, it promises of the newest n8n.
	if (values.queue) await testIn('', built, 'queue', '--runInBand');
}

/** Runs a jest project that starts an n8n of `version`, once that is prepared. */
async function testIn(version, built, project, ...jestArguments) {
	const n8n = `n8n ${version}`.trim();
	const name = `${project}, ${n8n}`;
	process.env.VISITOR_SERVICE_N8N = version;
	if (!built) notRun(name, 'the build failed');
	else if (await step(`prepare ${n8n}`, prepareN8n))
		await step(name, jest(project, ...jestArguments));
	else notRun(name, 'n8n could not be prepared');
}

/** @param mandatory whether a machine without Chromium fails */
async function testInBrowser(version, built, mandatory) {
	const name = `browser, n8n ${version}`.trim();
	process.env.VISITOR_SERVICE_N8N = version;
	const { require: load } = await import('tsx/cjs/api');
	const { findObstacle } = load('./browser/harness/requirements.ts', import.meta.url);
	const obstacle = findObstacle(process.env);
	if (obstacle === undefined) await testIn(version, built, 'browser');
	else if (mandatory && obstacle.kind === 'noChromium') notRun(name, obstacle.message);
	else leftOut(name, obstacle.message);
}

await runAll();

console.log('\n');
for (const { name, seconds, passed, failed, skipped = 0, note, ran = true } of results) {
	const end = !ran ? 'not run' : skipped > 0 ? 'partly' : 'ok';
	const result = (failed > 0 ? 'FAILED' : end).padEnd(7);
	const counts = [
		...(ran ? [`${passed} passed`] : []),
		...(failed > 0 ? [`${failed} failed`] : []),
		...(skipped > 0 ? [`${skipped} skipped`] : []),
		...(note ? [note] : []),
	];
	console.log(
		`${result} ${name.padEnd(24)} ${seconds.toFixed(1).padStart(6)} s  ${counts.join(', ')}`,
	);
}
const total = (key) => results.reduce((sum, result) => sum + (result[key] ?? 0), 0);
// The last line is read by machines, too.
const skippedTests = total('skipped') > 0 ? [`${total('skipped')} skipped`] : [];
console.log([`${total('passed')} passed`, `${total('failed')} failed`, ...skippedTests].join(', '));
process.exitCode = total('failed') === 0 ? 0 : 1;
