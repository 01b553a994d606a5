import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { RULES } from '../../../../../nodes/VisitorService/listing/endOfList';

/** The rows of the table in docs/listing.md, and the rules each of them says, in their order. */
const ROWS: ReadonlyArray<[row: string, rules: readonly string[]]> = [
	[
		'a page from which on the polling trigger needs nothing, such as one that an earlier poll read',
		['a page from which on nothing is wanted'],
	],
	[
		'an error with status 200, or something else that is not a page',
		['a fault for the first time', 'a fault'],
	],
	[
		'a page whose records were all returned before',
		[
			'an earlier page, or an ID with other content, for the first time: it may come from a cache',
			'an earlier page for the first time, which may have come in its place there',
			'a page that was returned in place of an earlier one',
			'repeated pages without end',
			'a repeated page, and more is known to come',
			'the page before it again',
			'the first page again, or all there was',
		],
	],
	[
		'Limit or Max Pages is reached',
		[
			'a repeated page, and as many as may be read',
			'as many records as wanted',
			'as many pages as may be read',
		],
	],
	[
		'the second page equals the first',
		[
			'the second page like the first, and the third one not known',
			'every page like the first, whatever its size',
			'every page like the first, and the only one',
			'every page like the first',
			'page 1 like page 0, and only that one',
			'page 1 like page 0: the service counts from 1',
		],
	],
	[
		'records without an ID that equal those of an earlier page',
		[
			'the second page like the first, because all records are equal',
			'records equal to those of an earlier page, and what follows not known',
			'records equal to those of an earlier page, and no record after them: what repeats pages does not end',
		],
	],
	[
		'a page that is the last by what it says, the page count or the total',
		[
			'a full first page that only a flag calls the last, and what follows not known',
			'said to be the last page',
			'a full page that only the page count calls the last, and what follows not known',
			'the last page by the page count',
			'a short page, with which the total is reached',
		],
	],
	[
		'a short page in the middle',
		['a short page in the middle for the first time', 'a short page, and what follows not known'],
	],
	[
		'too much: without an ID twice the total or 1,000 pages without a word about the list, with an ID ten times as much',
		['more than a list can have'],
	],
	[
		'any other page with records',
		['the first page, and how long the others are not known', 'records'],
	],
	[
		'an empty page, `null`, `{}`, 204 or a refusal (400, 404, 410, 416, 422), and nothing says there is more',
		[
			'no record for the first time, and one was to be expected',
			'no record on page 0, and page 1 not known: the service may count from 1',
			'no record where one was to be expected, and the next two pages not known',
			'no list at all',
			'no list any more',
			'a refusal',
			'an empty page',
		],
	],
	[
		'no records, but something says there is more',
		[
			'no record, more is known to come, and the next pages not known',
			'an empty page in the middle',
			'a page that is missing in the middle',
			'no record, although the service speaks of more',
		],
	],
];

function documentedRows(): string[] {
	const path = join(__dirname, '../../../../../docs/listing.md');
	const [, section = ''] = readFileSync(path, 'utf8').split('## Where the list ends');
	const [table = ''] = section.split('\n\n').filter((part) => part.startsWith('|'));
	return table
		.split('\n')
		.slice(2)
		.map((line) => (line.split('|')[1] ?? '').trim());
}

describe('the table of docs/listing.md', () => {
	it('has a row for each rule that ends a list, and no other, in their order', () => {
		const rules = RULES.map(({ is }) => is);
		const said = ROWS.flatMap(([, names]) => names);
		expect([...said].sort()).toEqual([...rules].sort());
		for (const [, names] of ROWS) {
			expect([names, names.map((name) => rules.indexOf(name))]).toEqual([
				names,
				names.map((name) => rules.indexOf(name)).sort((one, other) => one - other),
			]);
		}
		const inOrder = [...ROWS].sort(
			([, [one = '']], [, [other = '']]) => rules.indexOf(one) - rules.indexOf(other),
		);
		expect(documentedRows()).toEqual(inOrder.map(([row]) => row));
	});
});
