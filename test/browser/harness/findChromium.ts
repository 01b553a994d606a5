import { existsSync } from 'node:fs';
import path from 'node:path';

/** What distributions call Chromium, and Chrome, which is the same to a test. */
const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** Where it is installed on systems that do not put it on the PATH. */
const APPLICATIONS: Partial<Record<string, string[]>> = {
	darwin: [
		'/Applications/Chromium.app/Contents/MacOS/Chromium',
		'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
	],
	win32: ['C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe'],
};

/**
 * The Chromium that `CHROMIUM` names, else one in the usual places; undefined where there is none.
 */
export function findChromium(environment: NodeJS.ProcessEnv, platform: string): string | undefined {
	const own = environment.CHROMIUM?.trim();
	const candidates = own
		? [path.resolve(own)]
		: [
				...(environment.PATH ?? '')
					.split(path.delimiter)
					.flatMap((folder) => PROGRAMS.map((program) => path.join(folder, program))),
				...(APPLICATIONS[platform] ?? []),
			];
	return candidates.find((candidate) => existsSync(candidate));
}
