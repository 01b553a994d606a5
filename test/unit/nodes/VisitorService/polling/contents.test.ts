import { ServiceFailure } from '../../../../../nodes/VisitorService/failure/serviceFailure';
import { Contents, contentDigest } from '../../../../../nodes/VisitorService/polling/contents';
import { PolledList } from '../../../../../nodes/VisitorService/polling/reading';
import { ServiceTime } from '../../../../../nodes/VisitorService/polling/serviceTime';
import { differingFields } from '../../../../../nodes/VisitorService/polling/volatileFields';
import type { JsonObject } from '../../../../../nodes/VisitorService/values/json';
import { PolledTenant } from './polledTenant';

const digest = (record: JsonObject, volatile: string[] = []) => contentDigest(record, volatile);

describe('the content of a record', () => {
	it('the content of a record is the same whatever the order of its fields and of the elements of its lists', () => {
		const one = { id: 1, tags: ['a', 'b'], rooms: [{ x: 1, y: 2 }, { x: 3 }] };
		const other = { rooms: [{ x: 3 }, { y: 2, x: 1 }], tags: ['b', 'a'], id: 1 };
		expect(digest(one)).toBe(digest(other));
	});

	it('the content of a record is another one if a value differs, unless its field differs in each answer', () => {
		expect(digest({ id: 1, tags: ['a'] })).not.toBe(digest({ id: 1, tags: ['a', 'a'] }));
		expect(digest({ id: 1, photo: 'x' })).not.toBe(digest({ id: 1, photo: 'y' }));
		expect(digest({ id: 1, photo: 'x' }, ['photo'])).toBe(digest({ id: 1, photo: 'y' }, ['photo']));
	});
});

describe('fields that differ in each answer', () => {
	const stateOf = ({ id }: JsonObject) => String(id);

	it('fields that differ in each answer are those that differ in most records that have them', () => {
		const first = [
			{ id: 1, name: 'a', photo: 'x', tags: [1, 2] },
			{ id: 2, name: 'b', photo: null, tags: [] },
			{ id: 3, name: 'c', photo: 'x', tags: [] },
		];
		const second = [
			{ id: 1, name: 'changed', photo: 'y', tags: [2, 1] },
			{ id: 2, name: 'b', photo: null, tags: [] },
			{ id: 3, name: 'c', photo: 'z', tags: [] },
		];
		expect(differingFields(first, second, stateOf)).toEqual(['photo']);
	});

	it('recognizes fields that differ in each answer by their dot paths, so that the fields beside them still count', () => {
		const first = [{ id: 1, profile: { room: 1, photo: 'x' }, cards: [{ code: 1, link: 'x' }] }];
		const second = [{ id: 1, profile: { room: 1, photo: 'y' }, cards: [{ code: 1, link: 'y' }] }];
		const volatile = differingFields(first, second, stateOf);
		expect(volatile).toEqual(['profile.photo', 'cards.link']);
		const [one, other] = [first[0], second[0]].map((record) => digest(record ?? {}, volatile));
		expect(one).toBe(other);
		const moved = { id: 1, profile: { room: 2, photo: 'z' }, cards: [{ code: 1, link: 'z' }] };
		expect(digest(moved, volatile)).not.toBe(one);
	});

	it('a field that has other names in it in each answer differs as a whole', () => {
		const first = [
			{ id: 1, files: { a: { url: 1 }, b: { url: 2 } }, profile: { room: 1, floor: null } },
		];
		const second = [{ id: 1, files: { c: { url: 3 }, d: { url: 4 } }, profile: { room: 1 } }];
		const volatile = differingFields(first, second, stateOf);
		expect(volatile).toEqual(['files']);
		expect(digest(first[0] ?? {}, volatile)).toBe(
			digest({ id: 1, files: {}, profile: { room: 1, floor: null } }, volatile),
		);
	});

	it('fields that differ in each answer are none if no record is in both answers', () => {
		expect(differingFields([{ id: 1, a: 1 }], [{ id: 2, a: 2 }], stateOf)).toEqual([]);
	});
});

describe('a doubt about what records hold', () => {
	const settle = async (failure: Error) => {
		const tenant = new PolledTenant();
		tenant.fetchPage = async () => await Promise.reject(failure);
		const contents = new Contents({ volatile: ['photo'] });
		contents.doubt({ records: [{ id: 1, photo: 'x' }], query: { page: 0, pageSize: 10 } });
		const fields = { id: 'id', updatedAt: '', createdAt: '' };
		const list = new PolledList(tenant, new ServiceTime(undefined));
		await contents.settle(list, fields, undefined);
		return contents;
	};

	it('stays if the service fails', async () => {
		const contents = await settle(new ServiceFailure('It failed.', 'Wait.', { kind: 'service' }));
		expect(contents.toMemory().volatile).toEqual(['photo']);
		expect(contents.notes).toEqual([]);
	});

	it('hides no defect of ours', async () => {
		const defect = new TypeError('No list.');
		await expect(settle(defect)).rejects.toBe(defect);
	});
});
