import { chosenVersion } from '../../n8n/prepareN8n';
import { findMissing } from '../../requirements.cjs';

/** Why the browser tests cannot run here; `message` says what to do, if there is anything. */
export interface Obstacle {
	kind: 'otherEditor' | 'noChromium';
	message: string;
}

/** Undefined where the browser tests can run. */
export function findObstacle(environment: NodeJS.ProcessEnv): Obstacle | undefined {
	const version = chosenVersion(environment);
	if (version.startsWith('1.')) {
		return { kind: 'otherEditor', message: `the editor of n8n ${version} is built differently` };
	}
	const [missing] = findMissing(['browser']);
	return missing === undefined ? undefined : { kind: 'noChromium', message: missing };
}
