// Loads the package in a folder as n8n does at its start, and prints what came of it. In a process
// of its own, because jest's modules are not those of Node.js.
const path = require('node:path');
require('reflect-metadata');
const { PackageDirectoryLoader } = require('n8n-core');

async function load(folder) {
	const loader = new PackageDirectoryLoader(folder);
	await loader.loadAll();
	const { nodes, credentials } = loader.known;
	const icons = [...loader.types.nodes, ...loader.types.credentials].flatMap(({ iconUrl }) =>
		typeof iconUrl === 'string' ? [iconUrl] : Object.values(iconUrl ?? {}),
	);
	const exported = Object.keys(require(folder));
	const modules = Object.keys(require.cache)
		.filter((file) => file.startsWith(folder + path.sep))
		.map((file) => path.relative(folder, file).split(path.sep).join('/'));
	console.log(
		JSON.stringify({
			nodes: Object.values(nodes),
			credentials: Object.values(credentials),
			modules: modules.sort(),
			icons: [...new Set(icons)].sort(),
			exports: exported.sort(),
		}),
	);
}

load(process.argv[2]);
