import startSharedN8n from '../../e2e/harness/startSharedN8n';
import { findObstacle } from './requirements';

export default async function startN8nForBrowser(): Promise<void> {
	const obstacle = findObstacle(process.env);
	if (obstacle) throw new Error(`The browser tests cannot run: ${obstacle.message}.`);
	await startSharedN8n();
}
