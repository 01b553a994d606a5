import { type UpdatedSinceFormat, writeUpdatedSince } from '../listing/updatedSince';
import type { Query } from './conversation';
import { type Finding, failed, ok, unknown } from './finding';
import { honouredSize, type PagingFacts } from './pagingFacts';
import { choosePivot, type FilterVerdict, judgeFiltered, type Pivot } from './updatedSincePivot';
import type { UpdateTimes } from './updateTimes';
import type { PageReading, UserPages } from './userPages';

interface Format {
	name: string;
	/** The option of the node that writes it; undefined where none does. */
	option?: UpdatedSinceFormat;
	/** The smallest unit it can say, in milliseconds. */
	unit: 1 | 1000;
	write: (time: number) => string | number;
}

const FORMATS: readonly Format[] = [
	{
		name: 'ISO 8601 with milliseconds',
		option: 'iso',
		unit: 1,
		write: (time) => writeUpdatedSince(time, 'iso'),
	},
	{
		name: 'ISO 8601 without milliseconds',
		unit: 1000,
		write: (time) => `${new Date(time).toISOString().slice(0, 19)}Z`,
	},
	{
		name: 'epoch milliseconds',
		option: 'epochMs',
		unit: 1,
		write: (time) => writeUpdatedSince(time, 'epochMs'),
	},
	{
		name: 'epoch seconds',
		option: 'epochS',
		unit: 1000,
		write: (time) => writeUpdatedSince(time, 'epochS'),
	},
];

type Verdict = Exclude<FilterVerdict, 'holdsEarlier'> | 'ignored' | 'refused';

const WORDS: Readonly<Record<Verdict, string>> = {
	accepted: 'works',
	refused: 'is refused',
	ignored: 'has no effect',
	misread: 'brings nothing',
	unclear: 'was not clear',
};

interface Judged {
	format: Format;
	verdict: Verdict;
	/** Whether a record with exactly the time asked for came; undefined where that does not show. */
	inclusive?: boolean;
	/** Why it is unclear. */
	reason?: string;
}

/** Most records a filtered page may hold. */
const PAGE_SIZE = 200;

/** Long before any record was changed, and long after. */
const PAST = Date.UTC(2000, 0, 1);
const DAY = 86_400_000;

/** How `updatedSince` has to be written, and whether it includes the time itself: four questions, seldom more. */
export async function checkUpdatedSince(
	pages: UserPages,
	facts: PagingFacts,
	updateTimes: UpdateTimes | undefined,
	now: number,
): Promise<Finding[]> {
	if (facts.incomparable !== undefined) {
		return [
			unknown('updatedSinceFormat', facts.incomparable),
			unknown('updatedSinceInclusive', facts.incomparable),
		];
	}
	const pageSize = honouredSize(facts, PAGE_SIZE);
	const unfiltered = unfilteredSize(facts, pageSize);
	const pivot =
		updateTimes === undefined
			? undefined
			: choosePivot(
					facts.keys,
					updateTimes,
					facts.shortPages === true ? Math.floor(unfiltered / 2) : unfiltered,
					facts.more === false,
				);
	const judged =
		pivot === undefined
			? await judgeByExtremes(pages, facts, pageSize, now)
			: await withoutRashIgnored(await judgeByPivot(pages, facts, pivot, pageSize), {
					pages,
					pageSize,
					future: pivot.known.reduce((latest, { time }) => Math.max(latest, time), now) + DAY,
				});
	return [describeFormats(judged), describeInclusive(judged, pivot)];
}

/** Asks for what changed since a time that lies between the update times known. */
async function judgeByPivot(
	pages: UserPages,
	facts: PagingFacts,
	pivot: Pivot,
	pageSize: number | undefined,
): Promise<Judged[]> {
	const judged: Judged[] = [];
	for (const format of FORMATS) {
		const reading = await pages.read({
			updatedSince: format.write(pivot.time),
			...(pageSize !== undefined && { pageSize }),
		});
		const sentExactly = pivot.time % format.unit === 0;
		judged.push({ format, ...judgeReading(reading, pivot, facts, pageSize, sentExactly) });
	}
	return judged;
}

/**
 * A filter that lets too much through, for it goes by the day or by another zone, looks like none where all records
 * were changed within hours: only what comes of a time to come tells them apart.
 */
async function withoutRashIgnored(
	judged: Judged[],
	{ pages, pageSize, future }: { pages: UserPages; pageSize: number | undefined; future: number },
): Promise<Judged[]> {
	const doubtful = judged.find(
		({ format, verdict }) => format.option !== undefined && verdict === 'ignored',
	);
	if (doubtful === undefined || judged.some(({ verdict }) => verdict === 'accepted')) return judged;
	const updatedSince = doubtful.format.write(future);
	const reading = await pages.read({ updatedSince, ...smallPage(pageSize) });
	if (reading.kind !== 'page' || reading.page.keys.length > 0) return judged;
	const reason = 'The filter works, but lets more through than the times of the records tell.';
	return judged.map((one) =>
		one.verdict === 'ignored' ? { ...one, verdict: 'unclear', reason } : one,
	);
}

