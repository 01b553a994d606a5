import { TriggerMemory } from '../../../../../nodes/VisitorService/webhook/triggerMemory';

type Repeats = ReturnType<TriggerMemory['repeats']>;

/** What a trigger claims for these IDs after a restart, from what was stored. */
const afterRestart = (stored: unknown, ...ids: string[]) => {
	const repeats = new TriggerMemory().repeats('a', stored);
	return ids.map((id) => repeats.claim(id));
};

function claimed(memory: TriggerMemory, id: string, stored?: unknown): Repeats {
	const repeats = memory.repeats('a', stored);
	repeats.claim(id);
	return repeats;
}

it.each([
	['has not finished', undefined, 'first'],
	['has passed on', true, 'repeat'],
	['has not passed on', false, 'first'],
])('stores of another delivery only what it passed on: one it %s', (_, isPassedOn, expected) => {
	const memory = new TriggerMemory();
	const one = claimed(memory, '1');
	if (isPassedOn !== undefined) one.settle(isPassedOn);
	expect(afterRestart(claimed(memory, '2').toStore(), '1', '2')).toEqual([expected, 'repeat']);
});

it('heals what deliveries at the same time overwrote in the stored state', () => {
	const memory = new TriggerMemory();
	const ids = Array.from({ length: 50 }, (_, index) => String(index));
	const open = ids.map((id) => claimed(memory, id, []));
	open.forEach((one) => one.settle(true));
	const stored = claimed(memory, 'next', ['only what the last one stored']).toStore();
	expect(afterRestart(stored, ...ids)).toEqual(ids.map(() => 'repeat'));
});

it('remembers the two largest batches of a trigger, and stores little', () => {
	const memory = new TriggerMemory();
	const deliver = (from: number, to: number) => {
		const repeats = memory.repeats('a', undefined);
		const ids = Array.from({ length: to - from }, (_, index) => String(from + index));
		const claims = ids.map((id) => repeats.claim(id));
		repeats.settle(true);
		expect(JSON.stringify(repeats.toStore()).length).toBeLessThan(5000);
		return new Set(claims);
	};
	expect(deliver(0, 10_000)).toEqual(new Set(['first']));
	expect(deliver(10_000, 20_000)).toEqual(new Set(['first']));
	expect(deliver(0, 20_000)).toEqual(new Set(['repeat']));
	expect(deliver(20_000, 20_001)).toEqual(new Set(['first']));
	expect(deliver(0, 1)).toEqual(new Set(['first']));
});

it('forgets the triggers that were quiet longest when all together hold too much', () => {
	const memory = new TriggerMemory();
	for (let trigger = 0; trigger < 27; trigger++) {
		const repeats = memory.repeats(String(trigger), undefined);
		for (let key = 0; key < 20_000; key++) repeats.claim(String(key));
		repeats.settle(true);
	}
	const claims = ['26', '2', '0'].map((trigger) => memory.repeats(trigger, undefined).claim('0'));
	expect(claims).toEqual(['repeat', 'repeat', 'first']);
});

it.each([null, 7, 'x', {}, [1, null, {}], new Array(100_000).fill('x')])(
	'takes no harm from a stored state that is something else',
	(stored) => {
		const one = new TriggerMemory().repeats('a', stored);
		expect(one.claim('1')).toBe('first');
		expect(one.toStore().length).toBeLessThanOrEqual(250);
	},
);
