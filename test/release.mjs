// `node test/release.mjs 1.2.3`: dates the changelog, sets the version, commits and tags.
// CONTRIBUTING.md has the steps.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { npm, root } from './install.mjs';

const CHANGELOG = 'CHANGELOG.md';

const git = (...words) => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim();

/**
 * Moves what is under Unreleased below a heading for the version, without sections that are empty.
 */
function dateChangelog(version, date) {
	const [whole, unreleased] =
		/^## \[Unreleased\]\n([\s\S]*?)(?=^## \[|(?![\s\S]))/m.exec(readFileSync(CHANGELOG, 'utf8')) ??
		[];
	const sections = (unreleased ?? '')
		.split(/^(?=### )/m)
		.map((section) => section.trim())
		.filter((section) => section.includes('\n'));
	if (sections.length === 0) throw new Error(`${CHANGELOG} has no line under Unreleased.`);
	const next = '## [Unreleased]\n\n### Added\n\n### Changed\n\n### Fixed\n';
	const dated = `${next}\n## [${version}] - ${date}\n\n${sections.join('\n\n')}\n\n`;
	const text = readFileSync(CHANGELOG, 'utf8').replace(whole, () => dated);
	writeFileSync(CHANGELOG, `${text.trimEnd()}\n`);
}

async function release(version) {
	if (!/^\d+\.\d+\.\d+$/.test(version ?? ''))
		throw new Error('Give the version: node test/release.mjs 1.2.3');
	if (git('rev-parse', '--abbrev-ref', 'HEAD') !== 'main')
		throw new Error('Releases are made on main: git switch main');
	if (git('status', '--porcelain') !== '')
		throw new Error('Commit or stash your changes first: git status');
	dateChangelog(version, new Date().toISOString().slice(0, 10));
	const exitCode = await npm([
		'version',
		version,
		'--no-git-tag-version',
		'--allow-same-version',
		'--ignore-scripts',
	]);
	if (exitCode !== 0) throw new Error('npm could not set the version. What it printed says why.');
	git(
		'commit',
		'--quiet',
		'--message',
		`Release ${version}`,
		'--',
		CHANGELOG,
		'package.json',
		'package-lock.json',
	);
	git('tag', '--annotate', `v${version}`, '--message', `Version ${version}`);
	console.log(
		`Tagged v${version}. Look at it with: git show. Publish it with: git push --follow-tags`,
	);
}

process.chdir(root);
release(process.argv[2]).catch((error) => {
	console.error(error.message);
	process.exitCode = 1;
});
