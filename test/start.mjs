// `npm run demo`, `npm run dev`: installs what is missing, then hands over to test/demo/ or
// test/dev/.
import { installDependencies, requireAll } from './install.mjs';

const [name, ...commandLine] = process.argv.slice(2);

try {
	requireAll([]);
	await installDependencies(() => console.log('Installing dependencies: about a minute, once.'));
	const { require: load } = await import('tsx/cjs/api');
	const started = load(`./${name}/${name}.ts`, import.meta.url);
	// One that was interrupted may leave an installation running, which nobody waits for.
	process.exit(await started[name](commandLine));
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
}
