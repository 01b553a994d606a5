import type { Check } from '../../../nodes/VisitorService/diagnosis/finding';
import type { Switches } from '../../reference-service';
import type { Observed } from './diagnosed';

/** What a finding that is not `unknown` may say; `null` = nothing, it has to be unknown. */
export type Fact = ((observed: Observed) => boolean) | null;

const equal =
	(fact: Observed): Fact =>
	(observed) =>
		observed === fact;

const about =
	(fact: number, tolerance: number): Fact =>
	(observed) =>
		typeof observed === 'number' && Math.abs(observed - fact) <= tolerance;

/**
 * The truth about a service that responds, from its switches alone. Nothing here looks at how a
 * diagnosis works.
 *
 * @param users how many there are
 */
export function factsOf(
	{ clockOffsetMs, dateHeader, token, authorization, list }: Switches,
	users: number,
): Record<Check, Fact> {
	const isAllowed = [authorization.permission].flat().some((one) => /^(all|users)$/.test(one));
	const readable = isAllowed && list.paths.users !== null;
	const whole = readable && users > 0;
	return {
		tokenExchange: equal(true),
		tokenField: equal(tokenFieldOf(token)),
		tokenLifetime: tokenLifetimeOf(token),
		tokenRevocation: equal(token.revokePrevious),
		usersReadable: equal(readable),
		itemsPath: readable ? equal(itemsPathOf(list)) : null,
		idField:
			whole && list.idField !== null && !list.idField.includes('.') ? equal(list.idField) : null,
		updatedAtField: whole && list.updatedAtField !== null ? equal(list.updatedAtField) : null,
		pagingMetadata: readable ? equal(pagingMetadataOf(list, users)) : null,
		firstPageNumber: whole && !list.pageIgnored ? equal(list.firstPageNumber) : null,
		pageHonoured: whole ? equal(!list.pageIgnored) : null,
		defaultPageSize: whole ? equal(list.defaultPageSize) : null,
		pageSizeHonoured: whole ? equal(!list.pageSizeIgnored) : null,
		maxPageSize: whole && !list.pageSizeIgnored ? equal(largestSizeOf(list.maxPageSize)) : null,
		sortFormat: whole
			? (observed) =>
					[...list.sortSpellings, ...(list.sortSpellings.length === 0 ? [null] : [])].includes(
						observed as never,
					)
			: null,
		updatedSinceFormat: whole ? (observed) => updatedSinceFormatsOf(list).includes(observed) : null,
		badTokenAnswer: equal(authorization.invalid.status),
		unknownPathAnswer: equal(list.unknownPath.status),
		rateLimit:
			list.rateLimit.headers === 'none'
				? null
				: equal(list.rateLimit.burst ?? list.rateLimit.requestsPerSecond),
		clockDifference: dateHeader ? about(clockOffsetMs / 1000, 1) : null,
		companiesPath: pathOf('companies'),
		visitsPath: pathOf('visits'),
		tasksPath: pathOf('tasks'),
	};

	function pathOf(resource: 'companies' | 'visits' | 'tasks'): Fact {
		const path = list.paths[resource];
		return path === null ? null : equal(path);
	}
}

/** The largest of the sizes that Diagnose requests, or the maximum itself if it is smaller. */
function largestSizeOf(maximum: number): Observed {
	return [1000, 500, 200, 100].find((size) => size <= maximum) ?? maximum;
}

function tokenFieldOf({ response }: Switches['token']): string {
	const fields: Record<string, string> = {
		rfc6749: 'access_token',
		camelCase: 'accessToken',
		data: 'data.access_token',
		deep: 'data.attributes.access_token',
		array: '0.access_token',
	};
	return typeof response === 'string' ? (fields[response] ?? '?') : '?';
}

function tokenLifetimeOf({ expiresIn, lifetimeSeconds, format }: Switches['token']): Fact {
	const isUseless = expiresIn === 'missing' || expiresIn === 'milliseconds';
	// Points in time have whole seconds.
	return isUseless && format !== 'jwt' ? null : about(lifetimeSeconds, 2);
}

/** Dot path of the list of users; '' = the body is the list. */
export function itemsPathOf({ envelope }: Switches['list']): string {
	const paths: Record<string, string> = {
		array: '',
		named: 'users',
		embedded: '_embedded.users',
		resultList: 'result.list',
		dataItems: 'data.items',
		twoArrays: 'users',
		twoArraysUnnamed: 'list',
	};
	return typeof envelope === 'string' ? (paths[envelope] ?? envelope) : '?';
}

/** The facts a reader can use; `page` and `pageSize` alone say nothing about what follows. */
function pagingMetadataOf(list: Switches['list'], users: number): string {
	const standard: Record<string, string[]> = {
		array: [],
		value: ['total', 'next'],
		content: ['total', 'totalPages', 'last'],
	};
	const envelope = typeof list.envelope === 'string' ? list.envelope : 'array';
	const fields: readonly string[] =
		envelope === 'array' || list.metadata === 'none'
			? []
			: list.metadata === 'standard'
				? (standard[envelope] ?? ['total', 'totalPages'])
				: list.metadata;
	const pagesFollow = users > list.defaultPageSize;
	const names = [
		...(fields.includes('total') || list.totalHeader ? ['total'] : []),
		...(fields.includes('totalPages') ? ['totalPages'] : []),
		...(fields.some((field) => ['last', 'hasMore'].includes(field)) ||
		(pagesFollow && fields.includes('next'))
			? ['more']
			: []),
	];
	return names.length === 0 ? 'none' : names.join(', ');
}

function updatedSinceFormatsOf({ updatedSince }: Switches['list']): Observed[] {
	if (updatedSince.ignored) return [null];
	const usable = updatedSince.accepted.filter((format) =>
		['iso', 'epochMs', 'epochS'].includes(format),
	);
	// Updated Since is written without a fraction if it has none, as polls ask.
	if (updatedSince.accepted.includes('isoSeconds')) usable.push('iso');
	return usable.length > 0 ? usable : [null];
}
