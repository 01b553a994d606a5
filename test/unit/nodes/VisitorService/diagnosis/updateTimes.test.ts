import { findUpdateTimes } from '../../../../../nodes/VisitorService/diagnosis/updateTimes';

const iso = '2026-01-05T08:00:00.250Z';
const at = Date.parse(iso);

describe('the update time', () => {
	it.each([
		'updatedAt',
		'updated_at',
		'lastUpdated',
		'updatedOn',
		'dateUpdated',
		'UpdateTime',
		'lastModifiedDate',
		'modified',
		'modificationDate',
		'last_changed_at',
		'changedOn',
		'meta.updatedAt',
		'audit.lastModified',
	])('is found as %s', (path) => {
		const [outer = '', inner] = path.split('.');
		const record = { id: 1, createdAt: iso, [outer]: inner === undefined ? iso : { [inner]: iso } };
		expect(findUpdateTimes([record])).toMatchObject({ path, times: [at] });
	});

	it.each([
		['of another name', { createdAt: iso, lastSeen: iso, update: 'yes', visitAt: iso }],
		['of another object', { company: { id: 1, updatedAt: iso } }],
		['that is no time', { updatedAt: 'yesterday', updated: true, changed: 3 }],
		['that is a day only', { updatedAt: '2026-01-05' }],
		['that is null', { updatedAt: null }],
		['that is empty', { updatedAt: '', changedAt: 0, modifiedAt: '0001-01-01T00:00:00Z' }],
	])('is not found in a field %s', (_, record) => {
		expect(findUpdateTimes([record, record])).toBeUndefined();
	});

	it('is the likeliest of several, and readable in every record that has it', () => {
		const records = [
			{ changedAt: iso, modifiedAt: iso, updatedAt: 'never', meta: { updatedAt: iso } },
			{ changedAt: iso, modifiedAt: null, updatedAt: iso, meta: {} },
		];
		expect(findUpdateTimes(records)).toMatchObject({ path: 'modifiedAt', times: [at, undefined] });
	});

	it.each([
		null,
		'',
		' ',
		0,
		'0001-01-01T00:00:00',
		'1970-01-01T00:00:00.000Z',
		'0000-00-00 00:00:00',
	])('is none where it is written as %j, and found all the same', (unset) => {
		const records = [{ updatedAt: unset }, { updatedAt: iso }];
		expect(findUpdateTimes(records)).toMatchObject({ path: 'updatedAt', times: [undefined, at] });
	});

	it.each([
		['2026-01-05T08:00:00.250Z', 'milliseconds', 'UTC', at],
		['2026-01-05T08:00:00.250000Z', 'milliseconds', 'UTC', at],
		['2026-01-05T08:00:00.250123Z', 'microseconds', 'UTC', at],
		['2026-01-05T08:00:07.000Z', 'seconds', 'UTC', at + 6750],
		['2026-01-05T08:00Z', 'minutes', 'UTC', at - 250],
		['2026-01-05T09:30:00.250+01:30', 'milliseconds', 'offset', at],
		['2026-01-05T02:30:00.250-0530', 'milliseconds', 'offset', at],
		['2026-01-05 08:00:00.25', 'milliseconds', 'none', at],
		[at, 'milliseconds', 'epoch', at],
		[String(at), 'milliseconds', 'epoch', at],
		[Math.floor(at / 1000) + 7, 'seconds', 'epoch', at - 250 + 7000],
	])('%s is read to the %s, zone %s', (written, precision, zone, time) => {
		expect(findUpdateTimes([{ updatedAt: written }])).toMatchObject({
			precision,
			zone,
			times: [time],
		});
	});
});
