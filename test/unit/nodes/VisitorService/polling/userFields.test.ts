import {
	findUserFields,
	readVersion,
} from '../../../../../nodes/VisitorService/polling/userFields';
import { ServiceFailure } from '../../../../../nodes/VisitorService/transport/serviceFailure';

const TIME = '2026-01-31T08:30:15.250Z';
const detect = { id: '', updatedAt: '' };

function failureOf(action: () => unknown): ServiceFailure {
	try {
		action();
	} catch (error) {
		if (error instanceof ServiceFailure) return error;
		throw error;
	}
	throw new Error('Nothing failed.');
}

describe('the fields a version is told by', () => {
	it.each([
		[
			{ id: 1, updatedAt: TIME },
			{ id: 'id', updatedAt: 'updatedAt' },
		],
		[
			{ userId: 'a', last_modified: 1_769_848_215 },
			{ id: 'userId', updatedAt: 'last_modified' },
		],
		[
			{ _id: 'a', meta: { updated_at: TIME } },
			{ id: '_id', updatedAt: 'meta.updated_at' },
		],
	])('are found in %p', (user, fields) => {
		expect(findUserFields([user], detect)).toEqual(fields);
	});

	it('are taken from the options first', () => {
		const user = { id: 1, updatedAt: TIME, profile: { number: 7, seen: TIME } };
		const set = { id: 'profile.number', updatedAt: 'profile.seen' };
		expect(findUserFields([user], set)).toEqual(set);
	});

	it('name the option where no ID is found, and the fields seen', () => {
		const failure = failureOf(() => findUserFields([{ mail: 'a', updatedAt: TIME }], detect));
		expect(failure.message).toContain('mail, updatedAt');
		expect(failure.remedy).toContain('ID Path (idPath)');
	});

	it('name the option where the ID repeats', () => {
		const users = [
			{ id: 1, updatedAt: TIME },
			{ id: 1, updatedAt: TIME },
		];
		expect(failureOf(() => findUserFields(users, detect)).remedy).toContain('idPath');
	});

	it.each([[{ id: 1 }], [{ id: 1, updatedAt: 'recently' }]])(
		'name the option where no update time is found in %p',
		(user) => {
			const failure = failureOf(() => findUserFields([user], detect));
			expect(failure.remedy).toContain('Updated At Path (updatedAtPath)');
		},
	);

	it.each([
		[{ id: 'number', updatedAt: '' }, 'idPath', '"number"'],
		[{ id: '', updatedAt: 'changed' }, 'updatedAtPath', '"changed"'],
	])('name the option that leads nowhere: %p', (set, option, path) => {
		const failure = failureOf(() => findUserFields([{ id: 1, updatedAt: TIME }], set));
		expect(failure.remedy).toContain(option);
		expect(failure.message).toContain(path);
	});
});

describe('a version', () => {
	const fields = { id: 'id', updatedAt: 'updatedAt' };

	it('has another key for another user or time, and no other', () => {
		const key = (id: unknown, updatedAt: unknown) => readVersion({ id, updatedAt }, fields).key;
		const keys = [key(1, TIME), key('1', TIME), key(1, '2026-01-31T08:30:15.251Z'), key(2, TIME)];
		expect(new Set(keys).size).toBe(4);
		expect(readVersion({ id: 1, name: 'User 1', updatedAt: TIME }, fields).key).toBe(keys[0]);
	});

	it.each([null, '', 0, '0001-01-01T00:00:00Z', '1970-01-01T00:00:00Z', '0000-00-00 00:00:00'])(
		'of a user that was never updated, written as %j, has the time of its creation',
		(updatedAt) => {
			const version = readVersion({ id: 1, updatedAt, createdAt: TIME }, fields);
			expect(version.time).toBe(Date.parse(TIME));
		},
	);

	it('has the time that is shown where there is no better one', () => {
		const year1 = '0001-01-01T00:00:00Z';
		expect(readVersion({ id: 1, updatedAt: year1 }, fields).time).toBe(Date.parse(year1));
	});

	it('of a user that was never updated is dated by what is beside the update time first', () => {
		const nested = { id: 1, meta: { updatedAt: null, created_at: TIME } };
		expect(readVersion(nested, { id: 'id', updatedAt: 'meta.updatedAt' }).time).toBe(
			Date.parse(TIME),
		);
	});

	it.each([
		[{ id: 1, updatedAt: null }, 'updatedAtPath'],
		[{ id: 1, updatedAt: 'recently', createdAt: TIME }, 'updatedAtPath'],
		[{ updatedAt: TIME }, 'idPath'],
		[{ id: {}, updatedAt: TIME }, 'idPath'],
	])('is not made up for %p', (user, option) => {
		expect(failureOf(() => readVersion(user, fields)).remedy).toContain(option);
	});
});
