import { type FetchPage, type OnPageRead, PageReader } from '../response/pageReader';
import type { ListTarget } from '../response/records';
import type { ListFacts } from './listFacts';
import { RecordCollector } from './recordCollector';
import type { RecordKeys } from './recordKeys';
import { Sweep, type SweepFindings, type SweepOptions } from './sweep';

interface ListingOptions<Kept> extends SweepOptions<Kept>, ListTarget {
	fetchPage: FetchPage;
	untilStable: boolean;
	/**
	 * Called with each page that was read, in any order, and with the same page again if it was asked
	 * for again. Not called for a page that was refused, or is a fault.
	 */
	onPage?: OnPageRead;
}

export interface ListingReport
	extends SweepFindings,
		Pick<
			RecordCollector<unknown>,
			'duplicatesAcrossPages' | 'conflictingDuplicates' | 'duplicates'
		>,
		Pick<RecordKeys, 'isIdVolatile'>,
		Pick<RecordKeys['fields'], 'droppedIdField' | 'idField'>,
		Pick<PageReader, 'itemsPath' | 'longIntegers' | 'otherPaths'>,
		Pick<ListFacts, 'highestTotal' | 'totalPagesDecreased'> {
	/** Pages with records, those of every sweep. */
	pages: number;
	/** Records that came, each once, whether wanted or not. */
	recordCount: number;
	/** The total that is believed. */
	total?: number;
	/** Whether records of several pages are equal, and neither an ID nor a total tells them apart. */
	hasIndistinguishableRecords: boolean;
	/** Whether pages were short, and no ID shows that nothing is missing or doubled. */
	mayHaveSizeGaps: boolean;
	/** Records each sweep found that no earlier one did; one number without `untilStable`. */
	newPerSweep: number[];
	/** Items per page the service returned, if the listing went on at that size. */
	receivedPageSize?: number;
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
	request: ListingOptions<Kept>,
): Promise<{ recordCount: Kept[]; report: ListingReport }> {
	const reader = new PageReader(request.fetchPage, request, request.onPage);
	const memory = new RecordCollector(request);
	const newPerSweep: number[] = [];
	let pages = 0;
	let sweep: Sweep<Kept>;
	do {
		const before = memory.uniqueCount;
		if (newPerSweep.length > 0) memory.startNextSweep();
		sweep = new Sweep(request, reader, memory);
		await sweep.run();
		pages += sweep.facts.pagesRead;
		newPerSweep.push(memory.uniqueCount - before);
	} while (
		request.untilStable &&
		memory.keys.hasIds &&
		memory.remaining > 0 &&
		newPerSweep.length < MAX_SWEEPS &&
		newPerSweep.at(-1) !== 0
	);
	const { duplicatesAcrossPages, conflictingDuplicates, duplicates, keys, uniqueCount } = memory;
	const { itemsPath, longIntegers, otherPaths } = reader;
	const { findings, facts } = sweep;
	const isOtherSize = facts.pageSize !== facts.requestedPageSize && facts.pagesRead > 1;
	const totalMatches = facts.total === uniqueCount;
	// The number of records that a limit leaves cannot be compared with that of the list.
	const isTotalConfirmed = isOtherSize
		? totalMatches && !facts.endSignalWasWrong
		: totalMatches || findings.endedBy === 'limit';
	const isProven = (totalMatches && !isOtherSize) || (keys.hasIds && duplicates === 0);
	const report: ListingReport = {
		...{ ...keys.fields, ...facts, ...findings, isIdVolatile: keys.isIdVolatile },
		...{
			duplicatesAcrossPages,
			conflictingDuplicates,
			duplicates,
			itemsPath,
			longIntegers,
			otherPaths,
		},
		...{ pages, recordCount: uniqueCount, newPerSweep },
		// If there is only one page, its total is that of the list, too.
		total: facts.total ?? (facts.pagesRead > 1 ? undefined : facts.statedTotal),
		hasIndistinguishableRecords:
			facts.pagesRead > 1 && !memory.areDistinguishable && !isTotalConfirmed,
		mayHaveSizeGaps:
			facts.pagesRead > 0 && (facts.hasOversizedPage || (facts.areShortPagesUsual && !isProven)),
		receivedPageSize: isOtherSize ? facts.pageSize : undefined,
		missingIdPath:
			!keys.fields.isIdDetected && !keys.hasIds && uniqueCount > 0 ? request.idPath : undefined,
	};
	return { recordCount: memory.records, report };
}
