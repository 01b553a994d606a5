import { ServiceFailure } from '../../../../../nodes/VisitorService/failure/serviceFailure';
import {
	findRecordFields,
	type RecordFields,
	readUpdate,
} from '../../../../../nodes/VisitorService/polling/fields';
import type { JsonObject } from '../../../../../nodes/VisitorService/values/json';

const TIME = '2026-01-31T08:30:15.250Z';
/** As times are written here. */
const ms = { unit: 0 };
const detect: RecordFields = { id: '', updatedAt: '', createdAt: '' };
const names = { name: 'user', plural: 'users' };

const findFields = (records: JsonObject[], set: Partial<RecordFields> = {}) =>
	findRecordFields(records, { ...detect, ...set }, names);

function failureOf(action: () => unknown): ServiceFailure {
	try {
		action();
	} catch (error) {
		if (error instanceof ServiceFailure) return error;
		throw error;
	}
	throw new Error('Nothing failed.');
}

describe('the fields a version is recognized by', () => {
	it.each([
		[
			{ id: 1, updatedAt: TIME },
			{ id: 'id', updatedAt: 'updatedAt', ...ms },
		],
		[
			{ userId: 'a', last_modified: 1_769_848_215, created_on: TIME },
			{ id: 'userId', updatedAt: 'last_modified', createdAt: 'created_on', ...ms },
		],
		[
			{ _id: 'a', meta: { updated_at: TIME, created_at: TIME } },
			{ id: '_id', updatedAt: 'meta.updated_at', createdAt: 'meta.created_at', ...ms },
		],
		[{ id: 1, updatedAt: 'recently' }, { id: 'id' }],
		[
			{ id: 1, updatedAt: null, createdAt: TIME },
			{ id: 'id', updatedAt: 'updatedAt', createdAt: 'createdAt', ...ms },
		],
		[{ id: 1, updatedAt: null }, { id: 'id' }],
	])('finds the fields a version is recognized by in %p', (user, fields) => {
		expect(findFields([user])).toEqual({ ...detect, ...fields });
	});

	it('the fields a version is recognized by are taken from the options first', () => {
		const user = { id: 1, updatedAt: TIME, profile: { number: 7, seen: TIME, made: TIME } };
		const set = { id: 'profile.number', updatedAt: 'profile.seen', createdAt: 'profile.made' };
		expect(findFields([user], set)).toEqual({ ...set, ...ms });
	});

	it('the fields a version is recognized by are seen by their paths, without keys that may be personal', () => {
		const person = { 'ann@example.test': 1, profile: { mail: 'a' }, updatedAt: TIME };
		const { message } = failureOf(() => findFields([person]));
		expect(message).toContain('Fields seen: profile.mail, updatedAt.');
	});

	it('name the option if the ID repeats', () => {
		const user = { id: 1, updatedAt: TIME };
		expect(failureOf(() => findFields([user, user])).remedy).toContain('ID Path');
	});

	it.each([
		[{ id: 'number' }, 'ID Path', '"number"'],
		[{ updatedAt: 'changed' }, 'Updated At Path', '"changed"'],
		[{ createdAt: 'made' }, 'Created At Path', '"made"'],
		[{ updatedAt: 'name' }, 'Updated At Path', '"name"'],
	])('name the option that leads nowhere: %p', (set, option, path) => {
		const failure = failureOf(() => findFields([{ id: 1, updatedAt: TIME, name: 'Ann' }], set));
		expect(failure.kind).toBe('configuration');
		expect(failure.remedy).toContain(option);
		expect(failure.message).toContain(path);
	});

	it('name what is missing in words that fit the option', () => {
		const users = [{ id: 1, updatedAt: TIME }];
		const remedyFor = (set: Partial<RecordFields>) =>
			failureOf(() => findFields(users, set)).remedy;
		expect(remedyFor({ updatedAt: 'seen' })).toContain('the time a user was changed last');
		expect(remedyFor({ createdAt: 'made' })).toContain('the time a user was created');
		expect(failureOf(() => findFields(users, { id: 'number' })).message).toContain(
			'no ID at "number"',
		);
	});

	it('accepts an option that leads to a time in some of the records only', () => {
		const users = [{ id: 1 }, { id: 2, seen: TIME }];
		expect(findFields(users, { updatedAt: 'seen' }).updatedAt).toBe('seen');
	});
});

describe('the time a record was changed last', () => {
	const fields = { id: 'id', updatedAt: 'updatedAt', createdAt: 'createdAt' };

	it('the time a record was changed last may be before its creation by as much as zones differ', () => {
		const updatedAt = '2026-01-30T06:31:00Z';
		const moment = readUpdate({ id: 1, updatedAt, createdAt: TIME }, fields);
		expect(moment).toBe(Date.parse(updatedAt));
	});

	it.each([
		...[null, '', 0, -1, -62_135_596_800_000, -2_209_161_600, '0', '-62135596800'],
		...['/Date(-62135596800000)/', '0001-01-01T00:00:00Z', '1753-01-01T00:00:00'],
		...['1899-12-30T00:00:00.000Z', '1900-01-01', '1970-01-01T00:00:00Z', '0000-00-00 00:00:00'],
		...['2000-01-01T00:00:00Z', 'Mon, 01 Jan 1900 00:00:00 GMT', '2026-01-28T06:29:15Z'],
	])(
		'the time a record was changed last is that of its creation if it was never updated, written as %j',
		(updatedAt) => {
			const moment = readUpdate({ id: 1, updatedAt, createdAt: TIME }, fields);
			expect(moment).toBe(Date.parse(TIME));
		},
	);

	it.each([
		{ id: 1, updatedAt: null },
		{ id: 1, updatedAt: 'recently', createdAt: TIME },
		{ id: 1, updatedAt: '0001-01-01T00:00:00Z' },
	])('the time a record was changed last is not made up for %p', (record) => {
		expect(readUpdate(record, fields)).toBeUndefined();
	});
});
