import { LISTED_RESOURCES } from '../../../../../nodes/VisitorService/answer/resources';
import { ServiceFailure } from '../../../../../nodes/VisitorService/failure/serviceFailure';
import { readPollingSettings } from '../../../../../nodes/VisitorService/operations/pollingSettings';

function read(parameters: Record<string, unknown>, zone = 'utc') {
	return readPollingSettings((name) => parameters[name], zone);
}

describe('the parameters of the trigger', () => {
	it('has the defaults of the contract for parameters that are not set', () => {
		expect(read({ startFrom: 'now', options: {} })).toEqual({
			resource: LISTED_RESOURCES.user,
			triggerOn: 'createdOrUpdated',
			acceptsUpdatedSince: true,
			match: { type: 'all', conditions: [] },
			startDate: undefined,
			overlap: 300_000,
			itemsPath: '',
			paths: { id: '', updatedAt: '', createdAt: '' },
			pageSize: 100,
			maxItems: 10_000,
			ignoreFields: [],
			sort: '',
			queryParameters: {},
			updatedSinceFormat: 'iso',
		});
		expect(read({})).toEqual(read({ startFrom: 'now', options: {} }));
	});

	it('reads the parameters of the trigger whatever type an expression returns', () => {
		const options = {
			overlap: '0.5',
			idPath: ' profile.number ',
			updatedAtPath: 'meta.changed',
			createdAtPath: 'meta.made',
			itemsPath: 'result.list',
			pageSize: '250',
			maxItems: 7,
			ignoreFields: ' photo, ,meta.signature',
			sort: 'updatedAt,desc',
			updatedSinceFormat: 'epochS',
		};
		expect(read({ startFrom: 'now', options })).toMatchObject({
			startDate: undefined,
			overlap: 30_000,
			itemsPath: 'result.list',
			paths: { id: 'profile.number', updatedAt: 'meta.changed', createdAt: 'meta.made' },
			pageSize: 250,
			maxItems: 7,
			ignoreFields: ['photo', 'meta.signature'],
			sort: 'updatedAt,desc',
			updatedSinceFormat: 'epochS',
		});
	});

	it.each([
		['2026-01-31T08:00:00Z', 'utc', Date.UTC(2026, 0, 31, 8)],
		['2026-01-31T08:00:00', 'Europe/Berlin', Date.UTC(2026, 0, 31, 7)],
		[Date.UTC(2026, 0, 31, 8), 'utc', Date.UTC(2026, 0, 31, 8)],
	])('the trigger starts at %p in %s', (startDate, zone, instant) => {
		expect(read({ startFrom: 'date', startDate }, zone).startDate).toBe(instant);
	});

	it('name another list by its path', () => {
		const visits = { resource: 'visit', triggerOn: 'removed', pathSegment: '/site/visits/' };
		expect(read(visits)).toMatchObject({
			resource: { segment: 'site/visits' },
			triggerOn: 'removed',
			acceptsUpdatedSince: false,
		});
		expect(read({ resource: 'visit' }).resource.segment).toBe('visits');
	});

	it.each([{ resource: 'visit' }, { triggerOn: 'removed' }])(
		'the trigger has no start date if the list is compared: %p',
		(parameters) => {
			const start = { startFrom: 'date', startDate: '2026-01-31' };
			expect(read({ ...parameters, ...start }).startDate).toBeUndefined();
		},
	);

	it.each([
		[{ startFrom: 'date' }, 'Start Date'],
		[{ startFrom: 'date', startDate: '' }, 'Start Date'],
		[{ startFrom: 'date', startDate: 'soon' }, 'Start Date'],
		[{ options: { overlap: -1 } }, 'Overlap'],
		[{ options: { pageSize: 0 } }, 'Page Size'],
		[{ options: { pageSize: 1.5 } }, 'Page Size'],
		[{ options: { maxItems: 0 } }, 'Max Items'],
		[{ resource: 'task', pathSegment: '../users' }, 'Path Segment'],
	])('names the parameter that makes no sense: %p', (parameters, name) => {
		expect(() => read(parameters)).toThrow(ServiceFailure);
		expect(() => read(parameters)).toThrow(name);
	});
});
