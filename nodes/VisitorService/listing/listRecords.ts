import { type FetchPage, PageReader } from '../response/pageReader';
import type { ListTarget } from '../response/records';
import type { EndReason } from './endOfList';
import {
	type EarlierReading,
	earlierReadingOf,
	isTotalSteady,
	receivedPageSize,
	totalOf,
} from './listFacts';
import { RecordCollector } from './recordCollector';
import type { IdField } from './recordKeys';
import { FirstRecords, type Selection, type SelectionOptions } from './selection';
import { Sweep, type SweepOptions } from './sweep';
import { findWarnings, type ListingWarning } from './warnings';

interface ListingOptions extends SweepOptions, ListTarget {
	fetchPage: FetchPage;
	untilStable: boolean;
	/** Whether two more requests are to show why records were repeated, if no total does. */
	explainsRepeats?: boolean;
}

export interface ListingReport
	extends Pick<PageReader, 'itemsPath' | 'longIntegers' | 'otherPaths'>,
		Pick<RecordCollector, 'duplicatesAcrossPages' | 'duplicates'> {
	endedBy: EndReason;
	/** The number of the page that ended the reading, as the service counts. */
	lastPageNumber: number;
	/** As in `Sweep`. */
	countsFromOne: boolean;
	warnings: readonly ListingWarning[];
	id: IdField;
	/** Pages with records, of all sweeps. */
	pages: number;
	/** Records received, each once, whether selected or not. */
	recordCount: number;
	/** The trusted total. */
	total?: number;
	/** For a later reading of the whole list. */
	earlier: EarlierReading;
	/** How many records each sweep found that no earlier one did; one sweep unless `untilStable`. */
	newPerSweep: readonly number[];
	/** The page size that was received, if the listing went on in another size than requested. */
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

/** As `listRecords`, into a selection of the caller. */
export async function readInto(
	selection: Selection,
	request: ListingOptions,
): Promise<ListingReport> {
	const reader = new PageReader(request.fetchPage, request);
	const collector = new RecordCollector(request, selection);
	const { sweep, ...read } = await runSweeps(request, reader, collector);
	const { facts, isEnlarged } = sweep.pages;
	const { endedBy, newPerSweep, pages } = read;
	const isUnexplained = request.explainsRepeats === true && !isTotalSteady(facts);
	const repeatsRecord = isUnexplained && (await sweep.pages.refetchFirstRepeat());
	const list = { ...request, ...read, facts, collector };
	return {
		itemsPath: reader.itemsPath,
		longIntegers: reader.longIntegers,
		otherPaths: reader.otherPaths,
		id: collector.keys.fields.id,
		recordCount: collector.uniqueCount,
		duplicates: collector.duplicates,
		duplicatesAcrossPages: collector.duplicatesAcrossPages,
		countsFromOne: sweep.countsFromOne,
		endedBy,
		lastPageNumber: sweep.pages.numberOf(sweep.lastIndex),
		pages,
		newPerSweep,
		total: totalOf(facts),
		earlier: earlierReadingOf(facts),
		receivedPageSize: isEnlarged ? undefined : receivedPageSize(facts),
		warnings: findWarnings({ ...list, repeatsRecord }),
	};
}

/** Reads the list; again with Until Stable, or in smaller pages if larger ones failed. */
async function runSweeps(request: ListingOptions, reader: PageReader, collector: RecordCollector) {
	const { untilStable } = request;
	const newPerSweep: number[] = [];
	let options: SweepOptions = request;
	let pages = 0;
	let countBefore = 0;
	for (;;) {
		if (pages > 0) collector.startNextSweep();
		const sweep = new Sweep(options, reader, collector);
		const end = await sweep.run();
		const { facts, firstPageNumber } = sweep.pages;
		pages += facts.pagesRead;
		const pageSize = end === 'abandoned' ? request.pageSize : facts.requestedPageSize;
		options = { ...options, firstPageNumber, pageSize, largerPageSize: undefined };
		if (end === 'abandoned') continue;
		newPerSweep.push(collector.uniqueCount - countBefore);
		countBefore = collector.uniqueCount;
		const mayFindMore = collector.keys.hasIds && collector.selection.remaining > 0;
		const isStable = newPerSweep.length === MAX_SWEEPS || newPerSweep.at(-1) === 0;
		if (untilStable && mayFindMore && !isStable) continue;
		return { endedBy: end, newPerSweep, pages, pageWarnings: sweep.warnings, sweep };
	}
}
