import { RepeatMemory } from '../../../../../nodes/VisitorService/webhook/repeatMemory';

describe('RepeatMemory', () => {
	it('knows a key once it was seen, for each trigger apart', () => {
		const memory = new RepeatMemory();
		expect(memory.open('a', undefined).isFirst('1')).toBe(true);
		expect(memory.open('a', undefined).isFirst('1')).toBe(false);
		expect(memory.open('a', undefined).isFirst('2')).toBe(true);
		expect(memory.open('b', undefined).isFirst('1')).toBe(true);
	});

	it('knows what was stored', () => {
		const first = new RepeatMemory().open('a', undefined);
		first.isFirst('1');
		const afterRestart = new RepeatMemory().open('a', first.toStore());
		expect(afterRestart.isFirst('1')).toBe(false);
		expect(afterRestart.isFirst('2')).toBe(true);
	});

	it('lets a delivery that was not passed on come again', () => {
		const memory = new RepeatMemory();
		const failed = memory.open('a', undefined);
		expect(failed.isFirst('1')).toBe(true);
		failed.settle(false);
		expect(memory.open('a', undefined).isFirst('1')).toBe(true);

		const passed = memory.open('a', undefined);
		expect(passed.isFirst('2')).toBe(true);
		passed.settle(true);
		expect(memory.open('a', undefined).isFirst('2')).toBe(false);
	});

	it('says when the delivery ended that holds a key, and who comes first takes its place where it failed', async () => {
		const memory = new RepeatMemory();
		const open = () => memory.open('a', undefined);
		const [first, second, third] = [open(), open(), open()];
		expect(first.isFirst('1')).toBe(true);
		expect(first.isFirst('1')).toBe(false);
		expect(first.endsOfHolders()).toBeUndefined();
		expect([second.isFirst('1'), third.isFirst('1')]).toEqual([false, false]);
		const ends = Promise.all([second.endsOfHolders(), third.endsOfHolders()]);
		first.settle(false);
		await ends;
		expect([second.isFirst('1'), third.isFirst('1')]).toEqual([true, false]);
		const end = third.endsOfHolders();
		second.settle(true);
		await end;
		expect(third.isFirst('1')).toBe(false);
		expect(third.endsOfHolders()).toBeUndefined();
	});

	it('has no two deliveries wait for each other', () => {
		const memory = new RepeatMemory();
		const open = () => memory.open('a', undefined);
		const [first, second, third] = [open(), open(), open()];
		first.isFirst('1');
		expect([second.isFirst('2'), second.isFirst('1')]).toEqual([true, false]);
		expect(second.endsOfHolders()).toBeDefined();
		expect([third.isFirst('2'), third.endsOfHolders()]).toEqual([true, undefined]);
	});

	it('does not store what another delivery has not finished', () => {
		const memory = new RepeatMemory();
		const unfinished = memory.open('a', undefined);
		unfinished.isFirst('1');
		const other = memory.open('a', undefined);
		other.isFirst('2');
		expect(new RepeatMemory().open('a', other.toStore()).isFirst('1')).toBe(true);
		expect(new RepeatMemory().open('a', other.toStore()).isFirst('2')).toBe(false);
		unfinished.settle(true);
		expect(new RepeatMemory().open('a', other.toStore()).isFirst('1')).toBe(false);
	});

	it('heals what deliveries at the same time overwrote in the stored state', () => {
		const memory = new RepeatMemory();
		const open = Array.from({ length: 50 }, () => memory.open('a', []));
		open.forEach((one, index) => one.isFirst(String(index)));
		open.forEach((one) => one.settle(true));
		const next = memory.open('a', ['only what the last one stored']);
		next.isFirst('next');
		const afterRestart = new RepeatMemory().open('a', next.toStore());
		expect(open.filter((_, index) => afterRestart.isFirst(String(index)))).toEqual([]);
	});

	it('keeps to its bounds in memory and in the stored state', () => {
		const memory = new RepeatMemory();
		const add = (trigger: string, key: string) => {
			const one = memory.open(trigger, undefined);
			const first = one.isFirst(key);
			one.settle(true);
			return { first, stored: one.toStore() };
		};
		for (let key = 0; key < 5001; key++) {
			const { stored } = add('a', String(key));
			if (key % 500 === 0) expect(JSON.stringify(stored).length).toBeLessThan(5000);
		}
		expect(add('a', '5000').first).toBe(false);
		expect(add('a', '1').first).toBe(false);
		expect(add('a', '0').first).toBe(true);

		for (let trigger = 0; trigger < 100; trigger++) add(`other ${trigger}`, '1');
		expect(add('other 99', '1').first).toBe(false);
		expect(add('a', '5000').first).toBe(true);
	});

	it.each([null, 7, 'x', {}, [1, null, {}], new Array(100_000).fill('x')])(
		'takes no harm from a stored state that is something else',
		(stored) => {
			const one = new RepeatMemory().open('a', stored);
			expect(one.isFirst('1')).toBe(true);
			expect(one.toStore().length).toBeLessThanOrEqual(250);
		},
	);
});
