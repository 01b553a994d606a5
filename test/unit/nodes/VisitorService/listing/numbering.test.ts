import {
	askForFirstNumber,
	askForLaterPage,
	askForSecondPage,
} from '../../../../../nodes/VisitorService/listing/numbering';
import type { EqualPages } from '../../../../../nodes/VisitorService/listing/situation';
import type { JsonObject } from '../../../../../nodes/VisitorService/values/json';

const named = (names: string): JsonObject[] => Array.from(names, (name) => ({ name }));

/** A service that answers every question with these records, and what it was asked. */
function answering(names: string) {
	const asked: string[] = [];
	const source = {
		read: async (page: number, pageSize: number) => {
			asked.push(`${page}@${pageSize}`);
			const records = named(names);
			const kind = records.length > 0 ? ('records' as const) : ('empty' as const);
			return await Promise.resolve({ kind, records, metadata: {} });
		},
		fingerprintsOf: (record: JsonObject) => [JSON.stringify(record)],
	};
	return { asked, source };
}

describe('askForSecondPage', () => {
	it.each<[string, string, EqualPages, string]>([
		['abcd', 'ab', 'firstPageAgain', 'page 1 at half the size begins like page 0'],
		['abcd', 'cd', 'equalRecords', 'page 1 at half the size begins in the middle of page 0'],
		['abcd', 'abc', 'unclear', 'page 1 is longer than asked for'],
		['abcd', '', 'unclear', 'page 1 is empty at half the size'],
	])(
		'asks for the second page after %s, gets %s and says %s, because %s',
		async (first, answer, expected) => {
			const { asked, source } = answering(answer);
			expect(await askForSecondPage(named(first), source)).toBe(expected);
			expect(asked).toEqual(['1@2']);
		},
	);

	it('asks for half of the records, rounded down', async () => {
		const { asked, source } = answering('ab');
		await askForSecondPage(named('abcde'), source);
		expect(asked).toEqual(['1@2']);
	});

	it.each([
		['ab', 'firstPageAgain'],
		['aa', 'equalRecords'],
		['a', 'unclear'],
		['', 'unclear'],
	] as const)('asks for two records if pages hold one: %s means %s', async (answer, expected) => {
		const { asked, source } = answering(answer);
		expect(await askForSecondPage(named('a'), source)).toBe(expected);
		expect(asked).toEqual(['0@2']);
	});

	it('asks nothing of an empty list', async () => {
		const { asked, source } = answering('ab');
		expect(await askForSecondPage([], source)).toBe('unclear');
		expect(asked).toEqual([]);
	});
});

describe('askForFirstNumber', () => {
	it.each<[string, Record<string, string>, 0 | 1 | undefined]>([
		['abcd', { '1@2': 'cd' }, 0],
		['abcd', { '1@2': 'ab', '2@2': 'cd' }, 1],
		['abcd', { '1@2': 'ab', '2@2': 'ab' }, undefined],
		['abcd', { '1@2': 'ab', '2@2': '' }, undefined],
		['abcd', { '1@2': 'abcd' }, undefined],
		['a', { '0@2': 'a' }, undefined],
		['a', { '0@2': 'ab', '2@1': 'b' }, 1],
		['', {}, undefined],
	])(
		'knows after %s, and %j at half the size, that the first number is %p',
		async (first, answers, expected) => {
			const asked: string[] = [];
			const source = {
				read: async (page: number, pageSize: number) => {
					const question = `${page}@${pageSize}`;
					asked.push(question);
					const records = named(answers[question] ?? '');
					const kind = records.length > 0 ? ('records' as const) : ('empty' as const);
					return await Promise.resolve({ kind, records, metadata: {} });
				},
				fingerprintsOf: (record: JsonObject) => [JSON.stringify(record)],
			};
			expect(await askForFirstNumber(named(first), source)).toBe(expected);
			expect(asked).toEqual(Object.keys(answers));
		},
	);
});

describe('askForLaterPage', () => {
	it.each<[string, EqualPages, string]>([
		['cd', 'singlePage', 'begins elsewhere'],
		['de', 'longer', 'holds others'],
		['ab', 'pageIgnored', 'begins like the first one'],
		['', 'pageIgnored', 'is empty'],
	])('%s means %s: a later page of half the size %s', async (answer, expected) => {
		const { asked, source } = answering(answer);
		expect(await askForLaterPage(2, named('abc'), source)).toBe(expected);
		expect(asked).toEqual(['5@2']);
	});

	it.each([
		['ab', 'pageIgnored'],
		['aa', 'equalRecords'],
		['a', 'singlePage'],
		['', 'singlePage'],
	] as const)('asks for two records if pages hold one: %s means %s', async (answer, expected) => {
		const { asked, source } = answering(answer);
		expect(await askForLaterPage(2, named('a'), source)).toBe(expected);
		expect(asked).toEqual(['2@2']);
	});

	it('asks nothing of an empty list', async () => {
		const { asked, source } = answering('ab');
		expect(await askForLaterPage(0, [], source)).toBe('pageIgnored');
		expect(asked).toEqual([]);
	});
});
