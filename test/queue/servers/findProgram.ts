import { constants } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import path from 'node:path';

/**
 * Distributions keep the server programs of PostgreSQL off the search path, one folder per version.
 */
const POSTGRES_FOLDERS = ['/usr/lib/postgresql', '/usr/local/pgsql', '/opt/homebrew/opt'];

/** @returns the full path of a program, or undefined where it is not installed */
export async function findProgram(name: string): Promise<string | undefined> {
	const onSearchPath = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
	for (const folder of [...onSearchPath, ...(await postgresFolders())]) {
		const program = path.join(folder, name);
		if (await isExecutable(program)) return program;
	}
	return undefined;
}

/** Newest version first. */
async function postgresFolders(): Promise<string[]> {
	const found = await Promise.all(
		POSTGRES_FOLDERS.map(async (folder) => {
			const versions = await readdir(folder).catch(() => []);
			return versions
				.sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
				.map((version) => path.join(folder, version, 'bin'));
		}),
	);
	return found.flat();
}

async function isExecutable(file: string): Promise<boolean> {
	return await access(file, constants.X_OK).then(
		() => true,
		() => false,
	);
}
