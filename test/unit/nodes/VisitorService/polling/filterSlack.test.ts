import { FILTER_SLACK } from '../../../../../nodes/VisitorService/answer/updatedSince';
import { slackFor } from '../../../../../nodes/VisitorService/polling/filterSlack';
import { DAY, HOUR, MINUTE } from '../../../../../nodes/VisitorService/values/instant';

const fields = { id: 'id', updatedAt: 'updatedAt', createdAt: '' };
const slackOf = (...times: unknown[]) =>
	slackFor(
		times.map((updatedAt, id) => ({ id, updatedAt })),
		fields,
	) - FILTER_SLACK;

describe('how much earlier a filter is asked', () => {
	it.each<[string, unknown[], number]>([
		['no earlier for times to the millisecond', ['2026-03-02T08:00:00.125Z'], 0],
		['no earlier for times to the minute', ['2026-03-02T08:01:00Z', '2026-03-02T08:02:00Z'], 0],
		[
			'ten minutes for times cut to these',
			[10, 20, 30, 40, 50].map((minutes) => `2026-03-02T08:${minutes}:00Z`),
			10 * MINUTE,
		],
		[
			'an hour for times cut to hours',
			[11, 12, 13, 14, 16].map((hours) => `2026-03-02T${hours}:00:00Z`),
			HOUR,
		],
		[
			'a day because of a single one at a full hour, where a day of some zone begins',
			['2026-03-02T08:00:00Z'],
			DAY,
		],
		['a day for midnights', ['2026-03-02T00:00:00Z', '2026-03-09T00:00:00.000Z'], DAY],
		[
			'a day for midnights of a zone',
			['2026-03-02T00:00:00+01:00', '2026-07-02T00:00:00+0200'],
			DAY,
		],
		['a day for numbers at midnight', [1_772_409_600, 1_772_496_000], DAY],
		['a day and half a one for days', ['2026-03-02', '2026-03-04'], DAY + 12 * HOUR],
		[
			'half a day for times without a zone',
			['2026-03-02 08:00:01', '2026-03-02 08:05:00'],
			12 * HOUR,
		],
		['no earlier because of one at midnight', ['2026-03-02T00:00:00Z', '2026-03-02T08:00:01Z'], 0],
		['no earlier because of one that was never updated', ['2026-03-02T08:00:01Z', null, 'soon'], 0],
		['a day if no time shows, as it may be cut to one', [null, 'soon'], DAY],
	])('a filter is asked %s', (_how, times, slack) => {
		expect(slackOf(...times)).toBe(slack);
	});

	it('a filter is asked a day earlier if records that were never updated show days', () => {
		const records = [{ id: 1, updatedAt: null, createdAt: '2026-03-02T00:00:00Z' }];
		expect(slackFor(records, { ...fields, createdAt: 'createdAt' }) - FILTER_SLACK).toBe(DAY);
	});
});
