import type { ClosedCycle } from '../../../../../nodes/VisitorService/http/limitCycle';
import {
	type Earlier,
	type Estimate,
	estimateOf,
	intervalAfter,
	NO_LIMIT,
	rateAfter,
} from '../../../../../nodes/VisitorService/http/rateRules';

/** A second in which 20 requests were let through, the last refused after half of it. */
const CYCLE: ClosedCycle = {
	begins: 10_000,
	letThrough: 20,
	refusedFrom: 10_500,
	heardAt: 10_550,
	refused: 1,
	passed: 0,
	reopensAfter: 10_500,
	reopensBy: 11_200,
	isNamed: true,
};
const FIRST: Earlier = {
	kind: 'none',
	refusedRate: Infinity,
	allowed: 0,
	refill: 0,
	burst: 0,
	inVain: { sure: 0, unsure: 0 },
};
const SECOND: Earlier = { ...FIRST, kind: 'unsure', refusedRate: 0.04, burst: 20 };

/** Requests a second. */
const perSecond = (estimate: Estimate) =>
	'rate' in estimate ? Math.round(estimate.rate * 100_000) / 100 : Infinity;

describe('estimateOf', () => {
	it.each<[string, Partial<ClosedCycle>, Earlier, Estimate['rule'], Estimate['kind'], number]>([
		['a burst and a named wait', {}, FIRST, 'the first cycle is a whole quota', 'sure', 19.7],
		['few answers', { letThrough: 9 }, FIRST, 'a few answers', 'guess', 8.87],
		['others let through meanwhile', { passed: 2 }, FIRST, 'a few answers', 'guess', 17.73],
		[
			'a short wait that was not named',
			{ isNamed: false, reopensBy: 10_900 },
			FIRST,
			'a few answers',
			'guess',
			21.89,
		],
		[
			'as much allowed as before',
			{},
			{ ...SECOND, allowed: 0.021 },
			'two cycles agree',
			'sure',
			19.7,
		],
		[
			'no more than was just refused',
			{},
			{ ...SECOND, allowed: 0.021, refusedRate: 0.02 },
			'two cycles agree',
			'sure',
			19,
		],
		[
			'a sure rate, after more than a quota',
			{ letThrough: 30, refusedFrom: 11_400, reopensBy: 12_400 },
			{ ...SECOND, kind: 'sure', refusedRate: 0.022 },
			'a sure rate was a little too high',
			'sure',
			19.91,
		],
		[
			'a bucket that explains all, and refills faster than this cycle shows',
			{},
			{ ...SECOND, allowed: 0.021, refill: 0.03 },
			'a bucket fits',
			'sure',
			29.55,
		],
		[
			'a bucket that refills more slowly than this cycle shows',
			{},
			{ ...SECOND, allowed: 0.021, refill: 0.019 },
			'two cycles agree',
			'sure',
			19.7,
		],
		[
			'less allowed than before',
			{},
			{ ...SECOND, allowed: 0.03 },
			'between allowed and refused',
			'unsure',
			27.57,
		],
		[
			'a guess',
			{ letThrough: 20 },
			{ ...SECOND, kind: 'guess', allowed: 0.03 },
			'the cycle shows nothing',
			'unsure',
			35.28,
		],
		[
			'three answers',
			{ letThrough: 3 },
			{ ...SECOND, allowed: 0.003 },
			'the cycle shows nothing',
			'unsure',
			35.28,
		],
	])(
		'names the rule by which the rate after a refusal is found: %s',
		(_, change, earlier, rule, kind, rate) => {
			const estimate = estimateOf({ ...CYCLE, ...change }, earlier);
			expect(estimate).toMatchObject({ rule, kind });
			expect(perSecond(estimate)).toBeCloseTo(rate, 1);
		},
	);

	it('keeps a rate twice as long after each time it was raised in vain', () => {
		const growsIn = (sure: number, unsure: number, allowed: number) => {
			const estimate = estimateOf(CYCLE, { ...SECOND, allowed, inVain: { sure, unsure } });
			return 'growsIn' in estimate ? estimate.growsIn : undefined;
		};
		expect([0, 1, 2].map((sure) => growsIn(sure, 5, 0.02))).toEqual([40_000, 80_000, 160_000]);
		expect([0, 1, 2].map((unsure) => growsIn(5, unsure, 1))).toEqual([8_000, 16_000, 32_000]);
	});
});

describe('rateAfter', () => {
	const guess: Estimate = { rule: 'a few answers', kind: 'guess', rate: 0.01 };
	const sure: Estimate = {
		rule: 'two cycles agree',
		kind: 'sure',
		rate: 0.01,
		growsIn: 40_000,
	};

	it('bounds no rate before a limit was met', () => {
		expect(rateAfter(1_000, NO_LIMIT)).toBe(Infinity);
		expect(intervalAfter(1_000, NO_LIMIT)).toBe(0);
	});

	it('doubles a rate fast that is a guess', () => {
		expect([0, 350, 700].map((time) => rateAfter(time, guess))).toEqual([0.01, 0.02, 0.04]);
		// Sooner than the 100 ms of the rate at the start.
		expect(intervalAfter(0, guess)).toBeCloseTo(91.2, 1);
	});

	it('hardly raises a rate for half of its time, then fast, so that a limit that was lifted is noticed', () => {
		expect(rateAfter(20_000, sure) / 0.01).toBeCloseTo(1.016, 3);
		expect(rateAfter(40_000, sure) / 0.01).toBeCloseTo(Math.E, 3);
		expect(intervalAfter(0, sure)).toBe(100);
	});

	it('sends a request a minute at least', () => {
		expect(intervalAfter(0, { ...sure, rate: 1e-9 })).toBe(60_000);
	});
});
