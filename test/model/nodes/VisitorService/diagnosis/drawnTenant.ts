import type { Check, Observed } from '../../../../../nodes/VisitorService/diagnosis/finding';
import fc from '../../../../properties';
import type { ErrorAnswer, ForcedAnswer } from '../../../../reference-service';
import {
	answer,
	type ListQuery,
	type MemoryTenant,
	NOW,
	slice,
	usersOf,
} from '../../../../unit/nodes/VisitorService/diagnosis/memoryTenant';

type User = MemoryTenant['users'][number];

const FORMATS: Readonly<Record<string, (text: string) => number>> = {
	iso: (text) => (/^\d+-.*\.\d+Z$/.test(text) ? Date.parse(text) : NaN),
	isoSeconds: (text) => (/^\d+-.*:\d\dZ$/.test(text) ? Date.parse(text) : NaN),
	epochMs: (text) => (/^\d{12,}$/.test(text) ? Number(text) : NaN),
	epochS: (text) => (/^\d{9,10}$/.test(text) ? Number(text) * 1000 : NaN),
};

const SPELLINGS: Readonly<Record<string, RegExp>> = {
	'field,desc': /^(?<field>\w+),(?<order>asc|desc)$/,
	'-field': /^(?<order>-?)(?<field>\w+)$/,
	'field:desc': /^(?<field>\w+):(?<order>asc|desc)$/,
	'field desc': /^(?<field>\w+) (?<order>asc|desc)$/,
};

const ENVELOPES = {
	'': (users: User[]) => users,
	data: (data: User[]) => ({ data }),
	items: (items: User[], { total }: Whole) => ({ items, total }),
	content: (content: User[], { isLast }: Whole) => ({ content, last: isLast }),
	values: (values: User[], { size }: Whole) => ({ values, size: values.length, limit: size }),
	users: (users: User[], { size }: Whole) => ({ users, pageSize: size }),
};

interface Whole {
	total: number;
	size: number;
	isLast: boolean;
}

const BAD_TOKENS: Readonly<Record<string, ErrorAnswer>> = {
	401: { status: 401, body: 'empty' },
	403: { status: 403, body: 'empty' },
	419: { status: 419, body: 'empty' },
	400: { status: 400, body: { template: { error: 'invalid_token' } } },
};

/** What a tenant is like; every habit is drawn on its own. */
export const habits = fc.record({
	count: fc.constantFrom(0, 1, 2, 3, 5, 10, 30, 50, 60, 100, 101, 150, 300, 600, 1300),
	envelope: fc.constantFrom(...(Object.keys(ENVELOPES) as Array<keyof typeof ENVELOPES>)),
	standardSize: fc.constantFrom(10, 20, 25, 50, 100),
	smallestSize: fc.constantFrom(1, 1, 1, 10),
	largestSize: fc.constantFrom(100, 200, 333, 500, 1000, 5000),
	beyondLargest: fc.constantFrom('cut', 'cut', 'refused', 'standard'),
	ignoresSize: fc.constantFrom(false, false, false, false, true),
	ignoresPage: fc.constantFrom(false, false, false, false, false, false, true),
	firstNumber: fc.constantFrom(0, 0, 1),
	beforeFirst: fc.constantFrom('first', 'empty', 400, 404),
	afterEnd: fc.constantFrom('empty', 'empty', 400, 404, 'last'),
	hiddenEvery: fc.constantFrom(0, 0, 0, 0, 2, 7, 10, 50),
	apart: fc.constantFrom(0, 1000, 60_000, 2 * 86_400_000),
	updates: fc.constantFrom('all', 'all', 'all', 'none', 'null'),
	isNewestFirst: fc.boolean(),
	formats: fc.subarray(['iso', 'isoSeconds', 'epochMs', 'epochS']),
	unreadable: fc.constantFrom('refused', 'ignored', 'empty'),
	isInclusive: fc.boolean(),
	refusesFuture: fc.boolean(),
	spellings: fc.subarray(['field,desc', '-field', 'field:desc', 'field desc']),
	unknownSort: fc.constantFrom('refused', 'ignored'),
	revokesTokens: fc.boolean(),
	badToken: fc.constantFrom('401', '401', '403', '419', '400'),
	unknownPath: fc.constantFrom(404, 404, 401, 403, 400),
	companies: fc.constantFrom('companies', 'organizations', undefined),
});

export type Habits = typeof habits extends fc.Arbitrary<infer Drawn> ? Drawn : never;

export interface DrawnTenant extends MemoryTenant {
	/** What each finding may say that is not unknown; a check that is not here must be unknown. */
	truth: Partial<Record<Check, readonly Observed[]>>;
}

/**
 * A tenant with these habits, and the truth about it.
 *
 * @param mayGrow whether users may be added to an empty list
 */
export function tenantOf(drawn: Habits, mayGrow = false): DrawnTenant {
	const users = usersOf(drawn.count, drawn.apart, NOW - 3_600_000).map(
		({ updatedAt, ...user }) => ({
			...user,
			...(drawn.updates === 'all' && { updatedAt }),
			...(drawn.updates === 'null' && { updatedAt: null }),
		}),
	);
	if (drawn.isNewestFirst) users.reverse();
	return {
		name: 'drawn',
		users,
		list: (query, all) => answerOf(drawn, query, all),
		badToken: BAD_TOKENS[drawn.badToken],
		revokesTokens: drawn.revokesTokens,
		unknownPath: drawn.unknownPath,
		...(drawn.companies !== undefined && {
			companies: {
				segment: drawn.companies,
				answer: answer(200, { data: [{ id: 1 }, { id: 2 }] }),
			},
		}),
		truth: truthOf(drawn, mayGrow || drawn.count > 0),
	};
}

