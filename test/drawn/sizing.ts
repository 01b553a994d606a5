import fc from '../properties';
import type { ListSwitches } from '../reference-service';

/** What a service does with `pageSize`. */
export type Sizing =
	| { kind: 'honoured' }
	/** Never more than the maximum; offsets are computed from what is sent. */
	| { kind: 'clamped'; maximum: number }
	/** Never more than the maximum, but the offset is the one of the size asked for. */
	| { kind: 'clampedKeepingOffset'; maximum: number }
	/** A size of its own if more than the maximum is asked for. */
	| { kind: 'default'; maximum: number; size: number }
	/** Always a size of its own. */
	| { kind: 'ignored'; size: number }
	/** Never fewer than the minimum. */
	| { kind: 'raised'; minimum: number };

/** The switches of a service with this habit. */
export function sized(sizing: Sizing): Partial<ListSwitches> {
	switch (sizing.kind) {
		case 'honoured':
			return {};
		case 'clamped':
			return { maxPageSize: sizing.maximum };
		case 'clampedKeepingOffset':
			return { maxPageSize: sizing.maximum, beyondMaximum: 'clampKeepingOffsetOfRequestedSize' };
		case 'default':
			return {
				maxPageSize: sizing.maximum,
				defaultPageSize: sizing.size,
				beyondMaximum: 'useDefault',
			};
		case 'ignored':
			return { pageSizeIgnored: true, defaultPageSize: sizing.size };
		case 'raised':
			return { minPageSize: sizing.minimum };
	}
}

const upTo = (max: number) => fc.integer({ min: 1, max });

/** Sizes are honoured three times as often as each other habit is drawn. */
export const steadySizing: fc.Arbitrary<Sizing> = fc.oneof(
	{ weight: 3, arbitrary: fc.constant<Sizing>({ kind: 'honoured' }) },
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
