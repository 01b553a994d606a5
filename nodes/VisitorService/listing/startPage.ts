import { EMPTY_PAGE, type Page } from '../response/pageReader';
import type { PagingMetadata } from '../response/paging';
import { pageIgnoredFailure, pageSizeMismatchFailure, singlePageFailure } from './failures';
import type { RecordCollector } from './recordCollector';

/** A start page above 0, and how to request others. */
interface StartPage {
	page: Page;
	startPage: number;
	pageSize: number;
	refetch: (pageIndex: number) => Promise<Page>;
	collector: RecordCollector;
}

/** What the pages around the start page show. */
interface Evidence {
	/** The page before the start page; page 0 if the start page holds nothing. */
	earlier: Page;
	repeats: 'nothing' | 'earlierPage' | 'everyPage';
	/** A third page if the start page repeats the earlier one; otherwise the earlier page. */
	another: Page;
}

/** `first`: the service counts from 1, and the start page is its first page. */
type Verdict = 'first' | 'atOffset' | 'afterEnd';

/** With what the earlier page counts. */
interface VerifiedStart extends Pick<PagingMetadata, 'total' | 'totalPages'> {
	verdict: Verdict;
}

/**
 * A start page above 0 must begin at its offset, so that Page 0, 1, 2 join, and must not repeat an
 * earlier page, because services repeat their last page after the end.
 *
 * @throws ServiceFailure if pages have another size than requested, or each is the first one
 */
export async function verifyStartPage(start: StartPage): Promise<VerifiedStart> {
	const evidence = await gatherEvidence(start);
	const { total, totalPages } = evidence.earlier.metadata;
	return { verdict: verdictOf(start, evidence), total, totalPages };
}

function verdictOf(start: StartPage, { earlier, another, repeats }: Evidence): Verdict {
	const { page, startPage, pageSize, collector } = start;
	const receivedCount = page.records.length;
	const earlierCount = earlier.records.length;
	const anotherCount = another.records.length;
	const { more, total = 0 } = earlier.metadata;
	// Page 0 is the whole list, or what is sent without parameters.
	const isUnpagedZero = receivedCount !== earlierCount && receivedCount <= pageSize;
	if (startPage === 1 && isUnpagedZero && collector.keys.beginAlike(earlier.records, page.records))
		return 'first';
	// If the service counts from 1, page 0 and page 1 are the same.
	const isAtOffset = repeats === 'nothing' || (startPage === 1 && repeats === 'earlierPage');
	// After the end, only page 0 can show that the list has more records than page 0 itself.
	const indicatesMore = total > earlierCount || more === true;
	const goesOn = isAtOffset && (receivedCount > 0 || indicatesMore);
	const longest = Math.max(receivedCount, earlierCount, anotherCount);
	if (repeats === 'everyPage' && receivedCount > pageSize)
		throw singlePageFailure(startPage, receivedCount);
	if (longest > pageSize || (goesOn && longest < pageSize && anotherCount > 0))
		throw pageSizeMismatchFailure(startPage, pageSize, longest);
	const isFull = receivedCount === pageSize && receivedCount !== page.metadata.total;
	if (isFull && repeats === 'everyPage' && collector.keys.hasIds) throw pageIgnoredFailure();
	const isFirst = startPage === 1 && receivedCount > 0;
	if (isFirst && (repeats === 'earlierPage' || earlierCount === 0)) return 'first';
	return isAtOffset ? 'atOffset' : 'afterEnd';
}

async function gatherEvidence(start: StartPage): Promise<Evidence> {
	const { page, startPage, refetch, collector } = start;
	const { records } = page;
	const earlier = await fetchEarlier(start);
	// Volatile fields that are found below change the keys.
	const isRepeatOf = (other: Page) =>
		records.length > 0 && collector.keys.isSamePage(other.records, records);
	const { keys } = collector;
	const mayRepeat =
		keys.beginAlike(records, earlier.records) || keys.mayRepeat(records, earlier.records);
	// The fields that differ may be volatile.
	if (mayRepeat && !isRepeatOf(earlier))
		collector.compareResponses(records, (await refetch(startPage)).records);
	const isRepeat = isRepeatOf(earlier);
	const another = isRepeat ? await refetch(startPage === 1 ? 2 : 0) : earlier;
	const repeated = isRepeatOf(another) ? 'everyPage' : 'earlierPage';
	return { earlier, another, repeats: isRepeat ? repeated : 'nothing' };
}

async function fetchEarlier({ page, startPage, refetch }: StartPage): Promise<Page> {
	const pageIndex = page.records.length === 0 ? 0 : startPage - 1;
	const earlier = await refetch(pageIndex).catch(async (error: unknown) => {
		// If the service counts from 1, there is no page 0.
		if (pageIndex > 0) throw error;
		return page.records.length > 0 ? EMPTY_PAGE : await refetch(1);
	});
	// A page without records before one with some is odd, unless it is page 0.
	return earlier.records.length > 0 || pageIndex === 0 ? earlier : await refetch(pageIndex);
}
