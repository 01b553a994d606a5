import type { Check } from '../../../nodes/VisitorService/diagnosis/finding';
import type { DeepPartial, ListSwitches, Switches } from '../../reference-service';
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
const SOME_SIZES = [10, 25, 50, 100];

export const oddTenants: OddTenant[] = [
	{
		name: 'a new token ends the old one, which gets 400 invalid_token',
		users: usersOf(60),
		switches: {
			token: { revokePrevious: true },
			authorization: { invalid: { status: 400, body: { template: { error: 'invalid_token' } } } },
		},
		finds: { usersReadable: true, tokenRevocation: true, firstPageNumber: 0, idField: 'id' },
		spares: ['usersReadable'],
	},
	{
		name: 'a few page sizes, any other is rejected without a text',
		respond: ({ page = 0, pageSize = 50 }, users) =>
			SOME_SIZES.includes(pageSize) ? response(200, cut(users, page, pageSize)) : response(400),
		finds: { pageSizeHonoured: true, maxPageSize: null, firstPageNumber: 0 },
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
		name: 'times are read in seconds, and users of the two days before are found too',
		users: usersOf(60, 5 * HOUR),
		...lists({ updatedSince: { accepted: ['epochS'], unreadable: 'ignored', aheadMs: 2 * DAY } }),
		finds: { updatedSinceFormat: null },
		spares: ['updatedSinceFormat'],
	},
	{
		name: 'a size that is too large gets an empty page, the usual one too',
		users: usersOf(230),
		respond: ({ page = 0, pageSize = 20 }, users) =>
			response(200, { data: pageSize > 50 ? [] : cut(users, page, pageSize) }),
		finds: { maxPageSize: null, pageSizeHonoured: true, firstPageNumber: 0 },
		needsSettings: true,
	},
	{
		name: 'users of whom the client may see what is the same in all',
		users: usersOf(300).map(() => ({ active: true })),
		finds: { pageHonoured: null, firstPageNumber: null },
		readable: 0,
	},
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
