import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findMissing } from './requirements.cjs';

export const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Throws an Error that lists all that these suites need and this machine lacks, with what to do for
 * each.
 *
 * @param {string[]} suites
 */
export function requireAll(suites) {
	const missing = findMissing(suites);
	if (missing.length === 0) return;
	throw new Error(`Install what is missing, and start again:
  ${missing.join('\n  ')}`);
}

/**
 * Runs npm in the project's folder with its output on this terminal. Resolves to the exit code; a
 * signal counts as 1. Started by `npm run`, it uses the very npm that started it.
 *
 * @param {string[]} npmArguments
 * @param {NodeJS.ProcessEnv} environment
 * @returns {Promise<number>}
 */
export async function npm(npmArguments, environment = process.env) {
	const script = process.env.npm_execpath;
	const isNpmCli = script !== undefined && path.basename(script) === 'npm-cli.js';
	const child = spawn(
		isNpmCli ? process.execPath : 'npm',
		isNpmCli ? [script, ...npmArguments] : npmArguments,
		{
			cwd: root,
			env: environment,
			stdio: 'inherit',
			shell: !isNpmCli && process.platform === 'win32',
		},
	);
	return await new Promise((resolve, reject) => {
		child.once('error', (cause) => {
			reject(new Error('npm was not found. Install Node.js with npm, and start again.', { cause }));
		});
		child.once('close', (exitCode) => resolve(exitCode ?? 1));
	});
}

/**
 * Installs what package-lock.json lists unless it is installed already.
 *
 * @param {() => void} onInstall called before an installation starts
 */
export async function installDependencies(onInstall) {
	if (await isInstalled()) return;
	onInstall();
	const exitCode = await npm(['ci', '--loglevel=error']);
	if (exitCode === 0) return;
	throw new Error(
		'The dependencies could not be installed. Mend what npm says above (network, disk, registry), and start again.',
	);
}

/**
 * npm writes down what it has installed as its last step, so this also finds an installation that
 * was broken off, and accepts one that was made without this script.
 */
async function isInstalled() {
	const [wanted, present] = await Promise.all([
		packagesIn('package-lock.json'),
		packagesIn('node_modules/.package-lock.json'),
	]);
	return (
		wanted !== undefined &&
		present !== undefined &&
		Object.entries(wanted).every(
			// Optional packages are those of other platforms.
			([location, { version, optional }]) =>
				location === '' || optional === true || present[location]?.version === version,
		)
	);
}

async function packagesIn(lockFile) {
	try {
		return JSON.parse(await readFile(path.join(root, lockFile), 'utf8')).packages;
	} catch {
		return undefined;
	}
}
