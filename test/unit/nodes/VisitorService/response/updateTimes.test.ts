import {
	findCreatedAtField,
	findUpdatedAtPath,
	findUpdatedAtField as findUpdateTimesOf,
	isUnsetTime,
} from '../../../../../nodes/VisitorService/response/updateTimes';

const findUpdateTimes = (records: Array<Record<string, unknown>>) =>
	findUpdateTimesOf(records, 'user');

const iso = '2026-01-05T08:00:00.250Z';
const at = Date.parse(iso);

describe('the update time', () => {
	it.each([
		...['updatedAt', 'updated_at', 'lastUpdated', 'updatedOn', 'dateUpdated', 'UpdateTime'],
		...['lastModifiedDate', 'modified', 'modificationDate', 'last_changed_at', 'changedOn'],
		...['metadata_modified', 'lastModified.time', 'updated.at', 'meta.updatedAt'],
		...['audit.lastModified', 'UPDATED_AT', '$updatedAt', 'lastUpdate', 'last_edited_time'],
		...['sys_updated_on', 'write_date', 'gmtModified', 'LASTCHANGED', 'UserLastModifiedDate'],
		...['ns:ModifiedOn', 'SystemModstamp', 'attributes.updated-at', 'fields.updated'],
		...['_source.updated_at', 'MetaData.LastUpdatedTime', 'updated_at.datetime'],
		'systemData.lastModifiedAt',
	])('finds the update time as %s', (path) => {
		const [outer = '', inner] = path.split('.');
		const record = { id: 1, createdAt: iso, [outer]: inner === undefined ? iso : { [inner]: iso } };
		expect(findUpdateTimes([record])).toMatchObject({ path });
	});

	it.each([
		['of another name', { createdAt: iso, lastSeen: iso, update: 'yes', visitAt: iso }],
		['of another change', { passwordChangedAt: iso, lastActivity: iso, updatedBy: 'x' }],
		['of another resource', { visitUpdatedAt: iso }],
		['of another object', { company: { id: 1, updatedAt: iso } }],
		['that is no time', { updatedAt: 'yesterday', updated: true, changed: 3 }],
		['that is null', { updatedAt: null }],
		['that is empty', { updatedAt: '', changedAt: 0, modifiedAt: '0001-01-01T00:00:00Z' }],
	])('the update time is not found in a field %s', (_, record) => {
		expect(findUpdateTimes([record, record])).toBeUndefined();
	});

	it('the update time is the likeliest of several, and readable in every record that has it', () => {
		const records = [
			{ changedAt: iso, modifiedAt: iso, updatedAt: 'never', meta: { updatedAt: iso } },
			{ changedAt: iso, modifiedAt: null, updatedAt: iso, meta: {} },
		];
		expect(findUpdateTimes(records)).toMatchObject({ path: 'modifiedAt' });
	});

	it.each([
		...[null, '', ' ', 0, '0001-01-01T00:00:00', '1970-01-01T00:00:00.000Z', '0000-00-00 00:00:00'],
		...['Mon, 01 Jan 0001 00:00:00 GMT', 'Thu, 01 Jan 1970 00:00:00 GMT', '19700101T000000Z'],
		...['1969-12-31T16:00:00-08:00', '/Date(-62135596800000)/', '/Date(0)/'],
	])('the update time is none if it is written as %j, and its field is still found', (unset) => {
		const records = [{ updatedAt: unset }, { updatedAt: iso }];
		expect(findUpdateTimes(records)).toMatchObject({ path: 'updatedAt' });
	});

	it.each([
		['2026-01-05T08:00:00.250Z', true],
		['2026-01-05T02:30:00.250-0530', true],
		['2026-01-05 08:00:00.25', false],
		['2026-01-05', false],
		['/Date(1767600000250)/', true],
		[at, true],
		[String(at), true],
		// Such as all of them show, other than those that are unset.
		[[iso, '2026-01-05T08:00:00'], false],
		[['1970-01-01T00:00:00Z', ' ', 0, iso], true],
	])('%j is read, with its zone: %s', (written, hasZone) => {
		const records = [written].flat().map((updatedAt) => ({ updatedAt }));
		expect(findUpdateTimes(records)).toMatchObject({ hasZone });
	});
});

describe('the creation time', () => {
	it.each([
		...['createdAt', 'created', 'created_on', 'dateCreated', 'createdTimestamp', 'sys_created_on'],
		...['CreationDate', 'registeredAt', 'addedAt', 'meta.created', 'attributes.created-at'],
	])('finds the creation time as %s', (path) => {
		const [outer = '', inner] = path.split('.');
		const record = { id: 1, updatedAt: iso, [outer]: inner === undefined ? iso : { [inner]: iso } };
		expect(findCreatedAtField([record], 'user')).toMatchObject({ path });
	});

	it('the creation time is not the time of an update', () => {
		expect(findCreatedAtField([{ updatedAt: iso, addressId: 1 }], 'user')).toBeUndefined();
	});
});

describe('the unset update time', () => {
	it.each(['2100-01-01T00:00:00Z', '01 Feb 2080 00:00:00 GMT', '315532800', '2000-01-01', 'never'])(
		'takes no other time, and no other text, for an unset one: %s',
		(written) => {
			expect(isUnsetTime(written)).toBe(false);
		},
	);

	it.each([
		[[{ id: 1, updatedAt: null }], 'updatedAt'],
		[[{ id: 1, meta: { last_modified: '' } }], 'meta.last_modified'],
		[[{ id: 1, updatedAt: '1753-01-01T00:00:00' }], 'updatedAt'],
		[[{ id: 1, updatedAt: -2_208_988_800 }], 'updatedAt'],
		[[{ id: 1, updatedAt: null }, { id: 2 }], 'updatedAt'],
		[
			[
				{ id: 1, updatedAt: null },
				{ id: 2, updatedAt: 'recently' },
			],
			undefined,
		],
		[[{ id: 1, createdAt: null }], undefined],
	])(
		'finds the field of an update time that no record has yet by its name: %j',
		(records, path) => {
			expect(findUpdatedAtPath(records, 'user')).toBe(path);
		},
	);
});
