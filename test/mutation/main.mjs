// `npm run test:mutation -- webhook response`: changes the sources of these folders, or of all of
// them, in one place at a time, and shows the changes that no test at the boundary notices. With
// `--every 8` only each eighth part of each file is changed, which estimates the scores in an
// eighth of the time; `--every 8:2` takes the parts two further on. `--tests 'sending|pace'` asks
// only the tests with such a path: fewer can notice, so the scores are at least as good with all.
// Other options go to Stryker, such as `--concurrency 1`.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { root } from '../install.mjs';
import { folders, REPORT } from './folders.mjs';

/** Percent of the mutants of each folder that have to be noticed. */
const LEAST_SCORE = 80;

const words = process.argv.slice(2);
const every = taken('--every') ?? '1';
const tests = taken('--tests') ?? '';
const names = words.filter((word) => word in folders);
const options = words.filter((word) => !(word in folders));
const chosen = names.length === 0 ? Object.keys(folders) : names;

/** The value of an option of our own, which Stryker does not get to see. */
function taken(option) {
	const position = words.indexOf(option);
	return position < 0 ? undefined : words.splice(position, 2)[1];
}

function run() {
	rmSync(path.join(root, REPORT), { force: true });
	const { status } = spawnSync(
		process.execPath,
		[
			path.join(root, 'node_modules/@stryker-mutator/core/bin/stryker.js'),
			'run',
			path.join(root, 'test/mutation/stryker.config.mjs'),
			...options,
		],
		{
			cwd: root,
			stdio: 'inherit',
			env: {
				...process.env,
				MUTATED_FOLDERS: chosen.join(','),
				MUTATED_EVERY: every,
				MUTATION_TESTS: tests,
			},
		},
	);
	return status === 0;
}

/** Percent of the mutants that were noticed. One that no test reaches was not. */
function printScores() {
	const { files } = JSON.parse(readFileSync(path.join(root, REPORT), 'utf8'));
	for (const name of chosen) {
		const mutants = Object.entries(files)
			.filter(([file]) => path.posix.dirname(file) === folders[name])
			.flatMap(([, file]) => file.mutants.map(({ status }) => status));
		const noticed = mutants.filter((status) => ['Killed', 'Timeout'].includes(status)).length;
		const missed = mutants.filter((status) => ['Survived', 'NoCoverage'].includes(status)).length;
		const untried = mutants.filter((status) => status === 'RuntimeError').length;
		const score = (100 * noticed) / (noticed + missed);
		const enough = score >= LEAST_SCORE;
		if (!enough) process.exitCode = 1;
		console.log(
			`${enough ? 'ok    ' : 'FAILED'} ${name.padEnd(14)} ${score.toFixed(1).padStart(5)} %  ${noticed} of ${noticed + missed} noticed, ${untried} not tried`,
		);
	}
}

const unknown = options.find((word, index) => index === 0 && !word.startsWith('-'));
if (unknown !== undefined) {
	console.error(`There is no folder "${unknown}": name ${Object.keys(folders).join(', ')}.`);
	process.exitCode = 1;
} else if (run()) {
	printScores();
} else {
	process.exitCode = 1;
}
