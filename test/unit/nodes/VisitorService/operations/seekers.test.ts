import { DateTime } from 'luxon';
import type { Condition } from '../../../../../nodes/VisitorService/match/conditions';
import { RecordMatcher } from '../../../../../nodes/VisitorService/match/recordMatch';
import { Seeker, Seekers } from '../../../../../nodes/VisitorService/operations/seekers';
import type { JsonObject } from '../../../../../nodes/VisitorService/values/json';
import fc from '../../../../properties';

const present = { now: Date.UTC(2026, 0, 31, 11), zone: 'Europe/Berlin' };
const at = '2026-01-31T08:00:00Z';
const texts = 'a|A| a |Straße|STRASSE|true| TRUE |7|7.0| 7|+7|-0|x7|0|7e0|2026-01-31'.split('|');
const scalar = fc.constantFrom<unknown>(...texts, 7, 0, -0, 0.5, true, false, at);
const expected = fc.oneof(
	scalar,
	fc.constantFrom<unknown>(new Date(at), DateTime.fromISO(at), '2026-01-31T09:00:00+01:00', '.5'),
);
const found = fc.oneof(
	scalar,
	fc.constantFrom<unknown>(null, {}, [], 1_769_846_400, '2026-01-31T09:00:00'),
	fc.array(scalar),
);
const comparisons = ['equals', 'notEquals', 'contains', 'isNotEmpty', 'equals'] as const;

it('gives each the records that meet its own conditions, up to its own limit', () => {
	fc.assert(
		fc.property(
			fc.constantFrom('all' as const, 'any' as const),
			fc.array(fc.constantFrom(...comparisons), { maxLength: 3 }),
			fc.array(fc.array(expected, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 8 }),
			fc.array(fc.record({ email: found, phone: found, badge: found }), { maxLength: 8 }),
			fc.constantFrom(undefined, 1, 3),
			(type, compared, valuesOfAll, records, limit) => {
				const matcherOf = (values: unknown[]) => {
					const conditions = compared.map(
						(comparison, index): Condition => ({
							...{ field: String(['email', 'phone', 'badge'][index]), comparison },
							value: values[index],
						}),
					);
					return new RecordMatcher({ type, conditions }, present);
				};
				const seekers = valuesOfAll.map((values) => new Seeker(matcherOf(values), limit, false));
				const shared = new Seekers(seekers, (record) => record);
				for (const record of records as JsonObject[]) {
					const remaining = shared.remainingWith([record]);
					shared.keep(record, false);
					expect(shared.remaining).toBe(remaining);
				}
				for (const [index, seeker] of seekers.entries()) {
					const alone = matcherOf(valuesOfAll[index] ?? []);
					const own = (records as JsonObject[]).filter(alone.matches).slice(0, limit);
					expect(seeker.records).toEqual(own);
					expect(seeker.isOpen).toBe(limit === undefined || own.length < limit);
				}
			},
		),
		{ numRuns: 1_000 },
	);
});
