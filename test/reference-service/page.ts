import { BadParameter, type ListQuery } from './listQuery';
import { shownRecord } from './recordShape';
import type { StoredRecord } from './recordStore';
import type { ListSwitches, PagingMetadata } from './switches';

export interface Page {
	records: StoredRecord[];
	metadata: PagingMetadata;
	/** Whether the query asks for a page after the last one. */
	startsAfterEnd: boolean;
}

/** Cuts the page a query asks for out of the whole list. */
export function cutPage(
	list: readonly StoredRecord[],
	query: ListQuery,
	switches: ListSwitches,
): Page | BadParameter {
	const { requestedSize, pageSize, stride } = query;
	const lastPage = Math.max(0, Math.ceil(list.length / stride) - 1);
	const beyondEnd = query.pagesBefore !== null && query.pagesBefore > lastPage;
	if (beyondEnd && switches.pageBeyondEnd === 'error')
		return new BadParameter('There is no such page.');
	const pagesBefore = beyondEnd ? startBeyondEnd(query, lastPage, switches) : query.pagesBefore;

	const start = pagesBefore === null ? list.length : pagesBefore * stride;
	const repeated = pagesBefore === 0 || start >= list.length ? 0 : switches.duplicatesAcrossPages;
	const from = Math.max(0, start - repeated);
	const records = list
		.slice(from, start + pageSize)
		.filter((record, index) => !isHidden(record, from + index, switches));

	const sizeCounted = switches.countsByRequestedSize ? requestedSize : pageSize;
	const total = totalOf(list, records, switches);
	return {
		records,
		startsAfterEnd: beyondEnd,
		metadata: {
			page:
				pagesBefore === query.pagesBefore || pagesBefore === null
					? query.page
					: pagesBefore + switches.firstPageNumber,
			pageSize,
			total,
			totalPages: Math.ceil(total / sizeCounted),
			last: isLast(),
		},
	};

	function isLast(): boolean {
		if (switches.lastIfNotFull) return records.length < pageSize;
		if (pagesBefore === null) return list.length === 0;
		return (
			(pagesBefore + 1) * (switches.countsByRequestedSize ? requestedSize : stride) >= list.length
		);
	}
}

/** The total as the service believes it. */
function totalOf(
	list: readonly StoredRecord[],
	records: readonly StoredRecord[],
	switches: ListSwitches,
): number {
	if (switches.totalOf === 'page') return records.length;
	return Math.max(0, list.length + switches.totalLag);
}

/** Which page a service sends instead of one after the end. */
function startBeyondEnd(
	{ pagesBefore }: ListQuery,
	lastPage: number,
	{ pageBeyondEnd }: ListSwitches,
): number | null {
	if (pagesBefore === null || pageBeyondEnd === 'empty') return pagesBefore;
	return pageBeyondEnd === 'lastPage' ? lastPage : pagesBefore % (lastPage + 1);
}

function isHidden(record: StoredRecord, index: number, switches: ListSwitches): boolean {
	const hidden = switches.hiddenAfterPaging;
	if (typeof hidden === 'function') return hidden(shownRecord(record, switches), index);
	return hidden > 0 && (index + 1) % hidden === 0;
}
