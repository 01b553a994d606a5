import { type FetchPage, type PageArrived, PageReader } from '../answer/pageReader';
import type { RecordsSought } from '../answer/records';
import type { ListFacts } from './listFacts';
import { Memory } from './memory';
import type { RecordKeys } from './recordKeys';
import { type Findings, Sweep, type SweepRules } from './sweep';

interface ListingRequest<Kept> extends SweepRules<Kept>, RecordsSought {
	fetchPage: FetchPage;
	untilStable: boolean;
	/**
	 * Called with each page that was read, in any order, and with the same page again if it was asked
	 * for again. Not called for a page that was refused, or is a fault.
	 */
	pageArrived?: PageArrived;
}

export interface ListingReport
	extends Findings,
		Pick<Memory<unknown>, 'cameAgain' | 'differing' | 'duplicates'>,
		Pick<RecordKeys, 'isIdChanging'>,
		Pick<RecordKeys['known'], 'disprovedIdField' | 'idField'>,
		Pick<PageReader, 'itemsPath' | 'longIntegers' | 'otherPaths'>,
		Pick<ListFacts, 'highestTotal' | 'pageCountFell'> {
	/** Pages with records, those of every sweep. */
	pages: number;
	/** Records that came, each once, whether wanted or not. */
	records: number;
	/** The total that is believed. */
	total?: number;
	/** Whether records of several pages are equal, and neither an ID nor a total tells them apart. */
	isUntold: boolean;
	/** Whether pages were short, and no ID shows that nothing is missing or doubled. */
	isSizeDoubtful: boolean;
	/** Records each sweep found that no earlier one did; one number without `untilStable`. */
	sweeps: number[];
	/** Items per page the service returned, if the listing went on at that size. */
	pageSizeThatCame?: number;
	/** The path the user set for the ID, if no record of the first page has one there. */
	missingIdPath?: string;
}

const MAX_SWEEPS = 3;

/**
 * Reads a list to its end, each record once, in the order of the pages.
 *
 * @throws ServiceFailure if a page cannot be read, or the list does not end
 */
export async function listRecords<Kept>(
	request: ListingRequest<Kept>,
): Promise<{ records: Kept[]; report: ListingReport }> {
	const reader = new PageReader(request.fetchPage, request, request.pageArrived);
	const memory = new Memory(request);
	const sweeps: number[] = [];
	let pages = 0;
	let sweep: Sweep<Kept>;
	do {
		const before = memory.read;
		if (sweeps.length > 0) memory.sweepAgain();
		sweep = new Sweep(request, reader, memory);
		await sweep.read();
		pages += sweep.known.pages;
		sweeps.push(memory.read - before);
	} while (
		request.untilStable &&
		memory.keys.hasIds &&
		memory.wanted > 0 &&
		sweeps.length < MAX_SWEEPS &&
		sweeps.at(-1) !== 0
	);
	const { cameAgain, differing, duplicates, keys, read } = memory;
	const { itemsPath, longIntegers, otherPaths } = reader;
	const { found, known } = sweep;
	const isOtherSize = known.size !== known.askedSize && known.pages > 1;
	const isCounted = known.total === read;
	// The number of records that a limit leaves cannot be compared with that of the list.
	const isAgreed = isOtherSize
		? isCounted && !known.wasWrong
		: isCounted || found.endedBy === 'limit';
	const isProven = (isCounted && !isOtherSize) || (keys.hasIds && duplicates === 0);
	const report: ListingReport = {
		...{ ...keys.known, ...known, ...found, isIdChanging: keys.isIdChanging },
		...{ cameAgain, differing, duplicates, itemsPath, longIntegers, otherPaths },
		...{ pages, records: read, sweeps },
		// If there is only one page, its total is that of the list, too.
		total: known.total ?? (known.pages > 1 ? undefined : known.saidTotal),
		isUntold: known.pages > 1 && !memory.areTold && !isAgreed,
		isSizeDoubtful: known.pages > 0 && (known.isLonger || (known.shortIsUsual && !isProven)),
		pageSizeThatCame: isOtherSize ? known.size : undefined,
		missingIdPath: !keys.known.isGuessed && !keys.hasIds && read > 0 ? request.idPath : undefined,
	};
	return { records: memory.records, report };
}
