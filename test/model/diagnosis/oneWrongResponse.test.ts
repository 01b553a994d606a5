import { CHECKS } from '../../../nodes/VisitorService/diagnosis/finding';
import type { JsonObject } from '../../../nodes/VisitorService/values/json';
import {
	diagnosedFunction,
	type ListQuery,
	response,
	slice,
	usersOf,
} from '../../boundary/diagnose/diagnosed';
import { isNightly } from '../../properties';
import type { ForcedResponse } from '../../reference-service';

const LARGEST = 200;

/** Each request for users fails once; other lists and paths answer. */
const NUMBERS = Array.from({ length: 22 }, (_, index) => index + 1);

const WRONG: Readonly<Record<string, (users: readonly JsonObject[]) => ForcedResponse>> = {
	'a proxy answers 503': () => response(503, '<html>'),
	'a login page comes': () => response(200, '<html>'),
	'{} comes': () => response(200, {}),
	'an empty list comes': () => response(200, { data: [] }),
	'it gets 400': () => response(400),
	'it gets 403': () => response(403),
	'it gets 404': () => response(404),
	'the first page comes': (users) => response(200, { data: users.slice(0, 50) }),
};

/** How a time is read; NaN if it is refused. */
const FORMATS: Readonly<Record<string, (text: string) => number>> = {
	iso: (text) => Date.parse(text),
	epochMs: (text) => (/^\d{12,}$/.test(text) ? Number(text) : NaN),
	epochS: (text) => (/^\d{9,10}$/.test(text) ? Number(text) * 1000 : NaN),
};

interface Habits {
	count: number;
	from: 0 | 1;
	format: string;
}

/** What a tenant with one page, or several, is like; the truth about it does not change. */
const TENANTS: readonly Habits[] = [
	...[20, 260].flatMap((count) =>
		([0, 1] as const).map((from) => ({ count, from, format: 'iso' })),
	),
	...['epochMs', 'epochS'].map((format) => ({
		count: 20,
		from: 0 as const,
		format,
	})),
];

function responseOf(
	{ from, format }: Habits,
	{ page = from, pageSize = 50, updatedSince }: ListQuery,
	users: readonly JsonObject[],
): ForcedResponse {
	const since = updatedSince === undefined ? -1 : (FORMATS[format]?.(updatedSince) ?? NaN);
	if (page < from || Number.isNaN(since)) return response(400);
	const changed = users.filter(({ updatedAt }) => Date.parse(String(updatedAt)) >= since);
	return response(200, { data: slice(changed, page, Math.min(pageSize, LARGEST), from) });
}

const truthOf = ({ from, format }: Habits) => ({
	itemsPath: 'data',
	idField: 'id',
	pageHonoured: true,
	firstPageNumber: from,
	pageSizeHonoured: true,
	defaultPageSize: 50,
	maxPageSize: LARGEST,
	updatedSinceFormat: format,
});

describe('a diagnosis of a service that returns one wrong answer', () => {
	it.each(Object.entries(WRONG))('says nothing wrong wherever %s', async (_, wrong) => {
		const found: unknown[] = [];
		for (const [index, habits] of TENANTS.entries()) {
			// Each number at a third of the tenants, but for the nightly run.
			const numbers = NUMBERS.filter((number) => isNightly || number % 3 === index % 3);
			for (const number of numbers) found.push(...(await wrongFindings(habits, number, wrong)));
		}
		expect(found).toEqual([]);
	});
});

/** @param number of the request that is answered wrongly */
async function wrongFindings(
	habits: Habits,
	number: number,
	wrong: (users: readonly JsonObject[]) => ForcedResponse,
): Promise<unknown[]> {
	const users = usersOf(habits.count);
	let requested = 0;
	let isDiagnosed = false;
	const { finding, list } = await diagnosedFunction({
		name: 'one wrong answer',
		users,
		list: (query, all) =>
			++requested === number && !isDiagnosed ? wrong(all) : responseOf(habits, query, all),
	});
	isDiagnosed = true;
	const truth: Readonly<Record<string, unknown>> = truthOf(habits);
	const findings = CHECKS.map(finding).filter(
		({ check, status, observed }) =>
			check in truth && status !== 'unknown' && observed !== truth[check],
	);
	const { meaning, setting } = finding('summary');
	const without = (await list({})) ?? [];
	const read = (await list(setting?.['List Users'] ?? {})) ?? [];
	const works = without.length === users.length;
	return [
		...findings.map(({ check, observed }) => [habits, number, check, observed]),
		...(/works with the defaults/.test(meaning) && !works ? [[habits, number, meaning]] : []),
		...(/List Users (fails|works only)/.test(meaning) && works ? [[habits, number, meaning]] : []),
		...(read.length < without.length ? [[habits, number, setting]] : []),
	];
}
