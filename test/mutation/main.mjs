// `npm run test:mutation -- webhook answer`: changes the sources of these folders, or of all of
// them, in one place at a time, and shows the changes that no unit test notices. With `--every 5`
// only each fifth part of each file is changed, which estimates the score in a fifth of the time;
// `--every 5:2` takes the parts two further on. Other options go to Stryker, such as
// `--incremental`.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { root } from '../install.mjs';
import { folders } from './folders.mjs';

const words = process.argv.slice(2);
const place = words.indexOf('--every');
const [, every = '1'] = place < 0 ? [] : words.splice(place, 2);
const names = words.filter((word) => word in folders);
const options = words.filter((word) => !(word in folders));
const unknown = options.find((word, index) => index === 0 && !word.startsWith('-'));

if (unknown === undefined) {
	for (const name of names.length === 0 ? Object.keys(folders) : names) {
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
				env: { ...process.env, MUTATED_FOLDER: folders[name].source, MUTATED_EVERY: every },
			},
		);
		if (status !== 0) process.exitCode = 1;
	}
} else {
	console.error(`There is no folder "${unknown}": name ${Object.keys(folders).join(', ')}.`);
	process.exitCode = 1;
}
