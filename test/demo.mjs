// `npm run demo`: installs what is missing, then hands over to test/demo/.
import { installDependencies, requireNode } from './install.mjs';

try {
	requireNode();
	await installDependencies(() => console.log('Installing dependencies: about a minute, once.'));
	const { require: load } = await import('tsx/cjs/api');
	const { demo } = load('./demo/demo.ts', import.meta.url);
	// An interrupted demo may leave an installation running, which nobody waits for.
	process.exit(await demo(process.argv.slice(2)));
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
}
