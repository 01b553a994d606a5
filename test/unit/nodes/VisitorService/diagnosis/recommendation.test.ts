import { ok } from '../../../../../nodes/VisitorService/diagnosis/finding';
import type { Numbering } from '../../../../../nodes/VisitorService/diagnosis/numbering';
import {
	type Recommendation,
	recommend,
	UNCLEAR,
	withRecommended,
} from '../../../../../nodes/VisitorService/diagnosis/recommendation';
import {
	ListedUsers,
	MAX_SIZE_ASKED,
	missingIn,
} from '../../../../../nodes/VisitorService/diagnosis/users';
import type { HttpAnswer } from '../../../../../nodes/VisitorService/http/message';
import { answer, askedUsers } from './askedTenant';
import { slice, usersOf } from './memoryTenant';

type List = (page: number, size: number, number: number) => HttpAnswer;

const all = usersOf(450);

/** A list of 450 users, of which a page holds up to 1,000. */
const plain: List = (page, size) => answer(200, slice(all, page, Math.min(size, 1000)));

const fromOne =
	(zero: HttpAnswer): List =>
	(page, size) =>
		page === 0 ? zero : answer(200, slice(all, page, Math.min(size, 1000), 1));

const ignoring =
	(max: number): List =>
	(_, size) =>
		answer(200, all.slice(0, size > max ? 50 : size));

async function tried(list: List) {
	return await askedUsers(({ page, pageSize = 50 }, number) =>
		page === undefined && pageSize === 50
			? answer(200, all.slice(0, 50))
			: list(Number(page ?? 0), Number(pageSize), number),
	);
}

async function recommended(
	list: List,
	facts: { numbering?: Numbering; useful?: number } = {},
	isLargestRead = false,
) {
	const { users, asked } = await tried(list);
	const standard = await users.list({});
	const largest = isLargestRead ? await users.read({ pageSize: MAX_SIZE_ASKED }) : undefined;
	const known = new ListedUsers(users, standard, largest);
	const { numbering = 'from0', useful } = facts;
	return {
		recommendation: await recommend(known, numbering, useful ?? 0),
		asked,
		standard,
	};
}

describe('a trial of settings', () => {
	it('reads three pages as List Users does', async () => {
		const { users, asked } = await tried(plain);
		const trial = await users.list({});
		expect(trial).toMatchObject({ kind: 'read', requests: 3, whole: false });
		expect(
			missingIn(
				trial,
				all.slice(0, 300).map(({ id }) => JSON.stringify(id)),
			),
		).toBe(0);
		expect(
			missingIn(
				trial,
				all.map(({ id }) => JSON.stringify(id)),
			),
		).toBe(150);
		expect(asked.slice(1).map(({ query }) => query)).toEqual(
			[0, 1, 2].map((page) => ({ page, pageSize: 100 })),
		);
	});

	it('asks once for the same page, unless it is to be read again', async () => {
		const { users, asked } = await tried(plain);
		await users.list({});
		await users.list({});
		expect(asked).toHaveLength(4);
		await users.list({}, true);
		expect(asked).toHaveLength(7);
	});

	it('reads a list to its end if it is short enough', async () => {
		const { users } = await tried(plain);
		expect(await users.list({ pageSize: 500 })).toMatchObject({ kind: 'read', whole: true });
		expect(await users.list({ pageSize: 100, maxPages: 1 })).toMatchObject({
			kind: 'read',
			requests: 1,
			whole: true,
		});
	});

	it('reads from the page that is set if Return All is off', async () => {
		const { users, asked } = await tried(plain);
		const trial = await users.list({ returnAll: false, page: 1, limit: 150 });
		expect(trial).toMatchObject({ kind: 'read' });
		expect(asked[1]?.query).toMatchObject({ page: 1 });
		expect(trial.kind === 'read' && trial.keys).toHaveLength(150);
	});

	it('fails with the error of List Users if that is about the settings', async () => {
		const { users } = await tried(() => answer(400));
		expect(await users.list({})).toMatchObject({
			kind: 'failed',
			failure: { kind: 'badRequest' },
		});
		expect(missingIn(await users.list({}), ['one', 'two'])).toBe(2);
		const wrongPath = await (await tried(plain)).users.list({ itemsPath: 'nowhere' });
		expect(wrongPath).toMatchObject({ kind: 'failed', failure: { kind: 'noList' } });
	});

	it.each([
		[401, 'failed'],
		[500, 'failed'],
		[429, 'unclear'],
	])('judges settings by each failure but a limit of the rate: %i', async (status, kind) => {
		const { users } = await tried(() => answer(status));
		expect(await users.list({})).toMatchObject({ kind, longest: 0, keys: [] });
	});

	it('needs few requests for a list of which every other page is empty', async () => {
		const { users, asked } = await tried((page, _, number) =>
			answer(200, number % 2 === 0 ? [] : { data: slice(all, page, 10), more: true, total: 900 }),
		);
		await users.list({});
		expect(asked.length).toBeLessThanOrEqual(7);
	});
});

