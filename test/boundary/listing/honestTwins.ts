import { HONEST, type ListTraits, shownOf, switchesOf } from '../../drawn/listTraits';
import { contentsOf, recordsOf } from '../../drawn/records';
import type { JsonObject } from '../../reference-service';
import { VisitorService } from '../../reference-service/service';
import { type GivenResponse, type StatedPage, statedBy, statedByBody } from './listService';

/** A service with some list of its own. */
interface Twin extends ListTraits {
	records: readonly JsonObject[];
}

/** A response as the judge compares it. */
interface PageResponse extends StatedPage {
	page: number;
	pageSize: number;
	isMistake: boolean;
}

/**
 * Whether a service that has no other records than those that came would have responded in the same
 * way to all of it: then nothing can tell the reader that some are missing. It may make the
 * mistakes that were made.
 */
export async function isLikeHonest(
	traits: ListTraits,
	received: readonly JsonObject[],
	given: readonly GivenResponse[],
	from = 0,
): Promise<boolean> {
	const responses = given.map(
		({ outcome, ...requested }): PageResponse => ({ ...requested, ...statedBy(outcome) }),
	);
	// Of two responses to the same question the later one counts.
	const distinct = new Map(
		responses.map((response) => [`${response.page} of ${response.pageSize}`, response]),
	);
	for (const twin of honestTwins(traits, received, responses, from)) {
		const service = new VisitorService({ switches: { list: switchesOf(twin) } });
		await service.seed('users', [...twin.records]);
		if ([...distinct.values()].every((response) => wouldRespond(service, response))) return true;
	}
	return false;
}

function wouldRespond(service: VisitorService, response: PageResponse): boolean {
	const { page, pageSize, isMistake } = response;
	const body = service.page('users', { page: String(page), pageSize: String(pageSize) });
	const stated = statedByBody(body ?? '');
	if (textOf(stated) === textOf(response)) return true;
	if (!isMistake) return false;
	const own = contentsOf(stated.records);
	const wrong = contentsOf(response.records);
	// A part of its page; what else came in its place got a response before, and judged as such.
	return wrong.length === Math.ceil(own.length / 2)
		? wrong.every((content, index) => own[index] === content)
		: true;
}

function textOf({ records, stated }: StatedPage): string {
	return records.length === 0 ? 'nothing' : JSON.stringify([contentsOf(records), stated]);
}

function* honestTwins(
	traits: ListTraits,
	received: readonly JsonObject[],
	responses: readonly PageResponse[],
	from: number,
): Generator<Twin> {
	const lengths = responses.map(({ records }) => records.length);
	const maximum = Math.max(1, lengths[0] ?? 1);
	const longest = Math.max(1, ...lengths);
	const sizings: Array<ListTraits['sizing']> = [
		traits.laterMaximum === undefined ? traits.sizing : { maxPageSize: maximum },
		{},
		{ maxPageSize: maximum },
		{ maxPageSize: maximum, beyondMaximum: 'clampKeepingOffsetOfRequestedSize' },
		{ pageSizeIgnored: true, defaultPageSize: longest },
	];
	const ends = [traits.end, HONEST.end];
	// A last page that is repeated for ever is all there is, if it holds the only record.
	if (received.length === 1) ends.push({ pageBeyondEnd: 'lastPage' });
	// A whole list sent at once, whatever is asked for, is a list if anything calls it whole.
	const statesAll = (['total', 'totalPages', 'last', 'hasMore'] as const).some((name) =>
		traits.metadata.includes(name),
	);
	const mayIgnorePages = statesAll && received.length === longest;
	const plain: ListTraits = {
		...HONEST,
		envelope: traits.envelope,
		metadata: traits.metadata,
		countsByRequestedSize: traits.countsByRequestedSize,
	};
	for (const list of listsOf(traits, received, responses, from))
		for (const sizing of sizings)
			for (const total of [traits.total, HONEST.total])
				for (const firstPageNumber of [0, 1] as const)
					for (const lastIfNotFull of [false, true])
						for (const end of ends)
							for (const pageIgnored of mayIgnorePages ? [false, true] : [false])
								yield {
									...{ ...plain, ...list, sizing, total, firstPageNumber, lastIfNotFull, end },
									pageIgnored,
								};
}

type ListOfTwin = Pick<Twin, 'records' | 'hidden'>;

/** Lists of which nothing else would be seen than what came. */
function listsOf(
	traits: ListTraits,
	received: readonly JsonObject[],
	responses: readonly PageResponse[],
	from: number,
): ListOfTwin[] {
	const all = recordsOf(traits.kind, traits.count);
	const hiddenBefore = traits.hidden.filter((index) => index < from);
	const lists: ListOfTwin[] = [
		{ records: [...all.slice(0, from), ...received], hidden: hiddenBefore },
	];
	// Nothing was left out: the records that were are none of the list.
	const shown = shownOf(traits);
	if (isSame(shown.slice(from), received)) lists.push({ records: shown, hidden: [] });
	const indexes = [...all.keys()].slice(from);
	// Of equal records nothing tells which of them came: it may be the first ones, the last ones, or
	// the first of those shown.
	const shownFirst = [false, true].flatMap((isHidden) =>
		indexes.filter((index) => traits.hidden.includes(index) === isHidden),
	);
	for (const inTurn of [indexes, [...indexes].reverse(), shownFirst]) {
		const left = contentsOf(received);
		const hidden = new Set(hiddenBefore);
		for (const index of inTurn) {
			const found = left.indexOf(contentsOf(all.slice(index, index + 1))[0] ?? '');
			if (found === -1) hidden.add(index);
			else left.splice(found, 1);
		}
		if (left.length > 0) continue;
		const last = indexes.filter((index) => !hidden.has(index)).at(-1) ?? -1;
		lists.push({ records: all, hidden: [...hidden] });
		lists.push({ records: all.slice(0, last + 1), hidden: [...hidden] });
	}
	const lengths = responses.map(({ records }) => records.length);
	for (const size of [undefined, Math.max(1, lengths[0] ?? 1), Math.max(1, ...lengths)]) {
		const joined = joinedBy(responses, size);
		if (joined !== undefined && isSame(joined.slice(from), received))
			lists.push({ records: joined, hidden: [] });
	}
	return lists;
}

/**
 * The list of which nothing is left out, if pages are that long: each record at the place where it
 * came, and others where none did. Undefined if pages contradict each other, or repeat records.
 *
 * @param size undefined = the one asked for
 */
function joinedBy(responses: readonly PageResponse[], size?: number): JsonObject[] | undefined {
	const list = new Map<number, JsonObject>();
	const inOrder = [...responses].sort((one, other) => one.page - other.page);
	for (const { page, pageSize, records } of inOrder) {
		// What is repeated after the end has its place before it.
		if (inOrder.some((one) => one.page < page && isSame(one.records, records))) continue;
		for (const [index, record] of records.entries()) {
			const at = page * (size ?? pageSize) + index;
			if (!isSame([list.get(at) ?? record], [record])) return undefined;
			list.set(at, record);
		}
	}
	if (new Set(contentsOf([...list.values()])).size < list.size) return undefined;
	return Array.from(
		{ length: Math.max(-1, ...list.keys()) + 1 },
		(_, index) => list.get(index) ?? { id: `unseen-${index}` },
	);
}

const isSame = (some: readonly JsonObject[], others: readonly JsonObject[]) =>
	contentsOf(some).join() === contentsOf(others).join();
