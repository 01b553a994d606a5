import { FieldSelection } from '../../../../../nodes/VisitorService/listing/fieldSelection';

const record = {
	id: 1,
	name: 'User',
	address: { city: 'Town', street: { name: 'Road', no: 5 } },
	visits: [{ host: 'a', room: 1 }, { host: 'b' }, null],
	'badge.color': 'red',
};

describe('FieldSelection', () => {
	it('keeps the record itself if no field is named', () => {
		expect(new FieldSelection([]).pick(record)).toBe(record);
	});

	it.each<[string[], unknown]>([
		[['name', 'id'], { name: 'User', id: 1 }],
		[['address.city'], { address: { city: 'Town' } }],
		[['address.city', 'address.street.no'], { address: { city: 'Town', street: { no: 5 } } }],
		[['address', 'address.city'], { address: record.address }],
		[['address.city', 'address'], { address: record.address }],
		[['visits', 'visits.host'], { visits: record.visits }],
		[['visits.host', 'visits'], { visits: record.visits }],
		[['visits.fax', 'name.first', 'id'], { id: 1 }],
		[['badge.color'], { 'badge.color': 'red' }],
		[['visits.host'], { visits: [{ host: 'a' }, { host: 'b' }, {}] }],
		[['visits.host', 'visits.room'], { visits: [{ host: 'a', room: 1 }, { host: 'b' }, {}] }],
		[['toString', 'constructor.name', 'id.length'], {}],
	])('keeps of %j only that', (fields, picked) => {
		expect(new FieldSelection(fields).pick(record)).toEqual(picked);
	});

	it('does not change the record', () => {
		const before = JSON.stringify(record);
		new FieldSelection(['address.city', 'visits.host', 'visits.room']).pick(record);
		expect(JSON.stringify(record)).toBe(before);
	});

	it('names the fields that no record had', () => {
		const selection = new FieldSelection(['id', 'address.zip', 'phone']);
		selection.pick(record);
		expect(selection.missing).toEqual(['address.zip', 'phone']);
		selection.pick({ phone: null });
		expect(selection.missing).toEqual(['address.zip']);
	});

	it('does not name a field that is a part of another one, or in a list', () => {
		const selection = new FieldSelection([
			'address',
			'address.city',
			'visits.room',
			'visits.fax',
			'name.first',
		]);
		selection.pick(record);
		expect(selection.missing).toEqual(['visits.fax', 'name.first']);
	});
});

describe('a path with places in lists', () => {
	const visits = [
		{ host: 'a', room: 1 },
		{ host: 'b', room: 2 },
	];

	it.each([
		[['visits.1.host'], { visits: [{}, { host: 'b' }] }],
		[['visits.0'], { visits: [visits[0], {}] }],
		[['visits.0', 'visits.host'], { visits: [visits[0], { host: 'b' }] }],
		[['visits.7.host'], {}],
	])('picks the fields at %j', (fields, picked) => {
		const record = { visits };
		expect(new FieldSelection(fields).pick(record)).toEqual(picked);
		expect(record).toEqual({
			visits: [
				{ host: 'a', room: 1 },
				{ host: 'b', room: 2 },
			],
		});
	});

	it('misses no field of a list that is empty', () => {
		const selection = new FieldSelection(['visits.host']);
		expect(selection.pick({ visits: [] })).toEqual({ visits: [] });
		expect(selection.missing).toEqual([]);
		selection.pick({ visits: [{ room: 1 }] });
		selection.pick({ visits: [] });
		expect(selection.missing).toEqual(['visits.host']);
	});
});
