import fc from '../properties';
import type { Sizing } from './sizing';

const upTo = (max: number) => fc.integer({ min: 1, max });

/** @param weight how often sizes are honoured, beside once for each other habit */
export function drawnSizing(weight: number): fc.Arbitrary<Sizing> {
	return fc.oneof(
		{ weight, arbitrary: fc.constant<Sizing>({ kind: 'honoured' }) },
		upTo(12).map((maximum): Sizing => ({ kind: 'clamped', maximum })),
		upTo(12).map((maximum): Sizing => ({ kind: 'clampedKeepingOffset', maximum })),
		fc.tuple(upTo(12), upTo(12)).map(
			([one, other]): Sizing => ({
				kind: 'default',
				maximum: Math.max(one, other),
				size: Math.min(one, other),
			}),
		),
		upTo(12).map((size): Sizing => ({ kind: 'ignored', size })),
		upTo(12).map((minimum): Sizing => ({ kind: 'raised', minimum })),
	);
}