/** Enough to see whether anything comes. */
function smallPage(pageSize: number | undefined): Query {
	return pageSize === undefined ? {} : { pageSize: Math.min(pageSize, 5) };
}

/** Records on a first page without filter, as far as the list is known. */
function unfilteredSize({ first, keys }: PagingFacts, pageSize: number | undefined): number {
	return Math.min(pageSize ?? first.keys.length, keys.length);
}

function judgeReading(
	reading: PageReading,
	pivot: Pivot,
	facts: PagingFacts,
	pageSize: number | undefined,
	sentExactly: boolean,
): Omit<Judged, 'format'> {
	if (reading.kind === 'unclear') return { verdict: 'unclear', reason: reading.reason };
	if (reading.kind === 'refused') return { verdict: 'refused' };
	const { keys, records } = reading.page;
	// Of a full page the rest is not seen, nor of one from which records may have been left out.
	const wholeResult = facts.shortPages === false && keys.length < unfilteredSize(facts, pageSize);
	const { verdict, inclusive } = judgeFiltered(records, keys, pivot, wholeResult, sentExactly);
	if (verdict !== 'holdsEarlier') return { verdict, inclusive };
	const isUnfiltered = keys.every((key, index) => key === facts.keys[index]);
	return { verdict: isUnfiltered ? 'ignored' : 'unclear' };
}

/**
 * Without usable update times: a filter that works brings nothing since a time to come, and something since long
 * ago. Either alone proves nothing, for a time that is misread may bring everything or nothing.
 */
async function judgeByExtremes(
	pages: UserPages,
	facts: PagingFacts,
	pageSize: number | undefined,
	now: number,
): Promise<Judged[]> {
	const judged: Judged[] = [];
	const size = smallPage(pageSize);
	for (const format of [...FORMATS].sort(byUsefulness)) {
		const future = await pages.read({ updatedSince: format.write(now + DAY), ...size });
		let verdict: Verdict = 'unclear';
		if (future.kind === 'refused') verdict = 'refused';
		else if (future.kind === 'page' && future.page.keys.length > 0) {
			const ignored = future.page.keys.every((key, index) => key === facts.keys[index]);
			verdict = ignored ? 'ignored' : 'unclear';
		} else if (future.kind === 'page') {
			const past = await pages.read({ updatedSince: format.write(PAST), ...size });
			if (past.kind === 'page') verdict = past.page.keys.length > 0 ? 'accepted' : 'misread';
		}
		judged.push({ format, verdict, reason: future.kind === 'unclear' ? future.reason : undefined });
		// The budget is better spent elsewhere than on formats that are not needed.
		if (verdict === 'accepted') break;
	}
	return judged;
}

/** What the node can write comes first. */
function byUsefulness(one: Format, other: Format): number {
	return Number(one.option === undefined) - Number(other.option === undefined);
}

function describeFormats(judged: readonly Judged[]): Finding {
	const list = judged.map(({ format, verdict }) => `${format.name} ${WORDS[verdict]}`).join(', ');
	const accepted = judged
		.filter(({ verdict }) => verdict === 'accepted')
		.map(({ format }) => format);
	const option = accepted.find((format) => format.option !== undefined)?.option;
	if (option !== undefined) {
		return ok('updatedSinceFormat', option, `${list}.`, { updatedSinceFormat: option });
	}
	const unclear = judged.filter(({ verdict }) => verdict === 'unclear');
	if (unclear.some(({ format }) => format.option !== undefined || accepted.length === 0)) {
		const reason = unclear.find((one) => one.reason !== undefined)?.reason;
		return unknown('updatedSinceFormat', `${list}.${reason === undefined ? '' : ` ${reason}`}`);
	}
	if (accepted.length > 0) {
		const meaning = `${list}. No option of the node writes the format that works.`;
		return failed('updatedSinceFormat', 'isoSeconds', meaning);
	}
	return failed(
		'updatedSinceFormat',
		null,
		`${list}. Updated Since and the polling trigger cannot be used with this service.`,
	);
}

function describeInclusive(judged: readonly Judged[], pivot: Pivot | undefined): Finding {
	const check = 'updatedSinceInclusive';
	const accepted = judged.filter(({ verdict }) => verdict === 'accepted');
	const written = accepted.filter(({ format }) => format.option !== undefined);
	const telling = written.length > 0 ? written : accepted;
	const shown = telling.find(({ inclusive }) => inclusive !== undefined)?.inclusive;
	if (shown === true)
		return ok(check, true, 'A record changed exactly at the time asked for comes too.');
	if (shown === false) {
		return ok(
			check,
			false,
			'A record changed exactly at the time asked for does not come. The overlap of the polling trigger makes up for it.',
		);
	}
	if (pivot === undefined)
		return unknown(check, 'The records show no update times that differ enough.');
	return unknown(
		check,
		pivot.reasonNotExact ?? 'No format works in which it shows, or the record was on a later page.',
	);
}