function answerOf(drawn: Habits, query: ListQuery, all: readonly User[]): ForcedAnswer {
	const { page = drawn.firstNumber, pageSize, sort, updatedSince } = query;
	if (page < 0) return answer(400);
	const size = sizeOf(drawn, pageSize);
	const filtered = updatedSince === undefined ? all : filter(drawn, updatedSince, all);
	const sorted = sort === undefined ? filtered : order(drawn, sort, filtered);
	if (size === undefined || filtered === undefined || sorted === undefined) return answer(400);
	const isBefore = page < drawn.firstNumber;
	if (isBefore && drawn.beforeFirst !== 'first' && !drawn.ignoresPage) {
		return typeof drawn.beforeFirst === 'number' ? answer(drawn.beforeFirst) : paged([]);
	}
	const number = drawn.ignoresPage || isBefore ? drawn.firstNumber : page;
	const records = slice(sorted, number, size, drawn.firstNumber);
	if (records.length > 0 || number === drawn.firstNumber) return paged(records);
	if (typeof drawn.afterEnd === 'number') return answer(drawn.afterEnd);
	if (drawn.afterEnd === 'empty') return paged([]);
	const last = drawn.firstNumber + Math.max(0, Math.ceil(sorted.length / size) - 1);
	return paged(slice(sorted, last, size, drawn.firstNumber));

	function paged(records: readonly User[]): ForcedAnswer {
		const shown = records.filter(({ id }) => !isHidden(drawn, String(id)));
		const end = sorted?.at(-1);
		const isLast = end === undefined || records.length === 0 || records.includes(end);
		const whole = { total: visibleOf(drawn), size: size ?? 0, isLast };
		return answer(200, ENVELOPES[drawn.envelope](shown, whole));
	}
}

function isHidden({ hiddenEvery }: Habits, id: string): boolean {
	return hiddenEvery > 0 && Number(id.slice(-5)) % hiddenEvery === 0;
}

/** Users that can be seen. */
export function visibleOf({ count, hiddenEvery }: Habits): number {
	return count - (hiddenEvery > 0 ? Math.floor(count / hiddenEvery) : 0);
}

/** Undefined for a size that is refused. */
function sizeOf(drawn: Habits, asked: number | undefined): number | undefined {
	const { standardSize, smallestSize, largestSize, beyondLargest, ignoresSize } = drawn;
	if (asked === undefined || ignoresSize) return standardSize;
	if (asked <= largestSize) return Math.max(asked, smallestSize);
	if (beyondLargest === 'refused') return undefined;
	return beyondLargest === 'cut' ? largestSize : standardSize;
}

function filter(
	{ formats, unreadable, isInclusive, refusesFuture }: Habits,
	asked: string,
	users: readonly User[],
): readonly User[] | undefined {
	const read = formats.map((format) => FORMATS[format]?.(asked) ?? NaN);
	const since = read.find((time) => !Number.isNaN(time));
	if (since === undefined) {
		if (unreadable === 'refused') return undefined;
		return unreadable === 'ignored' ? users : [];
	}
	if (refusesFuture && since > NOW + 60_000) return undefined;
	return users.filter(({ updatedAt }) => {
		if (updatedAt === undefined) return since <= NOW;
		const time = typeof updatedAt === 'string' ? Date.parse(updatedAt) : NaN;
		return isInclusive ? time >= since : time > since;
	});
}

function order(
	{ spellings, unknownSort }: Habits,
	asked: string,
	users: readonly User[] | undefined,
): readonly User[] | undefined {
	const matches = spellings.map((name) => SPELLINGS[name]?.exec(asked));
	const match = matches.find((found) => found?.groups !== undefined);
	if (match?.groups === undefined) return unknownSort === 'refused' ? undefined : users;
	const { field = '', order: direction = '' } = match.groups;
	const sign = direction === 'desc' || direction === '-' ? -1 : 1;
	const value = (user: User) => JSON.stringify(user[field] ?? '');
	return [...(users ?? [])].sort((one, other) => {
		if (value(one) === value(other)) return 0;
		return value(one) < value(other) ? -sign : sign;
	});
}

function truthOf(drawn: Habits, has: boolean): DrawnTenant['truth'] {
	const { formats, spellings, ignoresPage, ignoresSize, updates } = drawn;
	const usable = formats.filter((format) => format !== 'isoSeconds');
	const readsFilter = formats.length > 0;
	return {
		tokenExchange: [true],
		tokenField: ['access_token'],
		tokenRevocation: [drawn.revokesTokens],
		usersReadable: [true],
		pagingMetadata: [metadataOf(drawn)],
		...((has || drawn.envelope === '') && { itemsPath: [drawn.envelope] }),
		...(has && {
			idField: ['id'],
			pageHonoured: [!ignoresPage],
			pageSizeHonoured: [!ignoresSize],
			defaultPageSize: [drawn.standardSize],
			sortFormat: spellings,
			updatedSinceFormat: readsFilter ? [...usable, ...formats] : [null],
		}),
		...(has && updates === 'all' && { updatedAtField: ['updatedAt'] }),
		...(has && !ignoresPage && { firstPageNumber: [drawn.firstNumber] }),
		...(has && !ignoresSize && { maxPageSize: [drawn.largestSize] }),
		...(has && readsFilter && { updatedSinceInclusive: [drawn.isInclusive] }),
		badTokenAnswer: [Number(drawn.badToken)],
		badParameterAnswer: [400],
		unknownPathAnswer: [drawn.unknownPath],
		clockDifference: [0],
		...(drawn.companies !== undefined && { companiesPath: [drawn.companies] }),
	};
}

function metadataOf({ envelope }: Habits): string {
	if (envelope === 'items') return 'total';
	return envelope === 'content' ? 'more' : 'none';
}
