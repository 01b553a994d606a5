import {
	type PollCursor,
	readCursor,
} from '../../../../../nodes/VisitorService/polling/pollCursor';

const SINCE = { time: 1_772_438_400_000, key: 'abcdefghijkl' };

const whole: PollCursor = {
	version: 1,
	since: SINCE,
	from: SINCE.time - 5,
	seen: 'mm8w2680:abcdefghijkl',
	service: 'tenant-1',
	fields: { id: 'id', updatedAt: 'updatedAt' },
	filter: 'honoured',
	clock: { difference: 5, at: 6, date: 8, lead: -7 },
	look: { lines: [SINCE, SINCE], digest: 'digest' },
	reading: {
		page: 3,
		pageSize: 50,
		line: 9,
		left: { ...SINCE, earliest: SINCE.time - 5 },
		news: SINCE,
		quietUntil: 4,
	},
};

describe('a stored cursor', () => {
	it('is read as it was written', () => {
		expect(readCursor(JSON.parse(JSON.stringify(whole)))).toEqual(whole);
	});

	it.each([
		undefined,
		null,
		'text',
		42,
		[],
		{},
		{ version: 1 },
		{ since: 'soon' },
		{ since: { time: 'x' } },
	])('is none where %p is stored', (stored) => {
		expect(readCursor(stored)).toBeUndefined();
	});

	it.each([
		['as text', { since: '2026-03-02T08:00:00.000Z' }],
		['as a number', { since: SINCE.time }],
		[
			'of a later version',
			{ version: 2, since: { time: SINCE.time, key: '' }, seen: ['another shape'] },
		],
		['without a version', { since: { time: SINCE.time, key: '' }, seen: 'mm8w2680:abcdefghijkl' }],
	])('of another shape keeps its place: %s', (_how, stored) => {
		expect(readCursor(stored)).toEqual({
			version: 1,
			since: { time: SINCE.time, key: '' },
			seen: '',
			service: '',
		});
	});

	it.each(['from', 'seen', 'service', 'fields', 'filter', 'clock', 'look', 'reading'] as const)(
		'forgets a %s it does not understand, and nothing else',
		(part) => {
			const rest = Object.fromEntries(Object.entries(whole).filter(([name]) => name !== part));
			const empty = part === 'seen' || part === 'service' ? { [part]: '' } : {};
			expect(readCursor({ ...whole, [part]: { wrong: true } })).toEqual({ ...rest, ...empty });
		},
	);
});
