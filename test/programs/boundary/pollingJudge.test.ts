import { CALM_POLL, type History, plain, type Step } from '../../boundary/polling/history';
import { judge } from '../../boundary/polling/judge';
import { type Chronicle, type PollSeen, play } from '../../boundary/polling/play';
import { MINUTE } from '../../drawn/polledService';

const pass: Step = { kind: 'pass', time: MINUTE };

/** Three records change, one after the other, and one leaves. */
const history = (triggerOn: History['trigger']['triggerOn']): History => ({
	...plain,
	trigger: { ...plain.trigger, triggerOn },
	steps: [
		CALM_POLL,
		...[3, 1, 2].flatMap((record): Step[] => [
			pass,
			{ kind: 'change', record, delay: 0 },
			pass,
			CALM_POLL,
		]),
		{ kind: 'remove', record: 2 },
	],
});

/** The same, but for what the polls gave. */
function seen(
	chronicle: Chronicle,
	change: (poll: PollSeen, index: number) => Partial<PollSeen>,
): Chronicle {
	const polls = chronicle.polls.map((one, index) => ({ ...one, ...change(one, index) }));
	return { ...chronicle, polls };
}

const kindsOf = (chronicle: Chronicle) => [...new Set(judge(chronicle).map(({ kind }) => kind))];

/** The first poll that gave something. */
const findReport = ({ polls }: Chronicle) => polls.findIndex(({ items }) => items.length > 0);

describe.each(['createdOrUpdated', 'created', 'updated', 'removed', 'startsToMatch'] as const)(
	'the judge of a trigger on %s',
	(triggerOn) => {
		let honest: Chronicle;

		beforeAll(async () => {
			honest = await play(history(triggerOn));
			// The first request loads the published interface.
		}, 60_000);

		it('finds nothing wrong with an honest one', () => {
			expect(findReport(honest)).toBeGreaterThan(0);
			expect(judge(honest)).toEqual([]);
		});

		it('sees that an item was dropped', () => {
			const first = findReport(honest);
			const dropped = seen(honest, (_, index) => (index === first ? { items: [] } : {}));
			expect(kindsOf(dropped)).toEqual(['lost']);
		});

		it('sees that an item came again', () => {
			const items = honest.polls[findReport(honest)]?.items ?? [];
			const last = honest.polls.length - 1;
			const repeated = seen(honest, (one, index) =>
				index === last ? { items: [...one.items, ...items] } : {},
			);
			expect(kindsOf(repeated)).toContain('doubled');
		});

		it('takes a repetition after a crash for none', () => {
			const first = findReport(honest);
			const items = honest.polls[first]?.items ?? [];
			const crashed = seen(honest, (one, index) => {
				if (index === first) return { hasDied: true };
				return index === first + 1 ? { items: [...items, ...one.items] } : {};
			});
			expect(kindsOf(crashed)).not.toContain('doubled');
		});

		it.each([
			['of no record', { id: 'nobody', revision: 999 }],
			['of before publishing', { id: 'record-1', revision: 1, birth: 1 }],
		])('sees an item %s', (_, item) => {
			const invented = seen(honest, (one, index) =>
				index === 1 ? { items: [...one.items, item] } : {},
			);
			expect(kindsOf(invented)).toEqual(['madeUp']);
		});

		it('sees that the trigger is silent at the end', () => {
			const silenced = seen(honest, ({ from }) => (from > honest.probedFrom ? { items: [] } : {}));
			expect(kindsOf(silenced)).toContain('silent');
		});

		it('sees that a poll fails although the service responds', () => {
			const failing = seen(honest, (_, index) =>
				index === 1 ? { failure: 'Something went wrong.', isWhole: false } : {},
			);
			expect(kindsOf(failing)).toContain('failing');
		});
	},
);
