import { ServiceFailure } from '../failure/serviceFailure';
import { formatCount, formatNumber } from '../values/scalar';
import type { ListFacts } from './listFacts';
import type { PageDecisionInput } from './pageEvidence';
import type { IdentifiedBy } from './recordCollector';

export function missingPageFailure({
	page,
	pageIndex,
	requestedNumber,
}: PageDecisionInput): ServiceFailure {
	const failure = page.kind === 'outOfRange' ? page.failure : undefined;
	const what =
		failure?.statusCode === undefined
			? `Page ${requestedNumber} holds no list`
			: `The service rejected page ${requestedNumber} (status ${failure.statusCode})`;
	return new ServiceFailure(
		`${what}, although the list goes on after it.`,
		`Run the workflow again. If it stays so, set Max Pages to ${pageIndex} to read the pages before it.`,
		{ kind: 'service', statusCode: failure?.statusCode, serverText: failure?.serverText },
	);
}

export function endlessListFailure(
	{ receivedCount, pagesRead, total }: ListFacts,
	identifiedBy: IdentifiedBy,
): ServiceFailure {
	// A total that rises with each page means nothing.
	const isStated = total !== undefined && total < receivedCount;
	const stated = isStated ? `, and the service says there are ${formatNumber(total)}` : '';
	return new ServiceFailure(
		`The list does not end: ${formatCount(pagesRead, 'page')} were read${stated}.`,
		identifiedBy === 'id'
			? 'Set Max Pages to the number of pages the list has.'
			: 'Set ID Path to the ID of the records, so that repeated ones are recognized, or Max Pages to the number of pages the list has.',
		{ kind: 'endless' },
	);
}

export function pageIgnoredFailure(): ServiceFailure {
	return new ServiceFailure(
		'The service returns the same records for every page: it ignores the parameter "page".',
		'Set Max Pages to 1 to read what one page holds, and ask your service provider how its lists are paged.',
		{ kind: 'pageIgnored' },
	);
}

/** Pages of another size begin at other offsets, so that Page 0, 1, 2 would not join. */
export function pageSizeMismatchFailure(
	page: number,
	requestedSize: number,
	receivedSize: number,
): ServiceFailure {
	return new ServiceFailure(
		`The service returns pages of ${formatNumber(receivedSize)} instead of ${formatNumber(requestedSize)}, so Page ${page} begins elsewhere.`,
		`Set Page Size to ${formatNumber(receivedSize)} in the options. If the error stays, read the list from Page 0.`,
		{ kind: 'configuration' },
	);
}

export function singlePageFailure(page: number, receivedCount: number): ServiceFailure {
	return new ServiceFailure(
		`The service returns the same ${formatNumber(receivedCount)} records for every page, more than Page Size, so there is no Page ${page}.`,
		'Set Page to 0 to read them.',
		{ kind: 'configuration' },
	);
}
