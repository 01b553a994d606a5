import { Distinction } from '../../../../../nodes/VisitorService/listing/distinction';
import type { JsonObject } from '../../../../../nodes/VisitorService/values/json';

const USERS: readonly JsonObject[] = [
	{ id: 1, name: 'a', mail: 'x', floor: 1, photo: 'p' },
	{ id: 2, name: 'b', mail: 'y', floor: 1, photo: 'q' },
];
const [USER = {}] = USERS;

function distinction(...page: readonly JsonObject[]): Distinction {
	const found = new Distinction({ resource: 'user' });
	found.begin(page);
	return found;
}

describe('Distinction', () => {
	const { contentKeyOf } = distinction(...USERS);

	it.each([
		['with another ID', { ...USER, id: 2 }],
		['with the same ID and another name', { ...USER, name: 'b' }],
		['with the same ID and no name', { id: 1, mail: 'x', floor: 1, photo: 'p' }],
	])('tells a user from one %s', (_, other) => {
		expect(contentKeyOf(other)).not.toBe(contentKeyOf(USER));
	});

	it('knows a record that moved to another floor, because others are there as well', () => {
		expect(contentKeyOf({ ...USER, floor: 2 })).toBe(contentKeyOf(USER));
	});

	it('knows a record of which only a field differs that does so in each answer', () => {
		const signed = distinction(...USERS.map(({ id, photo }) => ({ id, photo })));
		const [one, other] = ['p', 'q'].map((photo) => ({ id: 1, photo }));
		expect(signed.contentKeyOf(one ?? {})).not.toBe(signed.contentKeyOf(other ?? {}));
		signed.ignore(['photo']);
		expect(signed.contentKeyOf(one ?? {})).toBe(signed.contentKeyOf(other ?? {}));
	});

	it('tells records without an ID apart by all they hold', () => {
		const nameless = distinction({ floor: 1, lift: 1 }, { floor: 1, lift: 1 });
		expect(nameless.contentKeyOf({ floor: 1, lift: 2 })).not.toBe(
			nameless.contentKeyOf({ floor: 1, lift: 1 }),
		);
	});
});
