import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runNpm } from './runNpm';

/**
 * Installs a packed node package into n8n's folder for community nodes, as n8n's documents describe
 * for a manual installation. n8n loads it at its next start.
 */
export async function installPackage(tarball: string, userFolder: string): Promise<void> {
	const folder = path.join(userFolder, '.n8n', 'nodes');
	await mkdir(folder, { recursive: true });
	const manifest = path.join(folder, 'package.json');
	if (!existsSync(manifest)) {
		// The manifest that n8n itself creates with the first community package.
		await writeFile(
			manifest,
			'{ "name": "installed-nodes", "private": true, "dependencies": {} }\n',
		);
	}
	await runNpm({
		// The package has no dependencies of its own and n8n provides its peer, so nothing is fetched.
		arguments: [
			'install',
			tarball,
			'--legacy-peer-deps',
			'--ignore-scripts',
			'--offline',
			'--no-fund',
			'--no-audit',
		],
		folder,
	});
}
