import fc from '../../../../properties';
import {
	asking,
	envelope,
	honestEnd,
	metadata,
	mistakeKind,
	type RecordKind,
	recordsOf,
	steadySizing,
} from './drawnLists';
import { honestList, type ListHabits } from './drawnService';
import { contentsOf, isLikeHonest } from './honestTwins';
import { readDrawn } from './readDrawn';

const RUNS = Number(process.env.LIST_RUNS ?? 20_000) / 20;

const kind = fc.constantFrom<RecordKind>('id', 'onlyId', 'name');

describe('a list of a service that makes no mistakes', () => {
	it('comes whole, in order, and without a warning', async () => {
		let undecidable = 0;
		await fc.assert(
			fc.asyncProperty(
				fc.record({
					sizing: steadySizing,
					metadata,
					end: honestEnd,
					envelope,
					firstNumber: fc.constantFrom(0 as const, 1 as const),
					signsPhotos: fc.boolean(),
				}),
				kind,
				fc.nat(90),
				asking,
				async (drawn, kind, count, how) => {
					const habits: ListHabits = { ...honestList, ...drawn, records: recordsOf(kind, count) };
					const outcome = await readDrawn(habits, how);
					const expected = contentsOf(habits.records);
					const found = contentsOf(outcome.records);
					// A maximum far below the size asked for, and an offset of that size.
					if (found.length < expected.length && isLikeHonest(habits, outcome)) {
						undecidable++;
						return;
					}
					expect(found).toEqual(expected);
					// No page of another size shows whether page 1 is page 0 again, or equals it.
					const isUnclear = outcome.message.includes('The users of page 1 equal earlier ones.');
					const mayBeUnclear = kind === 'name' && drawn.firstNumber === 1;
					if (isUnclear && mayBeUnclear && drawn.sizing.kind !== 'honoured') return;
					expect([outcome.kind, outcome.message]).toEqual(['silent', outcome.message]);
				},
			),
			{ numRuns: RUNS },
		);
		expect(undecidable / RUNS).toBeLessThan(0.005);
	});

	it('comes whole although one answer is wrong, if its total tells', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 2, max: 90 }),
				kind,
				steadySizing,
				honestEnd,
				mistakeKind,
				fc.integer({ min: 1, max: 12 }),
				asking,
				async (number, kind, sizing, end, wrong, page, how) => {
					const habits: ListHabits = {
						...honestList,
						records: recordsOf(kind, number),
						sizing,
						metadata: ['total'],
						end,
						mistake: { page, kind: wrong, times: 1 },
					};
					const outcome = await readDrawn(habits, how);
					// The page size is settled by the second page: there a wrong answer may mislead.
					const said = outcome.service.answers[0]?.said.total;
					fc.pre(said !== outcome.service.answers[0]?.records.length);
					expect([outcome.kind, outcome.message]).not.toEqual(['failed', outcome.message]);
					expect(contentsOf(outcome.records)).toEqual(contentsOf(habits.records));
				},
			),
			{ numRuns: RUNS },
		);
	});
});
