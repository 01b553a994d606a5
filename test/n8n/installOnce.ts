import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { cacheFolder, installationName } from './cacheFolder';
import { exclusively } from './exclusively';
import { NpmFailure } from './runNpm';

interface Installation {
	/** As messages name it. */
	title: string;
	/** With which the name of its folder begins. */
	label: string;
	/** The folder in the clone that holds `package.json` and `package-lock.json`. */
	pinned: string;
	/** Completes a folder that holds what `pinned` does. */
	install: (folder: string) => Promise<void>;
	onProgress: (text: string) => void;
}

/**
 * Installs what a lock file pins into the cache outside the clone, unless it is there.
 *
 * An installation appears in the cache complete or not at all, so a run may be interrupted at any
 * time.
 *
 * @returns the folder
 * @throws Error whose text says what to do
 */
export async function installOnce(installation: Installation): Promise<string> {
	const { title, label, pinned, onProgress } = installation;
	const lockFile = await readFile(path.join(pinned, 'package-lock.json'));
	const name = installationName(label, lockFile, process);
	const cache = cacheFolder(process.env, os.homedir());
	const folder = path.join(cache, name);
	if (existsSync(folder)) return folder;
	try {
		await mkdir(cache, { recursive: true });
		await exclusively(
			path.join(cache, `${name}.lock`),
			async () => {
				// The run we waited for may have done it.
				if (!existsSync(folder)) await installWhole(installation, folder);
			},
			() => onProgress(`waiting for another run that prepares ${title}`),
		);
		return folder;
	} catch (error) {
		const output = error instanceof NpmFailure ? error.output : String(error);
		const lastLines = output.trimEnd().split('\n').slice(-5).join('\n');
		throw new Error(
			`${title} could not be prepared. Mend what npm says (network, disk, compiler), and start again:\n${lastLines}`,
			{ cause: error },
		);
	}
}

async function installWhole({ pinned, install }: Installation, folder: string): Promise<void> {
	await removePartialInstallations(folder);
	const partial = `${folder}.partial-${process.pid}`;
	try {
		await cp(pinned, partial, { recursive: true });
		await install(partial);
		await rename(partial, folder);
	} finally {
		await rm(partial, { recursive: true, force: true });
	}
}

async function removePartialInstallations(folder: string): Promise<void> {
	const cache = path.dirname(folder);
	for (const entry of await readdir(cache)) {
		if (!entry.startsWith(`${path.basename(folder)}.partial-`)) continue;
		await rm(path.join(cache, entry), { recursive: true, force: true });
	}
}
