import type { JsonObject } from '../../../../../nodes/VisitorService/values/json';
import { cut, readAnswers } from './readAnswers';

const listOf = (count: number, record: (place: number) => JsonObject): JsonObject[] =>
	Array.from({ length: count }, (_, place) => record(place));

describe('IDs in another spelling', () => {
	const uuid = (place: number) => `abcdef0${place % 10}-aaaa-4bbb-8ccc-ddddeeee${1000 + place}`;
	const withId = (change: (id: string) => unknown) => (record: JsonObject) => ({
		...record,
		id: change(String(record.id)),
	});

	it.each<[string, (place: number) => unknown, (id: string) => unknown]>([
		['as text instead of numbers', (place) => place + 1, String],
		['as numbers instead of text', (place) => String(place + 1), Number],
		['as UUIDs in capitals', uuid, (id) => id.toUpperCase()],
		['as UUIDs in braces', uuid, (id) => `{${id}}`],
		[
			'as UUIDs without hyphens, in capitals',
			(n) => uuid(n).replace(/-/g, ''),
			(id) => id.toUpperCase(),
		],
	])(
		'reads a list once that starts over and then writes its IDs %s',
		async (_, idOf, respelled) => {
			for (const others of [{}, { name: 'User' }]) {
				const users = listOf(30, (place) => ({ id: idOf(place), ...others }));
				const again = users.map(withId(respelled));
				const { listing, warning } = await readAnswers((page, size) => ({
					data: page < 3 ? cut(users, page, size) : cut(again, page % 3, size),
				}));
				expect(listing.records).toEqual(users);
				expect(warning).toBe(false);
			}
		},
	);

	it.each([
		['letters of which the case matters', 'abcDEF', 'ABCdef'],
		['numbers with zeros before them', '7', '07'],
		['numbers beyond 2^53', '9007199254740993', '9007199254740992'],
	])('keeps records apart of which the IDs are %s', async (_, one, other) => {
		const users = [{ id: one }, { id: other }];
		const { listing } = await readAnswers((page, size) => ({ data: cut(users, page, size) }), {
			pageSize: 1,
		});
		expect(listing.records).toEqual(users);
	});
});