describe('what is recommended for List Users', () => {
	const DEFAULTS: Recommendation = { kind: 'works', values: {}, whole: false };

	it('recommends nothing if the defaults work, and no larger size is known', async () => {
		expect((await recommended(plain)).recommendation).toEqual(DEFAULTS);
		expect((await recommended(plain, { useful: 100 })).recommendation).toEqual(DEFAULTS);
	});

	it('recommends a larger page size that reads more with a request', async () => {
		const { recommendation } = await recommended(plain, { useful: 1000 });
		expect(recommendation).toEqual({ kind: 'works', values: { pageSize: 1000 }, whole: true });
	});

	it('knows the end of the list only from a reading that reached it', async () => {
		expect((await recommended(plain, { useful: 300 })).recommendation.whole).toBe(true);
		expect((await recommended(plain, { useful: 140 })).recommendation.whole).toBe(false);
		const failing: List = (page, size) => (page * size >= 450 ? answer(500) : plain(page, size, 0));
		expect((await recommended(failing, { useful: 1000 })).recommendation).toEqual(DEFAULTS);
		const short: List = (page, size) => answer(200, slice(all.slice(0, 60), page, size));
		expect((await recommended(short)).recommendation.whole).toBe(true);
	});

	it('recommends no page size with which users are missing, or that fails', async () => {
		const short: List = (page, size) =>
			answer(200, slice(all, page, size).slice(size > 100 ? 1 : 0));
		expect((await recommended(short, { useful: 1000 })).recommendation).toEqual(DEFAULTS);
		const failing: List = (page, size) => (size > 100 ? answer(400) : plain(page, size, 0));
		expect((await recommended(failing, { useful: 1000 })).recommendation).toEqual(DEFAULTS);
	});

	it('recommends to begin with page 1 if page 0 is refused, and says so', async () => {
		const { recommendation } = await recommended(fromOne(answer(400)), { numbering: 'from1' });
		expect(recommendation).toEqual({
			kind: 'needs',
			values: { returnAll: false, page: 1, limit: 1_000_000_000 },
			reason: expect.stringContaining('(status 400)') as string,
		});
	});

	it('recommends to begin with page 1 although that was refused once, if there is no other size', async () => {
		let isRefused = true;
		const { users } = await tried((page, size, number) => {
			if (page !== 1 || size !== 100 || !isRefused) return fromOne(answer(400))(page, size, number);
			isRefused = false;
			return answer(400);
		});
		const standard = await users.list({});
		await users.read({ page: 1, pageSize: 100 });
		const recommendation = await recommend(new ListedUsers(users, standard), 'from1', 0);
		expect(recommendation).toMatchObject({ kind: 'needs', values: { page: 1 } });
	});

	it('recommends a large size with it if that is faster', async () => {
		const largest = answer(200, all);
		const list: List = (page, size, number) =>
			size > 1000 ? largest : fromOne(answer(400))(page, size, number);
		const facts = { numbering: 'from1' as const, useful: 300 };
		const { recommendation } = await recommended(list, facts, true);
		expect(recommendation).toMatchObject({ kind: 'needs', values: { page: 1, pageSize: 300 } });
	});

	it('recommends a single page if "page" is ignored, of the size that reads most', async () => {
		const facts = { numbering: 'ignored' as const };
		expect((await recommended(ignoring(1000), facts)).recommendation).toEqual({
			kind: 'needs',
			values: { maxPages: 1, pageSize: 500 },
		});
		expect((await recommended(ignoring(600), { ...facts, useful: 1000 })).recommendation).toEqual({
			kind: 'needs',
			values: { maxPages: 1, pageSize: 500 },
		});
		expect((await recommended(ignoring(200), facts)).recommendation).toEqual({
			kind: 'needs',
			values: { maxPages: 1 },
		});
	});

	it('says that List Users fails only if it does so twice', async () => {
		const { recommendation } = await recommended(() => answer(400));
		expect(recommendation).toMatchObject({ kind: 'fails' });
		expect(recommendation.reason).toContain('(status 400)');
		const once: List = (page, size, number) => (number === 2 ? answer(400) : plain(page, size, 0));
		expect((await recommended(once)).recommendation).toEqual(DEFAULTS);
		const thenSilent: List = (_, __, number) => answer(number === 2 ? 400 : 429);
		const { recommendation: unclear } = await recommended(thenSilent);
		expect(unclear).toMatchObject({ kind: 'unclear', values: {} });
		expect(unclear.reason).toContain('(status 400)');
	});

	it('goes by what two of three readings say if one of them found a page that is not there', async () => {
		for (const accident of [2, 3, 4]) {
			const list: List = (page, size, number) =>
				number === accident ? plain(0, size, 0) : fromOne(answer(400))(page, size, number);
			const { recommendation } = await recommended(list, { numbering: 'from1' });
			expect([accident, recommendation]).toMatchObject([accident, { kind: 'needs' }]);
		}
	});

	it('does not take a reading for one that works if it was stopped after the users of one page', async () => {
		const same: List = (_, size, number) =>
			answer(200, number % 2 === 0 ? { data: all.slice(0, size), more: true } : []);
		const { recommendation } = await recommended(same);
		expect(recommendation.kind).not.toBe('works');
	});

	it('says that users are missing if it reads others than the service shows first', async () => {
		const others: List = (page, size) => answer(200, slice(all.slice(60), page, size));
		expect((await recommended(others)).recommendation).toEqual({
			kind: 'fails',
			values: {},
			reason: 'It does not return all users.',
		});
	});

	it('misses no user in a list that has another order each time', async () => {
		const reversed: List = (page, size) => answer(200, slice([...all].reverse(), page, size));
		expect((await recommended(reversed, {}, true)).recommendation).toEqual(DEFAULTS);
	});

	it('tolerates that two users were deleted meanwhile, but not three', async () => {
		const without =
			(count: number): List =>
			(page, size) =>
				answer(200, slice(all.slice(count), page, size));
		expect((await recommended(without(2))).recommendation).toEqual(DEFAULTS);
		expect((await recommended(without(3))).recommendation).toMatchObject({ kind: 'fails' });
	});

	it('recommends nothing if List Users could not be tried', async () => {
		expect((await recommended(() => answer(429))).recommendation).toEqual(UNCLEAR);
	});
});

