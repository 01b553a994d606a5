import { LARGEST_SIZE_ASKED, type PagingFacts, readFirstPage } from './pagingFacts';
import type { PageReading, UserPages } from './userPages';

/** Sizes services limit their pages to. */
const USUAL_LIMITS = [10, 20, 25, 50, 100, 200, 250, 300, 500, 1000];

const MOST_STEPS = 6;

export interface PageSizeRange {
	/** A size that is honoured, 0 where none is known, and a larger one that is not. One apart, they prove the limit. */
	low: number;
	high: number;
	/** Why the search ended early. */
	reason?: string;
}

/**
 * Searches, in a few steps, for the largest page size that is honoured while the next one is not: where an error
 * text names numbers around these, else among the usual limits.
 *
 * @param accepted a size known to be honoured; 0 = none
 */
export async function searchPageSize(
	pages: UserPages,
	facts: PagingFacts,
	accepted: number,
): Promise<PageSizeRange> {
	const range: PageSizeRange = { low: accepted, high: LARGEST_SIZE_ASKED };
	const named = namedSizes(facts.largest);
	for (let step = 0; step < MOST_STEPS && range.high - range.low > 1; step++) {
		const size = nextSize(range, named);
		const reading = await readFirstPage(pages, facts, size);
		if (reading.kind === 'unclear') return { ...range, reason: reading.reason };
		if (isHonoured(reading, size, facts)) range.low = size;
		else range.high = size;
	}
	return range;
}

/** "At most 200" is proven by 200 and 201, "less than 200" by 200 and 199. */
function namedSizes(refusal: PageReading): number[] {
	const text = refusal.kind === 'refused' ? (refusal.text ?? '') : '';
	return [...text.matchAll(/\b\d{1,4}\b/g)].flatMap(([digits]) => {
		const size = Number(digits);
		return [size, size + 1, size - 1];
	});
}

function nextSize({ low, high }: PageSizeRange, named: readonly number[]): number {
	const inside = (size: number) => size > low && size < high;
	const usual = USUAL_LIMITS.filter(inside);
	return named.find(inside) ?? usual[Math.floor(usual.length / 2)] ?? low + 1;
}

/** Beyond its limit a service may fall back to the default size, which shows only where the list is longer. */
function isHonoured(reading: PageReading, size: number, { first, more }: PagingFacts): boolean {
	if (reading.kind !== 'page') return false;
	const standard = first.keys.length;
	return more !== true || size <= standard || reading.page.keys.length > standard;
}
