import {
	describeListing,
	type ListingFigures,
} from '../../../../../nodes/VisitorService/listing/describeListing';

const figures: ListingFigures = {
	singular: 'user',
	plural: 'users',
	endedBy: 'said',
	lastPage: 2,
	records: 2_600,
	pages: 26,
	requests: 26,
	retries: 0,
	duplicates: 0,
	differing: 0,
	highestTotal: 0,
	otherPaths: [],
	cameAgain: 0,
	pageCountFell: false,
	isAfterEnd: false,
	isIdChanging: false,
	isOnlyPage: false,

	isSizeDoubtful: false,
	duration: 287,
	wholeList: true,
	maxPages: 0,
	untilStable: false,
	missingFields: [],
	sweeps: [2_600],
	longIntegers: [],
	itemsPath: 'users',
	idField: 'id',
};
const describeWith = (changes: Partial<ListingFigures>) =>
	describeListing({ ...figures, ...changes });

describe('describeListing', () => {
	it('says records, pages, requests and the time it took', () => {
		expect(describeWith({})).toEqual({
			message: 'Read 2,600 users (26 pages, 26 requests, 287 ms).',
			warning: false,
		});
		expect(
			describeWith({ records: 1, pages: 1, requests: 1, retries: 1, duration: 1234 }).message,
		).toBe('Read 1 user (1 page, 1 request, 1.2 s, 1 retry).');
		expect(describeWith({ retries: 2, duration: 61_000 }).message).toContain('61 s, 2 retries)');
	});

	it('says how many there are if fewer were asked for', () => {
		const limited = { endedBy: 'limit', records: 50, total: 2_600, wholeList: false } as const;
		expect(describeWith(limited).message).toMatch(/^Read 50 of 2,600 users /);
		expect(describeWith(limited).warning).toBe(false);
		expect(describeWith({ ...limited, total: 50 }).message).toMatch(/^Read 50 users /);
		expect(describeWith({ ...limited, total: undefined }).message).toMatch(/^Read 50 users /);
		expect(describeWith({ ...limited, endedBy: 'said' }).message).toMatch(/^Read 50 users /);
		expect(describeWith(limited).message).not.toContain('Stopped at Limit');
	});

	it.each([
		[999, '999 ms'],
		[1000, '1.0 s'],
		[9_949, '9.9 s'],
		[10_000, '10 s'],
	])('says how long %d ms were', (duration, words) => {
		expect(describeWith({ duration }).message).toContain(` ${words})`);
	});

	it.each([
		[999, '999'],
		[1_000, '1,000'],
		[1_234_567, '1,234,567'],
	])('says %d with commas between thousands', (records, words) => {
		expect(describeWith({ records }).message).toMatch(`Read ${words} users`);
	});

	it('has no doubts about an empty list', () => {
		const { message, warning } = describeWith({
			records: 0,
			endedBy: 'empty',
			idField: undefined,
			untilStable: true,
		});
		expect(message).toBe('Read 0 users (26 pages, 26 requests, 287 ms).');
		expect(warning).toBe(false);
	});

	it('warns that users may be missing even if none came, where the listing may have begun too late', () => {
		const { message, warning } = describeWith({ records: 0, isSizeDoubtful: true });
		expect(message).toMatch(/some users may be missing: set Page Size/);
		expect(warning).toBe(true);
	});

	it('says how many of the users read match', () => {
		expect(describeWith({ found: 3 })).toEqual({
			message: 'Found 3 of 2,600 users read (26 pages, 26 requests, 287 ms).',
			warning: false,
		});
	});

	it.each([
		['empty', 'The list ended at page 3, which was empty.'],
		['nothing', 'The list ended at page 3, which held no list.'],
		['refused', 'The list ended at page 3, which the service refused.'],
		['lastPageAgain', 'The list ended at page 3, which repeated the one before it.'],
		['startsOver', 'The list ended at page 3, which started over.'],
	] as const)('says why the list ended if the service did not: %s', (endedBy, sentence) => {
		const { message, warning } = describeWith({ endedBy, lastPage: 3 });
		expect(message).toMatch(new RegExp(`${sentence}$`));
		expect(warning).toBe(false);
	});

	it.each(['said', 'limit'] as const)(
		'says nothing of the end if the service said it: %s',
		(endedBy) => {
			expect(describeWith({ endedBy }).message).not.toContain('ended');
		},
	);

	it('names the ID by which duplicates were left out', () => {
		expect(describeWith({ duplicates: 2 }).message).toContain('Left out 2 duplicates (by "id").');
		expect(describeWith({ duplicates: 1, idField: undefined }).message).toContain(
			'Left out 1 duplicate.',
		);
	});

	it('warns of duplicates that had other content', () => {
		const { message, warning } = describeWith({ duplicates: 3, differing: 1 });
		expect(message).toContain('1 duplicate had other content. If "id" is not the ID, set ID Path');
		expect(warning).toBe(true);
	});

	it('says that what looked like the ID is not used', () => {
		expect(describeWith({ disprovedIdField: 'uid', idField: undefined }).message).toContain(
			'"uid" is not used as the ID, because different users have the same one.',
		);
	});

	it('says which of several lists was read', () => {
		const { message } = describeWith({ otherPaths: ['sites', 'hosts'] });
		expect(message).toContain('The list is at "users"; other lists: sites, hosts.');
	});

	it('says that the service returns pages of another size', () => {
		const { message, warning } = describeWith({ pageSizeThatCame: 50 });
		expect(message).toContain('The service returned pages of 50 instead of the size asked for.');
		expect(warning).toBe(false);
		const large = describeWith({ pageSizeThatCame: 1000 });
		expect(large.message).toContain('The service returned pages of 1,000 instead');
	});

	it('warns if Max Pages ended the listing, and then says nothing of a total', () => {
		const { message, warning } = describeWith({ endedBy: 'maxPages', maxPages: 3, total: 9_000 });
		expect(message).toMatch(/ms\)\. Stopped at Max Pages \(3\): there may be more users\.$/);
		expect(warning).toBe(true);
	});

	it('warns of a total that does not agree', () => {
		const { message, warning } = describeWith({ total: 2_601 });
		expect(message).toMatch(/counts 2,601 users.*Turn on Until Stable/);
		expect(warning).toBe(true);
		expect(describeWith({ total: 2_600 }).warning).toBe(false);
		expect(describeWith({ total: 2_601, wholeList: false }).warning).toBe(false);
	});

	it('warns of a total that fell, even if it agrees in the end', () => {
		const { message, warning } = describeWith({ total: 2_600, highestTotal: 2_601 });
		expect(message).toContain('The total fell from 2,601 to 2,600 while the list was read');
		expect(warning).toBe(true);
	});

	it('does not mind a page count that fell if the total agrees', () => {
		expect(describeWith({ total: 2_600, pageCountFell: true }).warning).toBe(false);
		const missed = describeWith({ total: 2_601, pageCountFell: true });
		expect(missed.message).toContain('The service counts 2,601 users');
	});

	it('warns if the service speaks of more than its pages hold', () => {
		const { message, warning } = describeWith({ endedBy: 'nothingMore', lastPage: 9 });
		expect(message).toContain(
			'The list ended at page 9, which held nothing new, although the service says there are more users.',
		);
		expect(message.match(/The list ended/g)).toHaveLength(1);
		expect(warning).toBe(true);
	});

	it('warns if an answer without a list was taken for an empty one', () => {
		const { message, warning } = describeWith({ endedBy: 'nobody', records: 0, pages: 0 });
		expect(message).toContain('The answer held no list, so it counts as no users.');
		expect(warning).toBe(true);
	});

	it.each([
		[
			{ repeatedPage: 2, lastPage: 4 },
			'Page 2 held only users of earlier pages, although the list goes on after it: some users',
		],
		[{ repeatedPage: 4, lastPage: 4 }, 'Page 4 held only users of earlier pages: some users'],
		[{ pageCountFell: true }, 'The page count fell while the list was read'],
		[{ equalPage: 2 }, 'The users of page 2 equal earlier ones. Without an ID'],
		[
			{ isSizeDoubtful: true },
			'fewer users than others, and some users may be missing: set Page Size',
		],
		[
			{ isSizeDoubtful: true, idField: undefined },
			'are missing or doubled: set ID Path, or Page Size',
		],
	])('warns of what the pages contradict: %j', (changes, sentence) => {
		const { message, warning } = describeWith(changes);
		expect(message).toContain(sentence);
		expect(warning).toBe(true);
	});

	it('warns of fields that no record has', () => {
		const { message, warning } = describeWith({ missingFields: ['phone', 'address.zip'] });
		expect(message).toContain(
			'None of the users has "phone", "address.zip": check Output Field Names or IDs.',
		);
		expect(warning).toBe(true);
	});

	it('says what reading until stable found', () => {
		const { message, warning } = describeWith({
			untilStable: true,
			sweeps: [2_599, 1, 0],
			total: 2_600,
		});
		expect(message).toContain('Read 3 times; found 1 more after the first time.');
		expect(warning).toBe(false);
	});

	it('warns if the list did not come to rest', () => {
		const { message, warning } = describeWith({
			untilStable: true,
			sweeps: [2_590, 6, 4],
			total: 2_700,
		});
		expect(message).toContain('found 10 more after the first time.');
		expect(message).toContain('The last time still found some: there may be more.');
		expect(message).not.toContain('Turn on Until Stable');
		expect(warning).toBe(true);
	});

	it.each([{ idField: undefined }])(
		'says why a list without a sure ID is read only once, and what to do first: %p',
		({ idField }) => {
			const unsure = { idField, total: 2_700 };
			const again = describeWith({ ...unsure, untilStable: true }).message;
			expect(again).toMatch(/Read only once: .* Set ID Path\./);
			expect(again).not.toContain('Until Stable');
			const { message } = describeWith(unsure);
			expect(message).toContain('Set ID Path and turn on Until Stable to read it again.');
			expect(message).not.toContain('Read only once');
			expect(describeWith({ untilStable: true }).message).not.toContain('Read only once');
		},
	);
});
