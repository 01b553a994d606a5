import { type FetchPage, type OnPageRead, PageReader } from '../response/pageReader';
import type { ListTarget } from '../response/records';
import type { EndReason } from './endOfList';
import { receivedPageSize, totalOf } from './listFacts';
import { RecordCollector } from './recordCollector';
import type { IdField } from './recordKeys';
import { FirstRecords, type Selection, type SelectionOptions } from './selection';
import { Sweep, type SweepOptions } from './sweep';
import { findWarnings, type ListingWarning } from './warnings';

interface ListingOptions extends SweepOptions, ListTarget {
	fetchPage: FetchPage;
	untilStable: boolean;
	/**
	 * Called with each page that was read, in any order, and with the same page again if it was
	 * requested again. Not called for a page that is out of range or invalid.
	 */
	onPage?: OnPageRead;
}

export interface ListingReport
	extends Pick<PageReader, 'itemsPath' | 'longIntegers' | 'otherPaths'>,
		Pick<RecordCollector, 'duplicatesAcrossPages' | 'duplicates'> {
	endedBy: EndReason;
	/** The page that ended the reading. */
	lastPage: number;
	/** Whether page 1 is the first one, and page 0 the same or none. */
	countsFromOne: boolean;
	warnings: readonly ListingWarning[];
	id: IdField;
	/** Pages with records, those of every sweep. */
	pages: number;
	/** Records received, each once, whether wanted or not. */
	recordCount: number;
	/** The total that is believed. */
	total?: number;
	/** Records each sweep found that no earlier one did; one number without `untilStable`. */
	newPerSweep: readonly number[];
	/** Items per page the service returned, if the listing went on in that size. */
	receivedPageSize?: number;
}

const MAX_SWEEPS = 3;

/**
 * Reads a list to its end, each record once, in the order of the pages.
 *
 * @throws ServiceFailure if a page cannot be read, or the list does not end
 */
export async function listRecords<Kept>(
	request: ListingOptions & SelectionOptions<Kept>,
): Promise<{ records: Kept[]; report: ListingReport }> {
	const selection = new FirstRecords(request);
	const report = await readInto(selection, request);
	return { records: selection.records, report };
}

/** The same, for whoever chooses among the records. */
export async function readInto(
	selection: Selection,
	request: ListingOptions,
): Promise<ListingReport> {
	const reader = new PageReader(request.fetchPage, request, request.onPage);
	const collector = new RecordCollector(request, selection);
	const newPerSweep: number[] = [];
	let { firstPageNumber } = request;
	let pages = 0;
	let sweep: Sweep;
	do {
		const before = collector.uniqueCount;
		if (newPerSweep.length > 0) collector.startNextSweep();
		sweep = new Sweep({ ...request, firstPageNumber }, reader, collector);
		await sweep.run();
		firstPageNumber = sweep.firstPageNumber;
		pages += sweep.facts.pagesRead;
		newPerSweep.push(collector.uniqueCount - before);
	} while (
		request.untilStable &&
		collector.keys.hasIds &&
		selection.remaining > 0 &&
		newPerSweep.length < MAX_SWEEPS &&
		newPerSweep.at(-1) !== 0
	);
	const { facts, countsFromOne, endedBy, warnings: pageWarnings } = sweep;
	const lastPage = sweep.lastPage + (firstPageNumber ?? 0);
	const { duplicatesAcrossPages, duplicates, keys, uniqueCount: recordCount } = collector;
	const { itemsPath, longIntegers, otherPaths } = reader;
	return {
		...{ itemsPath, longIntegers, otherPaths, duplicatesAcrossPages, duplicates, recordCount },
		...{ countsFromOne, endedBy, lastPage, pages, newPerSweep, id: keys.fields.id },
		total: totalOf(facts),
		receivedPageSize: receivedPageSize(facts),
		warnings: findWarnings({ ...request, facts, collector, endedBy, pageWarnings, newPerSweep }),
	};
}
