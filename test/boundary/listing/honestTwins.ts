import { HONEST, type ListTraits, shownOf, switchesOf } from '../../drawn/listTraits';
import { contentsOf, recordsOf } from '../../drawn/records';
import type { JsonObject } from '../../reference-service';
import { VisitorService } from '../../reference-service/service';
import { type GivenAnswer, type Told, toldBy, toldByBody } from './listService';

/** A service with some list of its own. */
interface Twin extends ListTraits {
	records: readonly JsonObject[];
}

/** An answer as the judge compares it. */
interface Answer extends Told {
	page: number;
	pageSize: number;
	isMistake: boolean;
}

/**
 * Whether a service that has no other records than those that came would have answered all of it in
 * the same way: then nothing can tell the reader that some are missing. It may make the mistakes
 * that were made.
 */
export async function isLikeHonest(
	traits: ListTraits,
	came: readonly JsonObject[],
	given: readonly GivenAnswer[],
	from = 0,
): Promise<boolean> {
	const answers = given.map(({ outcome, ...asked }): Answer => ({ ...asked, ...toldBy(outcome) }));
	// Of two answers to the same question the later one counts.
	const believed = new Map(
		answers.map((answer) => [`${answer.page} of ${answer.pageSize}`, answer]),
	);
	for (const twin of honestTwins(traits, came, answers, from)) {
		const service = new VisitorService({ switches: { list: switchesOf(twin) } });
		await service.seed('users', [...twin.records]);
		if ([...believed.values()].every((answer) => wouldAnswer(service, answer))) return true;
	}
	return false;
}

function wouldAnswer(service: VisitorService, answer: Answer): boolean {
	const { page, pageSize, isMistake } = answer;
	const body = service.page('users', { page: String(page), pageSize: String(pageSize) });
	const told = toldByBody(body ?? '');
	if (textOf(told) === textOf(answer)) return true;
	if (!isMistake) return false;
	const own = contentsOf(told.records);
	const wrong = contentsOf(answer.records);
	// A part of its page; what else came in its place was answered before, and judged as such.
	return wrong.length === Math.ceil(own.length / 2)
		? wrong.every((content, place) => own[place] === content)
		: true;
}

function textOf({ records, said }: Told): string {
	return records.length === 0 ? 'nothing' : JSON.stringify([contentsOf(records), said]);
}

function* honestTwins(
	traits: ListTraits,
	came: readonly JsonObject[],
	answers: readonly Answer[],
	from: number,
): Generator<Twin> {
	const lengths = answers.map(({ records }) => records.length);
	const maximum = Math.max(1, lengths[0] ?? 1);
	const longest = Math.max(1, ...lengths);
	const sizings: Array<ListTraits['sizing']> = [
		traits.sizing.kind === 'changing' ? { kind: 'clamped', maximum } : traits.sizing,
		{ kind: 'honoured' },
		{ kind: 'clamped', maximum },
		{ kind: 'clampedKeepingOffset', maximum },
		{ kind: 'ignored', size: longest },
	];
	const ends = new Set<ListTraits['end']>([traits.end, 'empty']);
	// A last page that is repeated for ever is all there is, if it holds the only record.
	if (came.length === 1) ends.add('lastPage');
	// A whole list sent at once, whatever is asked for, is a list if anything calls it whole.
	const saysAll = (['total', 'totalPages', 'last', 'hasMore'] as const).some((name) =>
		traits.metadata.includes(name),
	);
	const mayIgnorePages = saysAll && came.length === longest;
	const plain: ListTraits = {
		...HONEST,
		envelope: traits.envelope,
		metadata: traits.metadata,
		countsByAskedSize: traits.countsByAskedSize,
	};
	for (const list of listsOf(traits, came, answers, from))
		for (const sizing of sizings)
			for (const total of [traits.total, HONEST.total])
				for (const firstNumber of [0, 1] as const)
					for (const flagsByFullness of [false, true])
						for (const end of ends)
							for (const pageIgnored of mayIgnorePages ? [false, true] : [false])
								yield {
									...{ ...plain, ...list, sizing, total, firstNumber, flagsByFullness, end },
									pageIgnored,
								};
}

type ListOfTwin = Pick<Twin, 'records' | 'hidden'>;

/** Lists of which nothing else would be seen than what came. */
function listsOf(
	traits: ListTraits,
	came: readonly JsonObject[],
	answers: readonly Answer[],
	from: number,
): ListOfTwin[] {
	const all = recordsOf(traits.kind, traits.count);
	const hiddenBefore = traits.hidden.filter((place) => place < from);
	const lists: ListOfTwin[] = [{ records: [...all.slice(0, from), ...came], hidden: hiddenBefore }];
	// Nothing was left out: the records that were are none of the list.
	const shown = shownOf(traits);
	if (isSame(shown.slice(from), came)) lists.push({ records: shown, hidden: [] });
	const places = [...all.keys()].slice(from);
	// Of equal records nothing tells which of them came: it may be the first ones, the last ones, or
	// the first of those shown.
	const shownFirst = [false, true].flatMap((isHidden) =>
		places.filter((place) => traits.hidden.includes(place) === isHidden),
	);
	for (const inTurn of [places, [...places].reverse(), shownFirst]) {
		const left = contentsOf(came);
		const hidden = new Set(hiddenBefore);
		for (const place of inTurn) {
			const found = left.indexOf(contentsOf(all.slice(place, place + 1))[0] ?? '');
			if (found === -1) hidden.add(place);
			else left.splice(found, 1);
		}
		if (left.length > 0) continue;
		const last = places.filter((place) => !hidden.has(place)).at(-1) ?? -1;
		lists.push({ records: all, hidden: [...hidden] });
		lists.push({ records: all.slice(0, last + 1), hidden: [...hidden] });
	}
	const lengths = answers.map(({ records }) => records.length);
	for (const size of [undefined, Math.max(1, lengths[0] ?? 1), Math.max(1, ...lengths)]) {
		const joined = joinedBy(answers, size);
		if (joined !== undefined && isSame(joined.slice(from), came))
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
function joinedBy(answers: readonly Answer[], size?: number): JsonObject[] | undefined {
	const list = new Map<number, JsonObject>();
	const inOrder = [...answers].sort((one, other) => one.page - other.page);
	for (const { page, pageSize, records } of inOrder) {
		// What is repeated after the end has its place before it.
		if (inOrder.some((one) => one.page < page && isSame(one.records, records))) continue;
		for (const [place, record] of records.entries()) {
			const at = page * (size ?? pageSize) + place;
			if (!isSame([list.get(at) ?? record], [record])) return undefined;
			list.set(at, record);
		}
	}
	if (new Set(contentsOf([...list.values()])).size < list.size) return undefined;
	return Array.from(
		{ length: Math.max(-1, ...list.keys()) + 1 },
		(_, place) => list.get(place) ?? { id: `unseen-${place}` },
	);
}

const isSame = (some: readonly JsonObject[], others: readonly JsonObject[]) =>
	contentsOf(some).join() === contentsOf(others).join();
