// What the tests need that npm does not install. Loads nothing but Node.js itself, so that it can
// be said before anything is installed.
const { accessSync, constants, existsSync, readdirSync } = require('node:fs');
const path = require('node:path');

const OLDEST_NODE = '20.19.0';

/** Each suite, and what it needs besides Node.js and npm. */
const SUITES = {
	unit: [],
	boundary: [],
	programs: [],
	model: [],
	package: [],
	engine: [],
	e2e: [],
	browser: ['Chromium'],
	queue: ['Redis', 'PostgreSQL'],
	stacks: [],
};

/** What distributions call Chromium, and Chrome, which is the same to a test. */
const CHROMIUM_PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** Where it is installed on systems that do not put it on the PATH. */
const CHROMIUM_APPLICATIONS = {
	darwin: [
		'/Applications/Chromium.app/Contents/MacOS/Chromium',
		'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
	],
	win32: ['C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe'],
};

/** Distributions keep the servers of PostgreSQL off the PATH, one folder for each version. */
const POSTGRES_FOLDERS = ['/usr/lib/postgresql', '/usr/local/pgsql', '/opt/homebrew/opt'];

const searchPath = () => (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);

/** The Chromium that `CHROMIUM` names, else one in the usual folders. */
function findChromium() {
	const own = process.env.CHROMIUM?.trim();
	const candidates = own
		? [path.resolve(own)]
		: [
				...searchPath().flatMap((folder) =>
					CHROMIUM_PROGRAMS.map((program) => path.join(folder, program)),
				),
				...(CHROMIUM_APPLICATIONS[process.platform] ?? []),
			];
	return candidates.find((candidate) => existsSync(candidate));
}

/** The full path of a server program; undefined if it is not installed. */
function findProgram(name) {
	return [...searchPath(), ...POSTGRES_FOLDERS.flatMap(binariesIn)]
		.map((folder) => path.join(folder, name))
		.find(isExecutable);
}

/** Newest version first. */
function binariesIn(folder) {
	if (!existsSync(folder)) return [];
	return readdirSync(folder)
		.sort((one, other) => other.localeCompare(one, 'en', { numeric: true }))
		.map((version) => path.join(folder, version, 'bin'));
}

function isExecutable(file) {
	try {
		accessSync(file, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}

const isNewEnough = () =>
	process.versions.node.localeCompare(OLDEST_NODE, 'en', { numeric: true }) >= 0;

const install = (apt, brew) =>
	process.platform === 'darwin' ? `brew install ${brew}` : `sudo apt-get install --yes ${apt}`;

const REQUIREMENTS = {
	[`Node.js ${OLDEST_NODE}`]: {
		isFulfilled: isNewEnough,
		remedy: `Install it from https://nodejs.org: this is Node.js ${process.versions.node}`,
	},
	Chromium: {
		isFulfilled: () => findChromium() !== undefined,
		remedy: `${install('chromium', '--cask chromium')}, or set CHROMIUM to its path`,
	},
	Redis: {
		isFulfilled: () => findProgram('redis-server') !== undefined,
		remedy: install('redis-server', 'redis'),
	},
	PostgreSQL: {
		isFulfilled: () => ['initdb', 'postgres'].every((name) => findProgram(name) !== undefined),
		remedy: install('postgresql', 'postgresql'),
	},
};

/** A line for each thing that these suites need and this machine lacks, with what to do. */
function findMissing(suites) {
	const needed = new Set(suites.flatMap((suite) => SUITES[suite]));
	return Object.entries(REQUIREMENTS)
		.filter(
			([name, { isFulfilled }]) =>
				(name.startsWith('Node.js') || needed.has(name)) && !isFulfilled(),
		)
		.map(([name, { remedy }]) => `${name.padEnd(16)} ${remedy}`);
}

module.exports = { SUITES, findChromium, findMissing, findProgram };
