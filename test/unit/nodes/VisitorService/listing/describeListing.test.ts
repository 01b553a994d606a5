import {
	describeListing,
	type ListingFigures,
} from '../../../../../nodes/VisitorService/listing/describeListing';

const figures: ListingFigures = {
	plural: 'users',
	records: 250,
	pages: 3,
	requests: 4,
	retries: 0,
	duplicates: 0,
	duration: 1234,
	wholeList: true,
	maxPages: 0,
	untilStable: false,
	capReached: false,
	sweeps: [250],
	idField: 'id',
};
const describeWith = (changes: Partial<ListingFigures>) =>
	describeListing({ ...figures, ...changes });

describe('describeListing', () => {
	it('says records, pages, requests and seconds', () => {
		expect(describeWith({})).toEqual({
			message: '250 records of users in 3 pages, 4 requests, 1.2 s.',
			warning: false,
		});
	});

	it('counts one as one, and nothing', () => {
		expect(describeWith({ records: 1, pages: 1, requests: 1, duration: 61_000 }).message).toBe(
			'1 record of users in 1 page, 1 request, 61 s.',
		);
		expect(describeWith({ records: 0, pages: 0, requests: 1 }).message).toMatch(
			/^0 records of users in 0 pages/,
		);
	});

	it('says a short time in milliseconds', () => {
		expect(describeWith({ duration: 12.4 }).message).toMatch(/, 4 requests, 12 ms\.$/);
		expect(describeWith({ duration: 999 }).message).toMatch(/, 4 requests, 999 ms\.$/);
		expect(describeWith({ duration: 1000 }).message).toMatch(/, 4 requests, 1\.0 s\.$/);
	});

	it('says retries and duplicates', () => {
		expect(describeWith({ retries: 1, duplicates: 2 }).message).toBe(
			'250 records of users in 3 pages, 4 requests, 1.2 s, 1 retry, 2 duplicates removed (by "id").',
		);
	});

	it('says that the service sends pages of another size', () => {
		const { message, warning } = describeWith({ pageSizeThatCame: 50 });
		expect(message).toContain('The service sent pages of 50, not of the size asked for.');
		expect(warning).toBe(false);
	});

	it('warns where the cap was reached, and then says nothing of a total', () => {
		const { message, warning } = describeWith({ capReached: true, maxPages: 3, total: 900 });
		expect(message).toMatch(/s\. Reading stopped at Max Pages \(3\): there may be more users\.$/);
		expect(warning).toBe(true);
	});

	it('warns of a total that does not agree', () => {
		const { message, warning } = describeWith({ total: 251 });
		expect(message).toMatch(/total of 251.*Switch on Until Stable/);
		expect(warning).toBe(true);
		expect(describeWith({ total: 250 }).warning).toBe(false);
		expect(describeWith({ total: 251, wholeList: false }).warning).toBe(false);
	});

	it('says what reading until stable found', () => {
		const { message, warning } = describeWith({
			untilStable: true,
			sweeps: [249, 1, 0],
			total: 250,
		});
		expect(message).toContain('Read 3 times; after the first time 1 record came to light.');
		expect(warning).toBe(false);
	});

	it('warns where the list did not come to rest', () => {
		const { message, warning } = describeWith({
			untilStable: true,
			sweeps: [240, 6, 4],
			total: 260,
		});
		expect(message).toContain('after the first time 10 records came to light.');
		expect(message).toContain('The last time still brought some: there may be more.');
		expect(message).not.toContain('Switch on Until Stable');
		expect(warning).toBe(true);
	});

	it('says why a list without ids is read once only', () => {
		const { message } = describeWith({ untilStable: true, idField: undefined });
		expect(message).toContain('Read once only');
	});
});
