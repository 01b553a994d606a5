import type { Check } from '../../../nodes/VisitorService/diagnosis/finding';
import {
	type FunctionTenant,
	type ListQuery,
	NOW,
	type Observed,
	response,
	slice,
	usersOf,
} from './diagnosed';

/** 300 users in a plain list, but for what is said. */
export interface OddTenant extends Partial<FunctionTenant> {
	name: string;
	/** What must be found; null must be unknown. */
	finds: Partial<Record<Check, Observed>>;
	/** What must not be called bad: neither failed nor a warning. */
	spares?: Check[];
	/** Whether List Users fails without settings, so that there have to be some. */
	needsSettings?: boolean;
	/** Users that List Users can read with the settings, if not all. */
	readable?: number;
}

const DAY = 86_400_000;
const HOUR = 3_600_000;

const since = (text: string | undefined, read: (time: number) => number = (time) => time) =>
	text === undefined ? undefined : read(Date.parse(text));

/** A plain list from page 0, with these exceptions. */
export function plain(
	exceptions: {
		size?: (requested: number | undefined) => number | undefined;
		page?: (requested: number) => number;
		filter?: (user: Record<string, unknown>, requested: string) => boolean;
		body?: (users: unknown[], size: number) => unknown;
		beyondEnd?: number;
	} = {},
): FunctionTenant['list'] {
	return ({ page = 0, pageSize, updatedSince }: ListQuery, users) => {
		if (page < 0) return response(400);
		const size = (exceptions.size ?? ((requested) => Math.min(requested ?? 50, 1000)))(pageSize);
		if (size === undefined) return response(400, { message: 'pageSize is not allowed' });
		if (updatedSince !== undefined && Number.isNaN(Date.parse(updatedSince))) return response(400);
		const filter =
			exceptions.filter ??
			((user, requested) => Date.parse(user.updatedAt as string) >= Date.parse(requested));
		const chosen =
			updatedSince === undefined ? users : users.filter((user) => filter(user, updatedSince));
		const records = slice(chosen, exceptions.page?.(page) ?? page, size);
		if (records.length === 0 && page > 0 && exceptions.beyondEnd !== undefined) {
			return response(exceptions.beyondEnd);
		}
		return response(200, exceptions.body?.(records, size) ?? { data: records });
	};
}

/** Counts from 1; page 0, and a page after the end, get a status instead. */
const fromOne =
	(zero: number | 'empty' | 'all', end: number | 'empty'): FunctionTenant['list'] =>
	({ page = 1, pageSize = 50 }, users) => {
		const size = Math.min(pageSize, 1000);
		if (page < 1) {
			if (zero === 'all') return response(200, { data: users });
			return zero === 'empty' ? response(200, { data: [] }) : response(zero);
		}
		const records = slice(users, page, size, 1);
		return records.length === 0 && page > 1 && end !== 'empty'
			? response(end)
			: response(200, { data: records });
	};

/** The first question that meets it gets another response. */
function accident(
	name: string,
	respond: () => ReturnType<FunctionTenant['list']>,
	{
		isFulfilled,
		finds,
	}: Pick<OddTenant, 'finds'> & { isFulfilled: (...requested: ListArguments) => boolean },
): OddTenant {
	let wasFulfilled = false;
	const list = (...requested: ListArguments) => {
		if (wasFulfilled || !isFulfilled(...requested)) return plain()(...requested);
		wasFulfilled = true;
		return respond();
	};
	return { name: `by accident, ${name}`, list, finds, spares: ['tokenRevocation'] };
}

type ListArguments = Parameters<FunctionTenant['list']>;

