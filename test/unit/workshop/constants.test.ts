import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '..', '..', '..');
const SOURCES = ['nodes', 'credentials'].flatMap((folder) =>
	readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.map((file) => `${folder}/${file.split(path.sep).join('/')}`),
);

const holding = (pattern: RegExp) =>
	SOURCES.filter((file) => pattern.test(readFileSync(path.join(ROOT, file), 'utf8')));

describe('What several files need', () => {
	it.each([
		[
			'a status to try again after',
			/(?:= |[[(] ?)(?:429|50[234])\b/,
			'nodes/VisitorService/http/temporaryStatus.ts',
		],
		[
			'the milliseconds of a day',
			/86_?400_?000|\b24 ?\* ?(?:60|HOUR)/,
			'nodes/VisitorService/values/instant.ts',
		],
		[
			'where numbers begin to count from 1970',
			/\b1e(?:8|9|1[0-8])\b/,
			'nodes/VisitorService/values/instant.ts',
		],
		[
			'how a written time is read',
			/\bDate\.parse\(|\bDateTime\.from(?!Millis)/,
			'nodes/VisitorService/values/instant.ts',
		],
		['how a number is shown', /\btoLocaleString\(/, 'nodes/VisitorService/values/count.ts'],
		[
			'how a parameter that is true is written',
			/=== 'true'/,
			'nodes/VisitorService/values/parameters.ts',
		],
		[
			'how the fields of an answer are listed',
			/Fields seen/,
			'nodes/VisitorService/answer/fieldNames.ts',
		],
	])('stands in one file: %s', (_, pattern, home) => {
		expect(holding(pattern)).toEqual([home]);
	});
});
