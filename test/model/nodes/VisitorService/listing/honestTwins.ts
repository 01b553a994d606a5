import type { JsonObject } from '../../../../../nodes/VisitorService/values/json';
import { shownOf } from './drawnLists';
import { DrawnService, type ListHabits } from './drawnService';
import type { Outcome } from './readDrawn';

/** Without the signed address, which differs in each answer. */
const contentOf = (record: JsonObject) => JSON.stringify({ ...record, photo: undefined });
export const contentsOf = (records: readonly JsonObject[]) => records.map(contentOf);

/**
 * Whether a service that makes no mistake would have answered all of it in the same way, and has no
 * other records than those that were read: then nothing can tell the reader that some are missing.
 */
export function isLikeHonest(
	habits: ListHabits,
	{ records, service, listing }: Outcome,
	from = 0,
): boolean {
	const lastPage = listing?.report.lastPage ?? 0;
	const decided = service.answers.map(({ page }) => page <= lastPage).lastIndexOf(true);
	const told = service.answers
		.map((answer, place) => ({ ...answer, place, text: textOf(answer) }))
		.filter(({ page, place }) => page <= lastPage || (page === lastPage + 1 && place < decided));
	// Of two answers to the same question the later one counts.
	const believed = new Map(told.map((answer) => [`${answer.page} of ${answer.pageSize}`, answer]));
	return honestTwins(habits, records, service, from).some((twin) => {
		const honest = new DrawnService(twin);
		const answers = service.answers.map(({ page, pageSize }) => honest.answer(page, pageSize));
		return [...believed.values()].every(({ place, text }) => {
			const answer = answers[place];
			return answer !== undefined && textOf(answer) === text;
		});
	});
}

/**
 * The list of which nothing is left out, if pages are that long: each record at the place where it
 * came, and others where none did. Undefined if pages contradict each other, or repeat records.
 *
 * @param size undefined = the one asked for
 */
function listOf(answers: DrawnService['answers'], size?: number): JsonObject[] | undefined {
	const list = new Map<number, JsonObject>();
	const inOrder = [...answers].sort((one, other) => one.page - other.page);
	for (const { page, pageSize, records } of inOrder) {
		// What is repeated after the end has its place before it.
		const isRepeated = inOrder.some(
			(one) => one.page < page && contentsOf(one.records).join() === contentsOf(records).join(),
		);
		if (isRepeated) continue;
		for (const [place, record] of records.entries()) {
			const at = page * (size ?? pageSize) + place;
			if (contentOf(list.get(at) ?? record) !== contentOf(record)) return undefined;
			list.set(at, record);
		}
	}
	if (new Set(contentsOf([...list.values()])).size < list.size) return undefined;
	return Array.from(
		{ length: Math.max(-1, ...list.keys()) + 1 },
		(_, place) => list.get(place) ?? { id: `unseen-${place}` },
	);
}

function textOf({ records, said }: DrawnService['answers'][number]): string {
	if (records.length === 0) return 'nothing';
	// Services state any page size.
	return JSON.stringify([contentsOf(records), { ...said, pageSize: undefined }]);
}

function honestTwins(
	habits: ListHabits,
	records: readonly JsonObject[],
	service: DrawnService,
	from: number,
): ListHabits[] {
	const before = habits.records.slice(0, from);
	const hiddenBefore = new Set([...habits.hidden].filter((place) => place < from));
	const lists = [{ records: [...before, ...records], hidden: hiddenBefore }];
	// Nothing was left out: the records that were are none of the list.
	const shown = shownOf(habits);
	if (JSON.stringify(contentsOf(shown.slice(from))) === JSON.stringify(contentsOf(records))) {
		lists.push({ records: shown, hidden: new Set() });
	}
	const places = [...habits.records.keys()].slice(from);
	// Of equal records nothing tells which of them came: it may be the first ones, the last ones, or
	// the first of those shown.
	const shownFirst = [false, true].flatMap((isHidden) =>
		places.filter((place) => habits.hidden.has(place) === isHidden),
	);
	for (const inTurn of [places, [...places].reverse(), shownFirst]) {
		const left = contentsOf(records);
		const hidden = new Set([...habits.hidden].filter((place) => place < from));
		for (const place of inTurn) {
			const found = left.indexOf(contentOf(habits.records[place] ?? {}));
			if (found === -1) hidden.add(place);
			else left.splice(found, 1);
		}
		if (left.length > 0) continue;
		const visible = places.filter((place) => !hidden.has(place));
		lists.push({ records: habits.records, hidden });
		lists.push({ records: habits.records.slice(0, (visible.at(-1) ?? -1) + 1), hidden });
	}
	const maximum = Math.max(1, service.answers[0]?.records.length ?? 1);
	const longest = Math.max(1, ...service.answers.map((answer) => answer.records.length));
	const sizings = [
		habits.sizing,
		{ kind: 'honoured' as const },
		{ kind: 'clamped' as const, maximum },
		{ kind: 'clampedKeepingOffset' as const, maximum },
		{ kind: 'ignored' as const, size: longest },
	];
	// A last page that is repeated for ever is all there is, if it holds the only record.
	const ends = new Set([habits.end, 'empty' as const]);
	if (records.length === 1) ends.add('lastPage');
	for (const size of [undefined, maximum, longest]) {
		const came = listOf(service.answers, size);
		const rest = contentsOf(came?.slice(from) ?? []);
		if (came !== undefined && rest.join() === contentsOf(records).join()) {
			lists.push({ records: came, hidden: new Set() });
		}
	}
	const twins: ListHabits[] = [];
	for (const list of lists)
		for (const sizing of sizings)
			for (const total of [habits.total, { kind: 'list' as const }])
				for (const firstNumber of [0, 1] as const)
					for (const flagsByFullness of [false, true])
						for (const mistake of [undefined, habits.mistake])
							for (const end of ends) {
								const varied = { sizing, total, firstNumber, flagsByFullness, mistake, end };
								twins.push({
									...habits,
									...list,
									...varied,
									pageIgnored: false,
									sortedAnew: undefined,
								});
							}
	return twins;
}
