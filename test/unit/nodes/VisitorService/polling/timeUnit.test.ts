import { findRecordFields, readUpdate } from '../../../../../nodes/VisitorService/polling/fields';
import { timeUnitOf } from '../../../../../nodes/VisitorService/polling/timeUnit';
import { DAY, HOUR, MINUTE } from '../../../../../nodes/VisitorService/values/instant';
import type { JsonObject } from '../../../../../nodes/VisitorService/values/json';

const updated = (...times: string[]) => times.map((updatedAt, id) => ({ id, updatedAt }));

describe('the unit of the times of a list', () => {
	it.each<[string, JsonObject[], number | undefined]>([
		['a minute or less', updated('2026-03-02T08:01:00Z', '2026-03-02T08:02:00Z'), 0],
		['a quarter of an hour', updated('2026-03-02T08:15:00Z', '2026-03-02T09:30:00Z'), 15 * MINUTE],
		['an hour', updated('2026-03-02T08:00:00.000Z', '2026-03-02T10:00:00.000Z'), HOUR],
		[
			'an hour in UTC, written in a zone with other minutes',
			updated('2026-03-02T13:45:00+05:45', '2026-03-02T14:45:00+05:45'),
			HOUR,
		],
		[
			'a day if all show the same full hour, which may be the beginning of a day',
			updated('2026-03-02T08:00:00Z', '2026-03-02T08:00:00Z'),
			DAY,
		],
		['a day in the zone they are written in', updated('2026-03-02T00:00:00+01:00'), DAY],
		[
			'a day in a zone whose clocks are set',
			updated('2026-03-28T00:00:00+01:00', '2026-03-30T00:00:00+02:00'),
			DAY,
		],
		[
			'a day of another zone whose clocks are set',
			updated('2026-03-06T05:00:00Z', '2026-03-09T04:00:00Z', '2026-03-10T04:00:00Z'),
			DAY,
		],
		[
			'a day in UTC, written in a zone whose clocks are set',
			updated('2026-03-28T01:00:00+01:00', '2026-03-30T02:00:00+02:00'),
			DAY,
		],
		['nothing if one of them is finer', updated('2026-03-02T08:00:00Z', '2026-03-02T09:00:01Z'), 0],
		['an unknown unit if none can be read', updated('soon', ''), undefined],
	])('takes times for cut to %s', (_what, records, unit) => {
		expect(timeUnitOf(records, 'updatedAt')).toBe(unit);
	});

	it.each<[string, JsonObject[], unknown]>([
		[
			'each of its own',
			[
				{ id: 1, updatedAt: '2026-03-02T08:00:00Z', createdAt: '2026-03-02T07:17:05Z' },
				{ id: 2, updatedAt: '2026-03-02T09:00:00Z', createdAt: '2026-03-02T07:18:09Z' },
				{ id: 3, updatedAt: null, createdAt: '2026-03-02T07:18:09Z' },
				{ id: 4, updatedAt: '2001-01-01T00:00:30Z', createdAt: '2026-03-02T07:18:09Z' },
			],
			{ unit: HOUR, createdUnit: 0 },
		],
		[
			'that of the creations if there are no updates',
			[
				{ id: 1, updatedAt: null, createdAt: '2026-03-02T07:00:00Z' },
				{ id: 2, updatedAt: null, createdAt: '2026-03-02T08:00:00Z' },
			],
			{ unit: HOUR, createdUnit: HOUR },
		],
	])('takes the times of updates and creations for cut to %s', (_what, records, units) => {
		const set = { id: '', updatedAt: '', createdAt: '' };
		const paths = { id: 'id', updatedAt: 'updatedAt', createdAt: 'createdAt' };
		const fields = findRecordFields(records, set, { name: 'user', plural: 'users' });
		expect(fields).toEqual({ ...paths, isZoneOpen: false, ...(units as object) });
	});

	it('lets a record change without another time for as long as times are cut to', () => {
		const names = { name: 'user', plural: 'users' };
		const [first, second] = updated('2026-03-02T08:00:00Z', '2026-03-02T09:00:00Z');
		const fields = findRecordFields(
			[first ?? {}, second ?? {}],
			{ id: '', updatedAt: '', createdAt: '' },
			names,
		);
		const moment = readUpdate(second ?? {}, fields);
		expect(moment).toMatchObject({ tick: HOUR, time: Date.UTC(2026, 2, 2, 9) });
	});
});