export const oddTenants: OddTenant[] = [
	...(
		[
			['400 invalid_token', { status: 400, body: { template: { error: 'invalid_token' } } }],
			['200 invalid_token', { status: 200, body: { template: { error: 'invalid_token' } } }],
			['200 with code 401', { status: 200, body: { template: { code: 401 } } }],
			['419', { status: 419, body: 'empty' }],
			['400 with a text', { status: 400, body: 'text' }],
			['302 to a login page', { status: 302, body: 'empty' }],
		] as const
	).map(
		([name, badToken]): OddTenant => ({
			name: `a new token ends the old one, which gets ${name}`,
			users: usersOf(60),
			badToken,
			location: badToken.status === 302 ? 'https://login.test/' : undefined,
			revokesTokens: true,
			finds: { usersReadable: true, tokenRevocation: true, firstPageNumber: 0, idField: 'id' },
			spares: ['usersReadable'],
		}),
	),
	{
		name: 'no user was ever updated',
		users: usersOf(30).map((user) => ({ ...user, updatedAt: null })),
		list: plain({ filter: () => false }),
		finds: { updatedSinceFormat: null },
	},
	{
		name: 'no user was ever updated, and all show when they were created',
		users: usersOf(30).map(({ updatedAt, ...user }) => ({
			...user,
			createdAt: updatedAt,
			updatedAt: null,
		})),
		list: plain({ filter: () => false }),
		finds: { updatedAtField: 'updatedAt', updatedSinceFormat: null },
	},
	{
		name: 'a filter that cuts all times to the minute, without the minute itself',
		users: usersOf(90, 7 * 3_660_000 + 1234),
		list: plain({
			filter: ({ updatedAt }, requested) =>
				Math.floor(Date.parse(String(updatedAt)) / 60_000) >
				Math.floor(Date.parse(requested) / 60_000),
		}),
		finds: { updatedSinceFormat: 'iso' },
		spares: ['updatedSinceFormat'],
	},
	{
		name: 'a filter that returns nobody for a time with a fraction',
		users: usersOf(90, 7 * 3_660_000, NOW - DAY + 123),
		list: plain({
			filter: ({ updatedAt }, requested) =>
				!requested.includes('.') && Date.parse(String(updatedAt)) >= Date.parse(requested),
		}),
		finds: { updatedSinceFormat: 'iso' },
	},
	{
		name: 'a filter that compares days, without the day itself',
		users: usersOf(12, 2 * DAY),
		list: plain({
			filter: (user, requested) =>
				Math.floor(Date.parse(String(user.updatedAt)) / DAY) >
				Math.floor(Date.parse(requested) / DAY),
		}),
		finds: { firstPageNumber: 0 },
	},
	{
		name: 'a filter that takes UTC for a time zone five hours behind',
		users: usersOf(12, 2 * DAY),
		list: plain({
			filter: (user, requested) =>
				Date.parse(String(user.updatedAt)) >= Number(since(requested, (time) => time + 5 * HOUR)),
		}),
		finds: { firstPageNumber: 0 },
	},
	{
		name: 'a few page sizes, any other is the default one',
		list: plain({
			size: (requested) => ([10, 25, 50, 100].includes(requested ?? 0) ? requested : 50),
		}),
		finds: { pageSizeHonoured: true, maxPageSize: 100, firstPageNumber: 0 },
	},
	{
		name: 'a few page sizes, any other is rejected without a text',
		list: plain({
			size: (requested) =>
				[undefined, 10, 25, 50, 100].includes(requested) ? (requested ?? 50) : undefined,
		}),
		finds: { pageSizeHonoured: true, maxPageSize: null, firstPageNumber: 0 },
	},
	...[3, 40, 300, 1500].map(
		(count): OddTenant => ({
			name: `${count} users from page 1, page 0 is the whole list`,
			users: usersOf(count),
			list: fromOne('all', 'empty'),
			finds: { usersReadable: true, pageSizeHonoured: count > 3 ? true : null },
			spares: ['pageSizeHonoured', 'firstPageNumber'],
		}),
	),
	{
		name: 'an envelope named for the resource, in every list',
		users: usersOf(60),
		list: plain({ body: (users) => ({ users }) }),
		companies: { segment: 'companies', response: response(200, { companies: [{ id: 1 }] }) },
		finds: { itemsPath: 'users', companiesPath: 'companies' },
	},
	{
		name: 'sorting by some fields only',
		users: usersOf(60).map((user, index) => ({
			...user,
			id: `user-${String(((index * 37) % 60) + 10)}`,
		})),
		list: (query, users) => {
			const [field = '', direction] = (query.sort ?? '').split(',');
			if (query.sort === undefined) return plain()(query, users);
			if (!['lastName', 'updatedAt'].includes(field) || direction === undefined)
				return response(400);
			const sorted = [...users].sort((one, other) =>
				String(one[field]) < String(other[field]) === (direction === 'desc') ? 1 : -1,
			);
			return plain()(query, sorted);
		},
		finds: { sortFormat: null },
		spares: ['sortFormat'],
	},
	{
		name: '"page" is ignored, and a size that is too large gets the default one',
		list: ({ pageSize }, users) =>
			response(200, {
				data: users.slice(0, pageSize !== undefined && pageSize <= 500 ? pageSize : 50),
			}),
		finds: { pageHonoured: false },
		needsSettings: true,
		readable: 200,
	},
	...[3000, 6000, 10_000].map(
		(latency): OddTenant => ({
			name: `responses take ${latency} ms`,
			users: usersOf(60),
			latency,
			finds: { usersReadable: true },
			spares: ['clockDifference'],
		}),
	),
	{
		name: 'a single company with its addresses',
		users: usersOf(60),
		companies: {
			segment: 'company',
			response: response(200, { data: { name: 'One', addresses: [{ city: 'Here' }] } }),
		},
		finds: { companiesPath: null },
	},
	...[1, 3, 40].map(
		(count): OddTenant => ({
			name: `every request gets the whole list of ${count}`,
			users: usersOf(count),
			list: plain({ size: () => 1000, page: () => 0 }),
			finds: { updatedSinceFormat: count > 3 ? 'iso' : null, pageHonoured: null },
		}),
	),
	{
		name: 'pages that only a cursor turns',
		users: usersOf(260),
		list: plain({
			page: () => 0,
			size: (requested = 50) => Math.min(requested, 100),
			body: (data, size) => ({ data, nextCursor: data.length < size ? null : 'next' }),
		}),
		finds: { pageHonoured: false, pageSizeHonoured: true, pagingMetadata: 'more' },
		needsSettings: true,
		readable: 100,
	},
	...[undefined, 'must be less than or equal to 30'].map(
		(message): OddTenant => ({
			name: `the usual page size is rejected, ${message ?? 'without a text'}`,
			users: usersOf(150),
			list: (query, users) =>
				(query.pageSize ?? 0) > 30
					? response(400, { message })
					: plain({ size: (requested) => requested ?? 10 })(query, users),
			finds: { maxPageSize: null, pageSizeHonoured: true },
			needsSettings: true,
		}),
	),
	{
		name: 'a single user on page 1, any other page gets 404',
		users: usersOf(1),
		list: fromOne(404, 404),
		finds: { firstPageNumber: null, pageHonoured: null },
	},
	{
		name: 'an empty filter and a page after the end get 404',
		users: usersOf(200),
		list: (query, users) => {
			const found = plain()(query, users);
			const { data } = found.body as { data: unknown[] };
			return data.length === 0 ? response(404) : found;
		},
		finds: { updatedSinceFormat: 'iso', firstPageNumber: 0 },
		spares: ['updatedSinceFormat', 'pageHonoured'],
	},
	{
		name: 'parameters the service does not know get an error with a status of success',
		users: usersOf(200),
		list: (query, users) =>
			query.sort === undefined && query.updatedSince === undefined
				? plain()(query, users)
				: response(200, { status: 'error', message: 'Unknown parameter' }),
		finds: { firstPageNumber: 0, sortFormat: null, updatedSinceFormat: null },
		spares: ['sortFormat'],
	},
	{
		name: 'a list at a place of its own, the only one',
		users: usersOf(60),
		list: plain({ body: (rows) => ({ outcome: { table: { lines: rows } } }) }),
		finds: { usersReadable: true, itemsPath: 'outcome.table.lines', firstPageNumber: 0 },
	},
	{
		name: 'a list at a place that is set',
		users: usersOf(60),
		list: plain({
			body: (rows) => ({ outcome: { one: [{ id: 1 }], other: { lines: rows } } }),
		}),
		itemsPath: 'outcome.other.lines',
		finds: { usersReadable: true, itemsPath: 'outcome.other.lines', idField: 'id' },
		needsSettings: true,
	},
	{
		name: 'an ID that is the row on the page',
		users: usersOf(190),
		list: plain({
			body: (rows) => ({
				data: rows.map((user, index) => ({ ...(user as object), id: index + 1 })),
			}),
		}),
		finds: { pageHonoured: null, usersReadable: true },
		spares: ['pageHonoured'],
	},
	{
		name: 'numbering from 1, page 0 is an error with a status of success',
		users: usersOf(130),
		list: (query, users) =>
			query.page === 0
				? response(200, { error: { code: 'BAD_PAGE', message: 'Pages begin at 1.' } })
				: fromOne(400, 'empty')(query, users),
		finds: { usersReadable: true },
		needsSettings: true,
	},
	{
		name: 'times are read in seconds, and users of the two days before are found too',
		users: usersOf(60, 5 * HOUR),
		list: ({ updatedSince: requested = '', ...query }, users) => {
			const from = /^\d{10}$/.test(requested) ? Number(requested) * 1000 - 2 * DAY : 0;
			return plain()(
				query,
				users.filter(({ updatedAt }) => Date.parse(String(updatedAt)) >= from),
			);
		},
		finds: { updatedSinceFormat: null },
		spares: ['updatedSinceFormat'],
	},
	{
		name: 'only some users were ever updated',
		users: usersOf(60).map((user, index) =>
			index % 25 === 0 ? user : { ...user, updatedAt: null },
		),
		list: plain({
			filter: ({ updatedAt }, requested) => Date.parse(String(updatedAt)) >= Date.parse(requested),
		}),
		finds: { updatedSinceFormat: 'iso', firstPageNumber: 0 },
	},
	{
		name: 'a size that is too large gets an empty page, the usual one too',
		users: usersOf(230),
		list: (query, users) =>
			plain({ size: (requested = 20) => requested })(
				query,
				(query.pageSize ?? 0) > 50 ? [] : users,
			),
		finds: { maxPageSize: null, pageSizeHonoured: true, firstPageNumber: 0 },
		needsSettings: true,
	},
	...[30, 300].map(
		(count): OddTenant => ({
			name: `${count} users, of whom the client may see what is the same in all`,
			users: usersOf(count).map(() => ({ active: true })),
			finds: { pageHonoured: null, firstPageNumber: null },
			readable: 0,
		}),
	),
	{
		name: 'the last user of the first page is hidden',
		list: (query, users) => {
			const { status, body } = plain({ body: (rows) => rows })(query, users);
			const rows = Array.isArray(body) ? body : [];
			return response(status, Array.isArray(body) ? rows.filter((row) => row !== users[49]) : body);
		},
		finds: { defaultPageSize: null },
		readable: 299,
	},
	accident('the first question with a good token gets 401', () => response(401), {
		isFulfilled: () => true,
		finds: { tokenRevocation: null },
	}),
	{
		name: 'the whole list without parameters, in another form than its pages',
		list: ({ page, pageSize = 20 }, users) =>
			page === undefined
				? response(200, users)
				: response(200, { data: slice(users, page, pageSize), total: users.length }),
		finds: { itemsPath: 'data', pagingMetadata: 'total', firstPageNumber: 0, maxPageSize: null },
	},
];
