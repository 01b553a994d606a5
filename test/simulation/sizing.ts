import { BadParameter, listQuery } from '../reference-service/listQuery';
import { defaultSwitches, type ListSwitches } from '../reference-service/switches';

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
			return { maxPageSize: sizing.maximum, beyondMaximum: 'clampKeepingOffsetOfAskedSize' };
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

/** How many records a page holds, and how far pages lie apart. */
export function sizeUsed(sizing: Sizing, asked: number): { size: number; stride: number } {
	const switches = Object.assign(defaultSwitches().list, { maxPageSize: Infinity }, sized(sizing));
	const query = listQuery('users', { pageSize: String(asked) }, switches, null);
	if (query instanceof BadParameter) throw new Error(query.message);
	return { size: query.pageSize, stride: query.stride };
}
