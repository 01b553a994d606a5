import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';

const root = join(__dirname, '..', '..');

/**
 * The path of a program compiled once for all tests of a file: `tsx` would compile it at each of
 * its starts.
 *
 * @param source path in `test/`
 */
export function compiledProgram(...source: readonly string[]): string {
	// Among the dependencies of the program, so that it finds them.
	const folder = mkdtempSync(join(root, 'node_modules', '.compiled-program-'));
	const program = join(folder, 'main.js');
	afterAll(() => {
		rmSync(folder, { recursive: true });
	});
	buildSync({
		entryPoints: [join(root, 'test', ...source)],
		outfile: program,
		bundle: true,
		packages: 'external',
		platform: 'node',
		target: 'node20',
	});
	return program;
}
