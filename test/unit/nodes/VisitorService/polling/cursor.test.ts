import { type PollCursor, readCursor } from '../../../../../nodes/VisitorService/polling/cursor';
import { isRecord } from '../../../../../nodes/VisitorService/values/json';

const SINCE = { time: 1_772_438_400_000, key: 'abcdefghijkl' };

const whole: PollCursor = {
	version: 1,
	since: SINCE,
	service: 'tenant-1',
	list: {
		fields: { id: 'id', updatedAt: 'updatedAt', createdAt: '', unit: 3_600_000 },
		reads: 'changes',
		slack: 61_000,
		findsUndated: true,
		filterProvedAt: 4,
		volatile: ['photo'],
		sample: { state: 'state', fields: { photo: 'abc' } },
	},
	clock: {
		difference: 5,
		at: 6,
		date: 8,
		until: 9,
		lead: -7,
		newest: 3,
		setBackFrom: 1,
	},
	changes: {
		remembered: 'mm8w2680:abcdefghijkl',
		waitingFrom: SINCE.time - 5,
		onlyBefore: SINCE,
		unproved: [SINCE, SINCE],
		digest: 'digest',
		beginsAt: 9,
		unfinished: {
			page: 3,
			pageSize: 50,
			last: 'lastpage',
			total: 170,
			completeUntil: 9,
			presumedUntil: 9,
			waiting: 'mm8w2680:abcdefghijkl',
			waitingCount: 1,
			oldestWaiting: { ...SINCE, earliest: SINCE.time - 5 },
			oldest: 5,
			met: { count: 7, sumOfHashes: 8 },
			sinceBefore: SINCE,
		},
	},
	comparison: {
		startedAt: 3,
		records: '0 1',
		hasBeenRead: true,
		hasMoved: false,
		unproved: [SINCE],
		unfinished: { page: 1, pageSize: 2, last: 'lastpage', total: 5, returnedUntil: 9 },
	},
	told: ['A note.'],
};

/** Each part of it, with the way to it. */
function partsOf(value: unknown, way: string[] = []): Array<{ way: string[]; value: unknown }> {
	if (typeof value !== 'object' || value === null) return [{ way, value }];
	const inner = Object.entries(value).flatMap(([name, part]) => partsOf(part, [...way, name]));
	return way.length === 0 ? inner : [{ way, value }, ...inner];
}

function replacedAt(value: unknown, [name, ...rest]: string[], part: unknown): unknown {
	if (name === undefined || !isRecord(value)) return part;
	return { ...value, [name]: replacedAt(value[name], rest, part) };
}

describe('a stored cursor', () => {
	it('reads a stored cursor as it was written', () => {
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
		{ since: 1_772_438_400_000 },
		{ since: '2026-03-02T08:00:00.000Z' },
		{ since: { time: 'x' } },
	])('finds no stored cursor if %p is stored', (stored) => {
		expect(readCursor(stored)).toBeUndefined();
	});

	it.each([
		[
			'of a later version',
			{ version: 2, since: { time: SINCE.time, key: '' }, seen: ['another shape'] },
		],
		['without a version', { since: { time: SINCE.time, key: '' }, seen: 'mm8w2680:abcdefghijkl' }],
	])('keeps its place when the stored cursor has an unknown shape: %s', (_how, stored) => {
		expect(readCursor(stored)).toEqual({
			version: 1,
			since: { time: SINCE.time, key: '' },
			service: '',
			told: [],
		});
	});

	it('keeps nothing but its place when any part of a stored cursor has an unknown shape', () => {
		const parts = partsOf(whole).filter(({ way }) => way[0] !== 'since');
		expect(parts.length).toBeGreaterThan(60);
		const read = parts.flatMap(({ way, value }) =>
			[null, 'text', 5, true, [5], { name: 5 }]
				.filter((other) => typeof other === 'object' || typeof other !== typeof value)
				.map((other) => [way.join('.'), other, readCursor(replacedAt(whole, way, other))] as const),
		);
		const isPlaceOnly = (cursor: PollCursor | undefined) => cursor?.service === '';
		expect(read.filter(([, , cursor]) => !isPlaceOnly(cursor))).toEqual([]);
	});

	it.each(['service', 'list', 'clock', 'changes', 'comparison', 'told'] as const)(
		'keeps nothing but its place when the stored %s has an unknown shape',
		(part) => {
			expect(readCursor({ ...whole, [part]: { wrong: true } })).toEqual({
				version: 1,
				since: SINCE,
				service: '',
				told: [],
			});
		},
	);
});