describe('a finding with what is recommended', () => {
	const needs = (values: Record<string, string | number | boolean>) =>
		({ kind: 'needs', values }) as const;

	it('says what was tried for it, and nothing else', () => {
		const values = { returnAll: false, page: 1, limit: 9, pageSize: 500 };
		expect(withRecommended(ok('firstPageNumber', 1, ''), needs(values)).setting).toEqual({
			'List Users': { returnAll: false, page: 1, limit: 9 },
		});
		expect(withRecommended(ok('maxPageSize', 500, ''), needs(values)).setting).toEqual({
			'List Users': { pageSize: 500 },
		});
		expect(withRecommended(ok('idField', 'id', ''), needs(values)).setting).toBeNull();
		expect(withRecommended(ok('pageHonoured', false, ''), needs({ maxPages: 1 })).setting).toEqual({
			'List Users': { maxPages: 1 },
		});
	});

	it('says it for the Polling Trigger too if that has all of it and needs it', () => {
		const values = { itemsPath: 'rows' };
		const finding = ok('itemsPath', 'rows', '');
		expect(withRecommended(finding, needs(values)).setting).toEqual({
			'List Users': values,
			'Polling Trigger': values,
		});
		expect(withRecommended(finding, needs({ ...values, maxPages: 1 })).setting).toEqual({
			'List Users': values,
		});
		expect(withRecommended(finding, { kind: 'works', values }).setting).toEqual({
			'List Users': values,
		});
	});

	it('leaves a finding as it is if nothing is recommended', () => {
		const finding = ok('maxPageSize', 500, '');
		expect(withRecommended(finding, UNCLEAR)).toBe(finding);
		expect(withRecommended(finding, needs({}))).toBe(finding);
	});
});
