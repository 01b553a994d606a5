import { type Resource, resources, syntheticRecord } from '../../reference-service';

describe('syntheticRecord', () => {
	it.each([...resources])('makes small, distinct, repeatable %s', (resource: Resource) => {
		const records = Array.from({ length: 500 }, (_, index) => syntheticRecord(resource, index + 1));
		expect(records).toEqual(records.map((_, index) => syntheticRecord(resource, index + 1)));
		expect(new Set(records.map(({ id }) => id)).size).toBe(500);
		const sizes = records.map((record) => JSON.stringify(record).length);
		expect(Math.min(...sizes)).toBeGreaterThanOrEqual(250);
		expect(Math.max(...sizes)).toBeLessThanOrEqual(400);
	});

	it('syntheticRecord is obviously synthetic', () => {
		expect(syntheticRecord('users', 123)).toMatchObject({
			id: 'user-000123',
			firstName: 'User',
			lastName: '000123',
			email: 'user-000123@example.test',
		});
	});

	it('has update times with milliseconds in an order of their own', () => {
		const times = Array.from({ length: 100 }, (_, index) =>
			JSON.stringify(syntheticRecord('users', index + 1).updatedAt),
		);
		expect([...times].sort()).not.toEqual(times);
		expect(times.filter((time) => time.includes('.000Z')).length).toBeLessThan(5);
	});

	it.each([
		['prefixed', 'user-000007'],
		['integer', 7],
		['uuid', '00000001-0000-8000-8000-000000000007'],
	] as const)('creates %s ids', (style, id) => {
		expect(syntheticRecord('users', 7, style).id).toBe(id);
	});
});
