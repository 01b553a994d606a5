import {
	allowedIn,
	type ClosedCycle,
	isTelling,
} from '../../../../../nodes/VisitorService/http/limitCycle';

const cycle = (change: Partial<ClosedCycle>): ClosedCycle => ({
	begins: 0,
	letThrough: 20,
	refusedFrom: 400,
	heardAt: 450,
	refused: 1,
	passed: 0,
	reopensAfter: 400,
	reopensBy: 1_400,
	isNamed: true,
	...change,
});

describe('allowedIn', () => {
	it.each<[string, Partial<ClosedCycle>, number, number]>([
		['a named wait is rounded up to whole seconds', {}, 20, 20],
		['a named wait of less than a second', { reopensBy: 700 }, 20, 20],
		['a named wait of several seconds', { letThrough: 60, reopensBy: 3_900 }, 60, 20],
		['a usual period between the refused and the admitted try', { isNamed: false }, 20, 20],
		[
			'no usual period between them',
			{ isNamed: false, reopensAfter: 1_100, reopensBy: 1_600 },
			20,
			12.5,
		],
		['what a bucket refills after its burst', { letThrough: 120, refusedFrom: 5_000 }, 20, 120],
		[
			'what a bucket refills after its burst, over a long time',
			{ letThrough: 220, refusedFrom: 10_000, reopensBy: 11_000 },
			20,
			20,
		],
		[
			'a usual period, without what the next one let through',
			{ passed: 3, letThrough: 23 },
			23,
			20,
		],
		['one request at least', { letThrough: 0, reopensBy: 2_000 }, 0, 0.5],
	])('finds the rate that a cycle shows to be allowed, from %s', (_, change, burst, expected) => {
		expect(allowedIn(cycle(change), burst) * 1_000).toBeCloseTo(expected, 6);
	});
});

describe('isTelling', () => {
	it.each<[boolean, string, Partial<ClosedCycle>]>([
		[true, 'ten answers', { letThrough: 10 }],
		[false, 'nine answers', { letThrough: 9 }],
		[true, 'one let through beside the refused', { passed: 1 }],
		[false, 'two let through beside the refused', { passed: 2 }],
		[true, 'a second until it opened again', { isNamed: false, reopensBy: 1_000 }],
		[false, 'less than a second until it opened again', { isNamed: false, reopensBy: 999 }],
		[true, 'less than a second that was named', { reopensBy: 999 }],
	])('knows whether the first cycle tells the limit (%s): %s', (expected, _, change) => {
		expect(isTelling(cycle(change))).toBe(expected);
	});
});
