import { TriggerMemory } from '../../../../../nodes/VisitorService/webhook/triggerMemory';

describe('TriggerMemory', () => {
	it('knows what was stored', () => {
		const first = new TriggerMemory().repeats('a', undefined);
		first.claim('1');
		const afterRestart = new TriggerMemory().repeats('a', first.toStore());
		expect(afterRestart.claim('1')).toBe('repeat');
		expect(afterRestart.claim('2')).toBe('first');
	});

	it('does not store what another delivery has not finished', () => {
		const memory = new TriggerMemory();
		const unfinished = memory.repeats('a', undefined);
		unfinished.claim('1');
		const other = memory.repeats('a', undefined);
		other.claim('2');
		expect(new TriggerMemory().repeats('a', other.toStore()).claim('1')).toBe('first');
		expect(new TriggerMemory().repeats('a', other.toStore()).claim('2')).toBe('repeat');
		unfinished.settle(true);
		expect(new TriggerMemory().repeats('a', other.toStore()).claim('1')).toBe('repeat');
	});

	it('does not store a delivery that was not passed on', () => {
		const memory = new TriggerMemory();
		const failed = memory.repeats('a', undefined);
		failed.claim('1');
		failed.settle(false);
		const next = memory.repeats('a', undefined);
		next.claim('2');
		const afterRestart = new TriggerMemory().repeats('a', next.toStore());
		expect([afterRestart.claim('1'), afterRestart.claim('2')]).toEqual(['first', 'repeat']);
	});

	it('heals what deliveries at the same time overwrote in the stored state', () => {
		const memory = new TriggerMemory();
		const open = Array.from({ length: 50 }, () => memory.repeats('a', []));
		open.forEach((one, index) => one.claim(String(index)));
		open.forEach((one) => one.settle(true));
		const next = memory.repeats('a', ['only what the last one stored']);
		next.claim('next');
		const afterRestart = new TriggerMemory().repeats('a', next.toStore());
		expect(open.map((_, index) => afterRestart.claim(String(index)))).toEqual(
			open.map(() => 'repeat'),
		);
	});

	it('remembers the two largest batches of a trigger, and stores little', () => {
		const memory = new TriggerMemory();
		const deliver = (from: number, to: number) => {
			const repeats = memory.repeats('a', undefined);
			const claims = Array.from({ length: to - from }, (_, index) =>
				repeats.claim(String(from + index)),
			);
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
		expect(memory.repeats('26', undefined).claim('0')).toBe('repeat');
		expect(memory.repeats('2', undefined).claim('0')).toBe('repeat');
		expect(memory.repeats('0', undefined).claim('0')).toBe('first');
	});

	it.each([null, 7, 'x', {}, [1, null, {}], new Array(100_000).fill('x')])(
		'takes no harm from a stored state that is something else',
		(stored) => {
			const one = new TriggerMemory().repeats('a', stored);
			expect(one.claim('1')).toBe('first');
			expect(one.toStore().length).toBeLessThanOrEqual(250);
		},
	);
});
