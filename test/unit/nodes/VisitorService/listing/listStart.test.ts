import { PageReader } from '../../../../../nodes/VisitorService/answer/pageReader';
import { ListStart } from '../../../../../nodes/VisitorService/listing/listStart';
import type { JsonObject } from '../../../../../nodes/VisitorService/values/json';
import { cut, listOf } from './readAnswers';

const users = listOf(30, (place) => ({ id: `user-${place}`, name: `User ${place % 7}` }));

/** What is known after the beginning was looked for, and the pages that were read for it. */
async function startAt(
	firstPage: number,
	bodyOf: (page: number, pageSize: number) => JsonObject,
	pageSize = 4,
) {
	const asked: number[] = [];
	const reader = new PageReader(
		async (page, size) => {
			asked.push(page);
			return await Promise.resolve({ statusCode: 200, headers: {}, body: bodyOf(page, size) });
		},
		{ keys: ['users'], itemsPath: '' },
	);
	const start = new ListStart({ firstPage, pageSize, resource: 'user' }, reader);
	await start.find(async () => await start.readBeginning());
	return { start, asked };
}

describe('pages that were read to find where a listing begins', () => {
	const usual = (page: number, size: number) => ({ data: cut(users, page, size) });

	it('reads no page to find where a listing begins that begins with the first one', async () => {
		const { start, asked } = await startAt(0, usual);
		expect(asked).toEqual([]);
		expect(start.arePagesDifferent).toBe(false);
		expect(start.total).toBeUndefined();
	});

	it('tells by the IDs of the pages read whether the page number counts', async () => {
		expect((await startAt(2, usual)).start.arePagesDifferent).toBe(true);
		expect((await startAt(9, usual)).start.arePagesDifferent).toBe(false);
		const names = users.map(({ name }) => ({ name }));
		const nameless = await startAt(2, (page, size) => ({ data: cut(names, page, size) }));
		expect(nameless.start.arePagesDifferent).toBe(false);
	});

	it('does not tell by pages of two sizes whether the page number counts', async () => {
		const { start } = await startAt(1, (_, size) => ({ data: cut(users, 0, size - 1) }));
		expect(start.arePagesDifferent).toBe(false);
	});

	it('knows the largest total that one of the pages read says', async () => {
		const { start } = await startAt(7, (page, size) => ({
			...usual(page, size),
			total: 30 + page,
		}));
		expect(start.total).toBe(37);
	});

	it('knows whether a page between the first one and the beginning is short', async () => {
		const firstPage = 7;
		const isShort = async (longest: number) => {
			const { start } = await startAt(firstPage, (page, size) =>
				usual(page, Math.min(longest, size)),
			);
			return start.isShortBefore({ page: firstPage, pageSize: 4 });
		};
		expect(await isShort(4)).toBe(false);
		expect(await isShort(3)).toBe(true);
	});
});
