import { isServerError, type Page } from '../answer/pageReader';
import type { JsonObject } from '../values/json';
import { type BeginningSource, isLastAtItsOffset, type LaterPage, reachesTotal } from './beginning';
import { pageIgnored } from './failures';
import { askForFirstNumber } from './numbering';
import { contentOf, volatileFieldsBetween } from './pageMemory';
import { areAlike, beginsLike, type FingerprintsOf } from './sameRecords';

/** Whether the page that a reading is to begin with is one before it. */
export type RepeatedBeginning =
	| { kind: 'none' }
	/** The first answer was an earlier page in its place; this one counts. */
	| { kind: 'replaced'; by: Page }
	/**
	 * Such a page is after the end. Without an ID it may hold others that are equal; and the total
	 * may say that it holds some.
	 */
	| { kind: 'afterEnd'; doubt?: 'noId' | 'total' }
	/** Nothing tells its records from those of the page before it. */
	| { kind: 'unclear' };

const NOT_REPEATED: RepeatedBeginning = { kind: 'none' };

/**
 * Looks whether a service that repeats its last page, or starts over, did so: what it repeats is
 * read for another page already.
 *
 * @throws ServiceFailure if it is the first one, as it is whatever its number and size
 */
export async function findRepeatedBeginning(
	later: LaterPage,
	source: BeginningSource,
): Promise<RepeatedBeginning> {
	const { number, pageSize, records: came } = later;
	if (number === 0 || came.length === 0 || isLastAtItsOffset(later)) return NOT_REPEATED;
	const { idOf } = source;
	const keysOf = idOf ?? source.fingerprintsOf;
	const earlier = await earlierPage(later, source, keysOf);
	if (earlier === undefined) return NOT_REPEATED;
	const again = await source.readAgain(number, pageSize);
	const isShorter = came.length < earlier.records.length;
	if (isShorter && again.records.length === came.length) return NOT_REPEATED;
	if (!areAlike(again.records, earlier.records, keysOf)) {
		return { kind: 'replaced', by: again };
	}
	const records = came.length < again.records.length ? again.records : came;
	const identify = idOf && ((record: JsonObject) => idOf(record)[0]);
	const found = volatileFieldsBetween(records, again.records, identify, true);
	const volatile = new Set(found.kind === 'found' ? found.fields : []);
	const wholeOf: FingerprintsOf = (record) => [contentOf(record, volatile)];
	if (!areAlike(records, earlier.records, wholeOf)) return NOT_REPEATED;

	const contents = new Set(records.flatMap(wholeOf));
	const doDiffer = contents.size === records.length;
	const zero = earlier.number === 0 ? earlier : await source.read(0, pageSize);
	if (areAlike(records, zero.records, wholeOf)) {
		const first = await askForFirstNumber(records, { ...source, fingerprintsOf: wholeOf });
		if (first === number) return NOT_REPEATED;
		if (first === undefined && doDiffer && number > 1) throw pageIgnored();
		if (first === undefined) return { kind: 'unclear' };
	}
	if (idOf === undefined) {
		return doDiffer && records.length > 1
			? { kind: 'afterEnd', doubt: 'noId' }
			: { kind: 'unclear' };
	}
	const isInTotal = (later.metadata.total ?? 0) > number * pageSize;
	return { kind: 'afterEnd', doubt: isInTotal ? 'total' : undefined };
}

/**
 * The page before it, if that is repeated after it too; or the one at which a list that starts over
 * would be.
 */
async function earlierPage(
	later: LaterPage,
	source: BeginningSource,
	keysOf: FingerprintsOf,
): Promise<(Page & { number: number }) | undefined> {
	const { number, pageSize, records, metadata } = later;
	const { total } = metadata;
	const isFull = records.length === pageSize;
	const before = number * pageSize;
	if (!isFull && reachesTotal(later)) return undefined;
	const read = async (page: number): Promise<(Page & { number: number }) | undefined> => {
		const found = await source.read(page, pageSize).catch((error: unknown) => {
			if (isServerError(error)) return undefined;
			throw error;
		});
		// This answer may have been cut short.
		return found !== undefined && beginsLike(records, found.records, keysOf)
			? { ...found, number: page }
			: undefined;
	};
	// After a full page the next one is there already, or will be wanted.
	if (isFull) {
		if ((await read(number + 1)) !== undefined) return await read(number - 1);
	} else {
		const previous = await read(number - 1);
		if (previous !== undefined) return (await read(number + 1)) && previous;
	}
	const isAfterTotal = total !== undefined && total !== records.length && total <= before;
	return isAfterTotal ? await read(number % Math.max(1, Math.ceil(total / pageSize))) : undefined;
}
