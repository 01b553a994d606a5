import startSharedN8n from '../../e2e/harness/startSharedN8n';
import { chosenVersion } from '../../n8n/prepareN8n';
import { findMissing } from '../../requirements.cjs';

export default async function startN8nForBrowser(): Promise<void> {
	const version = chosenVersion(process.env);
	const [obstacle] = version.startsWith('1.')
		? [`the editor of n8n ${version} is built differently`]
		: findMissing(['browser']);
	if (obstacle !== undefined) throw new Error(`The browser tests cannot run: ${obstacle}.`);
	await startSharedN8n();
}
