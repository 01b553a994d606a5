import { object } from './answerShape';
import { NpmFailure, runNpm } from './runNpm';

/**
 * What npm says of a package, such as `version` of `n8n-core@2.41.1`; undefined if npm does not
 * have it.
 */
export type AskNpm = (of: string, field: string) => Promise<unknown>;

export type NewerN8n =
	| { kind: 'none' }
	/**
	 * It cannot be installed: npm lacks a package of it, because they are published one after the
	 * other.
	 */
	| { kind: 'incomplete'; version: string; missing: string }
	| { kind: 'complete'; version: string };

/** Packages that are released together with n8n. */
const OWN_PACKAGE = /^(n8n-|@n8n\/)/;

/** Whether npm has a newer n8n than the pinned one, with all that n8n releases together with it. */
export async function findNewerN8n(pinned: string, ask: AskNpm): Promise<NewerN8n> {
	const version = String(await ask('n8n', 'version'));
	if (isOlder(version, pinned) || version === pinned) return { kind: 'none' };
	const dependencies = object(await ask(`n8n@${version}`, 'dependencies'), `n8n ${version}`);
	for (const name of Object.keys(dependencies).filter((each) => OWN_PACKAGE.test(each))) {
		const missing = `${name}@${String(dependencies[name])}`;
		if ((await ask(missing, 'version')) === undefined) {
			return { kind: 'incomplete', version, missing };
		}
	}
	return { kind: 'complete', version };
}

export async function askNpm(of: string, field: string): Promise<unknown> {
	const output = await runNpm({
		arguments: ['view', of, field, '--json', '--loglevel=silent'],
		folder: __dirname,
	}).catch((error: unknown) => {
		if (error instanceof NpmFailure && error.output.includes('E404')) return '';
		throw error;
	});
	return output.trim() === '' ? undefined : (JSON.parse(output) as unknown);
}

function isOlder(one: string, other: string): boolean {
	return one.localeCompare(other, 'en', { numeric: true }) < 0;
}
