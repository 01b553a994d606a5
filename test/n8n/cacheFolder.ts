import { createHash } from 'node:crypto';
import path from 'node:path';

const PACKAGE_FOLDER = 'n8n-nodes-visitor-service';

/**
 * The folder outside the clone that holds the prepared installations:
 * `$VISITOR_SERVICE_CACHE`, else `$XDG_CACHE_HOME` or `~/.cache` with the package's name.
 */
export function cacheFolder(environment: NodeJS.ProcessEnv, homeFolder: string): string {
	const own = environment.VISITOR_SERVICE_CACHE?.trim();
	if (own) return path.resolve(own);
	// XDG Base Directory Specification: a relative path is invalid and is to be ignored.
	const shared = environment.XDG_CACHE_HOME?.trim();
	const base = shared && path.isAbsolute(shared) ? shared : path.join(homeFolder, '.cache');
	return path.join(base, PACKAGE_FOLDER);
}

/**
 * Name of an installation's folder, after its label. The lock file decides every version and the
 * platform every binary, so nothing else may change what the folder holds.
 */
export function installationName(
	label: string,
	lockFile: string | Buffer,
	platform: { platform: string; arch: string },
): string {
	const hash = createHash('sha256')
		.update(lockFile)
		.update(`\n${platform.platform} ${platform.arch}`)
		.digest('hex')
		.slice(0, 12);
	return `${label}-${hash}`;
}
