import { ServiceFailure } from '../../../../../nodes/VisitorService/failure/serviceFailure';
import { Contents } from '../../../../../nodes/VisitorService/polling/contents';
import { settle } from '../../../../../nodes/VisitorService/polling/currentPoll';
import { PolledList, type ReadingEnd } from '../../../../../nodes/VisitorService/polling/reading';
import { ServiceTime } from '../../../../../nodes/VisitorService/polling/serviceTime';
import type { Moment, TriggerOn } from '../../../../../nodes/VisitorService/polling/versions';
import { MINUTE, PolledTenant, START } from './polledTenant';

const FIELDS = { id: 'id', updatedAt: 'updatedAt', createdAt: '' };
const OVERLAP = 5 * MINUTE;
const ENDED: ReadingEnd = { kind: 'ended', requests: 1, isComplete: true, hasMoved: false };
const INTERRUPTED: ReadingEnd = {
	kind: 'interrupted',
	requests: 1,
	next: { page: 1, pageSize: 10 },
	failure: new ServiceFailure('It failed.', 'Wait.', { kind: 'service' }),
};

/** What the contents of records are settled with; nothing if they are not. */
async function settledWith(
	end: ReadingEnd,
	{
		triggerOn = 'createdOrUpdated',
		findsUndated = false,
	}: { triggerOn?: TriggerOn; findsUndated?: boolean } = {},
) {
	const clock = new ServiceTime(undefined);
	clock.observe({ date: new Date(START).toUTCString() }, START, START);
	clock.noteUpdate(START);
	const contents = new Contents({ volatile: [] });
	const settled = jest.spyOn(contents, 'settle').mockResolvedValue();
	const list = new PolledList(new PolledTenant(), clock);
	const known = { reads: 'changes' as const, fields: FIELDS, volatile: [], findsUndated };
	const since = { time: START, key: '' };
	await settle(
		{
			list,
			settings: {
				triggerOn,
				acceptsUpdatedSince: true,
				paths: FIELDS,
				pageSize: 10,
				overlap: OVERLAP,
				maxItems: 10,
			},
			clock,
			contents,
			notes: [],
			cursor: { version: 1, since, service: 'tenant-1', told: [], list: known },
			stoppedFor: undefined,
		},
		FIELDS,
		end,
		START,
	);
	return settled.mock.calls.map(([, fields, reading, isOver]) => ({ fields, reading, isOver }))[0];
}

const secondAt = (latest: number): Moment => ({
	earliest: latest,
	latest,
	tick: 1000,
	state: latest,
});

describe('what a poll settles before it chooses what is returned', () => {
	it.each([
		[ENDED, false],
		[INTERRUPTED, true],
	])(
		'settles contents by what was asked for and how the reading ended: $kind',
		async (end, isUnfinished) => {
			const settled = await settledWith(end);
			expect(settled?.fields).toBe(FIELDS);
			expect(settled?.reading).toEqual({ asked: START, isUnfinished, pageSize: 10 });
		},
	);

	it.each(['created', 'removed'] as const)(
		'settles no contents if only %s counts',
		async (triggerOn) => {
			expect(await settledWith(ENDED, { triggerOn })).toBeUndefined();
		},
	);

	it('takes a state for past when its second and the overlap are over', async () => {
		const { isOver } = (await settledWith(ENDED)) ?? {};
		expect(isOver?.(secondAt(START - 2 * OVERLAP))).toBe(true);
		expect(isOver?.(secondAt(START))).toBe(false);
	});

	it('takes no state for past if the service finds changes that times do not show', async () => {
		const { isOver } = (await settledWith(ENDED, { findsUndated: true })) ?? {};
		expect(isOver?.(secondAt(START - 2 * OVERLAP))).toBe(false);
	});
});
