import { readPollingSettings } from '../../../../../nodes/VisitorService/polling/pollingSettings';
import { ServiceFailure } from '../../../../../nodes/VisitorService/transport/serviceFailure';

function read(parameters: Record<string, unknown>, zone = 'utc') {
	return readPollingSettings((name) => parameters[name], zone);
}

describe('the settings of the trigger', () => {
	it('are those of the contract where nothing is set', () => {
		expect(read({ startFrom: 'now', options: {} })).toEqual({
			startDate: undefined,
			overlap: 300_000,
			paths: { id: '', updatedAt: '' },
			pageSize: 100,
			maxItems: 10_000,
			sort: '',
			updatedSinceFormat: 'iso',
		});
		expect(read({})).toEqual(read({ startFrom: 'now', options: {} }));
	});

	it('are read whatever type an expression gives', () => {
		const options = {
			overlap: '0.5',
			idPath: ' profile.number ',
			updatedAtPath: 'meta.changed',
			pageSize: '250',
			maxItems: 7,
			sort: 'updatedAt,desc',
			updatedSinceFormat: 'epochS',
		};
		expect(read({ startFrom: 'now', options })).toEqual({
			startDate: undefined,
			overlap: 30_000,
			paths: { id: 'profile.number', updatedAt: 'meta.changed' },
			pageSize: 250,
			maxItems: 7,
			sort: 'updatedAt,desc',
			updatedSinceFormat: 'epochS',
		});
	});

	it.each([
		['2026-01-31T08:00:00Z', 'utc', Date.UTC(2026, 0, 31, 8)],
		['2026-01-31T08:00:00', 'Europe/Berlin', Date.UTC(2026, 0, 31, 7)],
		[Date.UTC(2026, 0, 31, 8), 'utc', Date.UTC(2026, 0, 31, 8)],
	])('start at %p in %s', (startDate, zone, instant) => {
		expect(read({ startFrom: 'date', startDate }, zone).startDate).toBe(instant);
	});

	it.each([
		[{ startFrom: 'date' }, 'Start Date'],
		[{ startFrom: 'date', startDate: '' }, 'Start Date'],
		[{ startFrom: 'date', startDate: 'soon' }, 'Start Date'],
		[{ options: { overlap: -1 } }, 'Overlap'],
		[{ options: { overlap: 'five' } }, 'Overlap'],
		[{ options: { pageSize: 0 } }, 'Page Size'],
		[{ options: { pageSize: 1.5 } }, 'Page Size'],
		[{ options: { maxItems: 0 } }, 'Max Items'],
		[{ options: { updatedSinceFormat: 'unix' } }, 'Updated Since Format'],
	])('that make no sense are refused by name: %p', (parameters, name) => {
		expect(() => read(parameters)).toThrow(ServiceFailure);
		expect(() => read(parameters)).toThrow(name);
	});
});
