import { VersionReader } from '../../../../../nodes/VisitorService/polling/recordVersions';
import type { TriggerOn } from '../../../../../nodes/VisitorService/polling/versions';

const names = { name: 'user', plural: 'users' };
const fields = { id: 'id', updatedAt: 'updatedAt', createdAt: 'createdAt' };
const created = '2026-03-01T08:00:00.250Z';
const updated = '2026-03-02T08:00:00.500Z';

const reader = (triggerOn: TriggerOn, of = fields) => new VersionReader(of, names, triggerOn);

describe('the version of a record', () => {
	it('the version of a record is that of its creation if that is what counts, whatever was changed later', () => {
		const read = reader('created');
		const version = read.read({ id: 1, createdAt: created, updatedAt: updated });
		expect(version).toMatchObject({ time: Date.parse(created), earliest: Date.parse(created) });
		const later = read.read({ id: 1, createdAt: created, updatedAt: '2026-03-03T08:00:00.500Z' });
		expect(later?.key).toBe(version?.key);
		expect(later?.updated.earliest).toBe(Date.parse('2026-03-03T08:00:00.500Z'));
	});

	it('the version of a creation is one for each time of it, and ends no tick', () => {
		const read = reader('created');
		const version = read.read({ id: 1, createdAt: '2026-03-01T08:00:07Z' });
		const again = read.read({ id: 1, createdAt: '2026-03-01T08:00:08Z' });
		expect(version?.tick).toBe(0);
		expect(again?.key).not.toBe(version?.key);
	});

	it('the version of a record is that of its update if that is what counts, with its tick', () => {
		const version = reader('updated').read({
			id: 1,
			createdAt: created,
			updatedAt: '2026-03-02T08:00:07Z',
		});
		expect(version).toMatchObject({ earliest: Date.parse('2026-03-02T08:00:07Z'), tick: 1000 });
	});

	it('the version of a record is none without the time that counts', () => {
		expect(reader('created').read({ id: 1, updatedAt: updated })).toBeUndefined();
		expect(reader('updated').read({ id: 1, createdAt: created })).toBeDefined();
		const withoutCreation = { ...fields, createdAt: '' };
		expect(reader('updated', withoutCreation).read({ id: 1, updatedAt: null })).toBeUndefined();
		expect(reader('created', withoutCreation).read({ id: 1 })).toBeUndefined();
	});

	it('the version of a creation is none before the time that is asked for', () => {
		const read = reader('createdOrUpdated');
		const version = read.read({ id: 1, createdAt: created, updatedAt: updated });
		if (version === undefined) throw new Error('The record has times.');
		const time = Date.parse(created);
		const since = { time, key: '' };
		expect(read.creationOf(version, since, since)).toMatchObject({ time, content: '' });
		expect(read.creationOf(version, { time: time + 1, key: '' }, since)).toBeUndefined();
		const undated = { ...version, record: { id: 1, updatedAt: updated } };
		expect(read.creationOf(undated, { time: 0, key: '' }, since)).toBeUndefined();
	});
});

describe('records without a time that can be read', () => {
	const note = expect.stringContaining('Some users have no time that can be read') as string;

	it('records without a time are said if others have one', () => {
		const read = reader('updated');
		read.read({ id: 1, updatedAt: updated });
		expect(read.noteTimeless()).toEqual([]);
		read.read({ id: 2 });
		expect(read.noteTimeless()).toEqual([note]);
	});

	it('records without a time are said if no record of the page has such a field, such as one that tells a removal', () => {
		const read = reader('updated');
		read.read({ id: 1, deletedAt: updated });
		expect(read.noteTimeless()).toEqual([note]);
	});

	it('records without a time are said if the field is there', () => {
		const read = reader('updated');
		read.read({ id: 1, updatedAt: 'soon' });
		read.read({ id: 2 });
		expect(read.noteTimeless()).toEqual([note]);
	});
});
