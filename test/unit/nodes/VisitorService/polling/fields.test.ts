import { readUpdatedAt } from '../../../../../nodes/VisitorService/polling/fields';

const TIME = '2026-01-31T08:30:15.250Z';

describe('the time a record was changed last', () => {
	const fields = { id: 'id', updatedAt: 'updatedAt', createdAt: 'createdAt' };

	it('the time a record was changed last may be before its creation by as much as zones differ', () => {
		const updatedAt = '2026-01-30T06:31:00Z';
		const moment = readUpdatedAt({ id: 1, updatedAt, createdAt: TIME }, fields);
		expect(moment).toBe(Date.parse(updatedAt));
	});

	it.each([null, '1753-01-01T00:00:00', '2026-01-28T06:29:15Z'])(
		'the time a record was changed last is that of its creation if it was never updated: %j',
		(updatedAt) => {
			const moment = readUpdatedAt({ id: 1, updatedAt, createdAt: TIME }, fields);
			expect(moment).toBe(Date.parse(TIME));
		},
	);

	it.each([
		{ id: 1, updatedAt: null },
		{ id: 1, updatedAt: 'recently', createdAt: TIME },
		{ id: 1, updatedAt: '0001-01-01T00:00:00Z' },
	])('the time a record was changed last is not made up for %p', (record) => {
		expect(readUpdatedAt(record, fields)).toBeUndefined();
	});
});
