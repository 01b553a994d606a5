import type { Check } from '../../../nodes/VisitorService/diagnosis/finding';
import type { DeepPartial, JsonObject, ListSwitches, Switches } from '../../reference-service';
import { cut } from '../listedHost';
import { type Observed, type Personality, response, usersOf } from './diagnosed';

/** 300 users in a plain list, but for what is said. */
interface OddTenant extends Personality {
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

const lists = (list: DeepPartial<ListSwitches>): { switches: DeepPartial<Switches> } => ({
	switches: { list },
});
/** What the service writes instead of a page that it rejects. */
const rejects = (status: number, template: JsonObject = {}): DeepPartial<ListSwitches> => ({
	badParameter: { status, body: { template } },
});
const SOME_SIZES = [10, 25, 50, 100];

export const oddTenants: OddTenant[] = [
	{
		name: 'a new token ends the old one, which gets 400 invalid_token',
		users: usersOf(60),
		switches: {
			token: { revokePrevious: true },
			authorization: {
				invalid: { status: 400, body: { template: { error: 'invalid_token' } } },
			},
		},
		finds: { usersReadable: true, tokenRevocation: true, firstPageNumber: 0, idField: 'id' },
		spares: ['usersReadable'],
	},
	{
		name: 'no user was ever updated, and all show when they were created',
		users: usersOf(30).map(({ updatedAt, ...user }) => ({
			...user,
			createdAt: updatedAt,
			updatedAt: null,
		})),
		finds: { updatedAtField: 'updatedAt', updatedSinceFormat: null },
	},
	...(
		[
			['is the default one', 100, () => 50],
			['is rejected without a text', null, () => undefined],
		] as const
	).map(
		([what, maxPageSize, otherSize]): OddTenant => ({
			name: `a few page sizes, any other ${what}`,
			respond: ({ page = 0, pageSize = 50 }, users) => {
				const size = SOME_SIZES.includes(pageSize) ? pageSize : otherSize();
				return size === undefined ? response(400) : response(200, cut(users, page, size));
			},
			finds: { pageSizeHonoured: true, maxPageSize, firstPageNumber: 0 },
		}),
	),
	{
		name: 'sorting by some fields only',
		users: usersOf(60).map((user, index) => ({
			...user,
			id: `user-${String(((index * 37) % 60) + 10)}`,
		})),
		respond: ({ page = 0, pageSize = 50, sort }, users) => {
			const [field = '', direction] = (sort ?? 'lastName,asc').split(',');
			if (!['lastName', 'updatedAt'].includes(field) || direction === undefined)
				return response(400);
			const sorted = [...users].sort((one, other) =>
				String(one[field]) < String(other[field]) === (direction === 'desc') ? 1 : -1,
			);
			return response(200, cut(sort === undefined ? users : sorted, page, pageSize));
		},
		finds: { sortFormat: null },
		spares: ['sortFormat'],
	},
	{
		name: 'a single company with its addresses',
		users: usersOf(60),
		...lists({
			paths: { companies: 'company' },
			envelope: ({ resource, records }) => ({
				data: resource === 'users' ? records : { name: 'One', addresses: [{ city: 'Here' }] },
			}),
		}),
		finds: { companiesPath: null },
	},
	{
		name: 'pages that only a cursor turns',
		users: usersOf(260),
		...lists({
			...{ pageIgnored: true, maxPageSize: 100 },
			envelope: ({ records, metadata }) => ({
				data: records,
				nextCursor: records.length < metadata.pageSize ? null : 'next',
			}),
		}),
		finds: { pageHonoured: false, pageSizeHonoured: true, pagingMetadata: 'more' },
		needsSettings: true,
		readable: 100,
	},
	{
		name: 'the usual page size is rejected with a reason',
		users: usersOf(150),
		...lists({
			...{ defaultPageSize: 10, maxPageSize: 30, beyondMaximum: 'error' },
			...rejects(400, { message: 'must be less than or equal to 30' }),
		}),
		finds: { maxPageSize: null, pageSizeHonoured: true },
		needsSettings: true,
	},
	{
		name: 'an empty filter and a page after the end get 404',
		users: usersOf(200),
		respond: ({ page = 0, pageSize = 50, updatedSince = '' }, users) => {
			const since = updatedSince && Date.parse(updatedSince);
			const found = users.filter(({ updatedAt }) => Date.parse(String(updatedAt)) >= Number(since));
			const data = cut(found, page, pageSize);
			return data.length === 0 ? response(404) : response(200, { data });
		},
		finds: { updatedSinceFormat: 'iso', firstPageNumber: 0 },
		spares: ['updatedSinceFormat', 'pageHonoured'],
	},
	{
		name: 'parameters the service does not know get an error with a status of success',
		users: usersOf(200),
		...lists({
			...{ unknownSort: 'error', updatedSince: { accepted: [] } },
			...rejects(200, { status: 'error', message: 'Unknown parameter' }),
		}),
		finds: { firstPageNumber: 0, sortFormat: null, updatedSinceFormat: null },
		spares: ['sortFormat'],
	},
	{
		name: 'a list at a place that is set',
		users: usersOf(60),
		...lists({
			envelope: { template: { outcome: { one: [{ id: 1 }], other: { lines: '{records}' } } } },
		}),
		itemsPath: 'outcome.other.lines',
		finds: { usersReadable: true, itemsPath: 'outcome.other.lines', idField: 'id' },
		needsSettings: true,
	},
	{
		name: 'an ID that is the row on the page',
		users: usersOf(190),
		...lists({
			envelope: ({ records }) => ({
				data: records.map((user, index) => ({ ...user, id: index + 1 })),
			}),
		}),
		finds: { pageHonoured: null, usersReadable: true },
		spares: ['pageHonoured'],
	},
	{
		name: 'numbering from 1, page 0 is an error with a status of success',
		users: usersOf(130),
		...lists({
			...{ firstPageNumber: 1, pageBeforeFirst: 'error' },
			...rejects(200, { error: { code: 'BAD_PAGE', message: 'Pages begin at 1.' } }),
		}),
		finds: { usersReadable: true },
		needsSettings: true,
	},
	{
		name: 'times are read in seconds, and users of the two days before are found too',
		users: usersOf(60, 5 * HOUR),
		...lists({
			updatedSince: { accepted: ['epochS'], unreadable: 'ignored', aheadMs: 2 * DAY },
		}),
		finds: { updatedSinceFormat: null },
		spares: ['updatedSinceFormat'],
	},
	{
		name: 'only some users were ever updated',
		users: usersOf(60).map((user, index) =>
			index % 25 === 0 ? user : { ...user, updatedAt: null },
		),
		finds: { updatedSinceFormat: 'iso', firstPageNumber: 0 },
	},
	{
		name: 'a size that is too large gets an empty page, the usual one too',
		users: usersOf(230),
		respond: ({ page = 0, pageSize = 20 }, users) =>
			response(200, { data: pageSize > 50 ? [] : cut(users, page, pageSize) }),
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
		name: 'by accident, the first question with a good token gets 401',
		...lists({ faults: ['none', { status: 401 }] }),
		finds: { tokenRevocation: null },
		spares: ['tokenRevocation'],
	},
	{
		name: 'the whole list without parameters, in another form than its pages',
		respond: ({ page, pageSize = 20 }, users) =>
			page === undefined
				? response(200, users)
				: response(200, { data: cut(users, page, pageSize), total: users.length }),
		finds: { itemsPath: 'data', pagingMetadata: 'total', firstPageNumber: 0, maxPageSize: null },
	},
];
