import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { SUITES } from '../requirements.cjs';

const root = path.join(__dirname, '..', '..');
const read = (...names: string[]) => readFileSync(path.join(root, ...names), 'utf8');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

/** What the workflows run, with what stands behind the scripts of npm. */
const commands = readdirSync(path.join(root, '.github', 'workflows'))
	.flatMap((name) => read('.github', 'workflows', name).split('\n'))
	.filter((line) => !line.trim().startsWith('#'))
	.map((line) => line.replace(/npm run ([\w:]+)/, (_, name: string) => `${scripts[name]} `));

it.each(Object.keys(SUITES))('%s is run by a workflow', (suite) => {
	const runs = new RegExp(String.raw`(npm test --|run\.mjs) .*\b${suite}\b`);
	expect(commands.filter((command) => runs.test(command))).not.toEqual([]);
});

it.each([
	'test/start.mjs demo',
	'test/bench/main.ts',
	'test/release.mjs',
	'test/mutation/main.mjs',
])('%s is run by a workflow', (program) => {
	expect(commands.filter((command) => command.includes(program))).not.toEqual([]);
});
