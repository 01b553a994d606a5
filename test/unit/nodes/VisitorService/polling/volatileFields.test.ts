import { PolledList } from '../../../../../nodes/VisitorService/polling/reading';
import { ServiceTime } from '../../../../../nodes/VisitorService/polling/serviceTime';
import {
	differingFields,
	findVolatileFields,
} from '../../../../../nodes/VisitorService/polling/volatileFields';
import type { JsonObject } from '../../../../../nodes/VisitorService/values/json';

const NOW = Date.UTC(2026, 0, 31, 8);
const TIME = '2026-01-30T08:00:00Z';

const FIELDS = { id: 'id', updatedAt: 'updatedAt', createdAt: '' };

/** Users with a field that is another one for another `photo`. */
const usersWith = (photo: (user: number) => unknown, count = 10): JsonObject[] =>
	Array.from({ length: count }, (_, user) => ({
		id: user,
		updatedAt: TIME,
		name: `User ${user}`,
		photo: photo(user),
	}));

/** A list whose first page is the same for all, or depends on what was asked for. */
function listOf(records: (updatedSince?: number) => JsonObject[] = () => []) {
	const asked: Array<number | undefined> = [];
	const source = {
		service: 'service',
		names: { name: 'user', plural: 'users' },
		keys: ['users'],
		itemsPath: '',
		now: () => NOW,
		mayReadOn: () => true,
		pause: async () => await Promise.resolve(),
		fetchPage: async (_page: number, _pageSize: number, updatedSince?: number) => {
			asked.push(updatedSince);
			const body = records(updatedSince);
			return await Promise.resolve({ statusCode: 200, headers: {}, body });
		},
	};
	return { list: new PolledList(source, new ServiceTime(undefined)), asked };
}

describe('answers made right after each other', () => {
	/** What is found if the photo of one user is the first of these, and then each of the others. */
	async function findIn([first, ...later]: readonly string[], fields = FIELDS) {
		const pauses: number[] = [];
		let requests = 0;
		const { list } = listOf(() => usersWith(() => later[requests++], 1));
		Object.assign(list.source, { pause: (time: number) => Promise.resolve(pauses.push(time)) });
		const page = { records: usersWith(() => first, 1), query: { page: 0, pageSize: 10 } };
		return { found: await findVolatileFields(list, fields, page), requests, pauses };
	}

	it('finds a field that differs in each of three answers made right after each other', async () => {
		const result = await findIn(['a', 'b', 'c', 'd']);
		expect(result).toEqual({ found: ['photo'], requests: 2, pauses: [] });
	});

	it('leaves a field alone that changed between two of three answers made right after each other', async () => {
		expect(await findIn(['a', 'b', 'b'])).toMatchObject({ found: [], requests: 2 });
	});

	it('asks for one more answer only if the first two are the same', async () => {
		expect(await findIn(['a', 'a'])).toMatchObject({ found: [], requests: 1 });
	});

	it('waits a little more than a second before each answer if users show no update time', async () => {
		const { found, pauses } = await findIn(['a', 'b', 'c'], { ...FIELDS, updatedAt: '' });
		expect(found).toEqual(['photo']);
		expect(pauses).toEqual([1100, 1100]);
	});

	it('compares two answers user by user, in whatever order these come', async () => {
		const users = usersWith((user) => `photo of ${user}`, 3);
		const { list } = listOf(() => [...users].reverse());
		const page = { records: users, query: { page: 0, pageSize: 10 } };
		expect(await findVolatileFields(list, FIELDS, page)).toEqual([]);
	});
});

describe('fields that differ between two answers', () => {
	const idOf = ({ id }: JsonObject) => String(id);
	const differing = (some: number) =>
		differingFields(
			usersWith(() => 'a'),
			usersWith((user) => (user < some ? 'b' : 'a')),
			idOf,
		);

	it('names a field that differs in more than half of the users, because one may change just then', () => {
		expect([differing(5), differing(6)]).toEqual([[], ['photo']]);
	});

	it('looks only at users that both answers hold', () => {
		const others = usersWith(() => 'b', 14).slice(7);
		expect(
			differingFields(
				usersWith(() => 'a', 10),
				others,
				idOf,
			),
		).toEqual(['photo']);
		expect(
			differingFields(
				usersWith(() => 'a', 7),
				others,
				idOf,
			),
		).toEqual([]);
	});
});
