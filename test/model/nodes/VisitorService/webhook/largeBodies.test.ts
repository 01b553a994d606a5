import {
	delivery,
	receive,
	settings,
} from '../../../../unit/nodes/VisitorService/webhook/deliveries';

describe('the selection of events in large bodies', () => {
	const select = async (raw: unknown, events: string[]) =>
		await receive(delivery(JSON.stringify(raw)), settings({ events }));

	it('passes on what would take too long to search for a selected event', async () => {
		const raw = (count: number) => ({ tenant: 'a', data: new Array<object>(count).fill({}) });
		expect(await select(raw(100_000), ['visit.created'])).toMatchObject({ kind: 'notSelected' });
		expect(await select(raw(100_001), ['visit.created'])).toMatchObject({ kind: 'passedOn' });
	});

	it('passes on an event with a name that holds more events than are searched', async () => {
		const raw = (count: number) => ({ event: 'a', site: 'A', data: new Array(count).fill({}) });
		expect(await select(raw(100_000), ['b'])).toMatchObject({ kind: 'notSelected' });
		expect(await select(raw(100_001), ['b'])).toMatchObject({ kind: 'passedOn' });
	});

	it('says what was left out of a body with more names than a call takes arguments', async () => {
		const raw = {
			site: 'A',
			events: Array.from({ length: 100_000 }, (_, i) => ({ event: `n${i}`, type: `t${i}` })),
		};
		expect(await select(raw, ['visit.created'])).toMatchObject({
			kind: 'notSelected',
			reason: 'events such as "n0", "t0", "n1" are not among Events',
		});
	});

	it('passes on what has more objects than are searched, wherever they are', async () => {
		const fields = (count: number) =>
			Object.fromEntries(Array.from({ length: count }, (_, key) => [`k${key}`, {}]));
		expect(await select(fields(100_000), ['a'])).toMatchObject({ kind: 'notSelected' });
		expect(await select(fields(100_001), ['a'])).toMatchObject({ kind: 'passedOn' });
		const named = { event: 'b', ...fields(100_001) };
		expect(await select(named, ['a'])).toMatchObject({ kind: 'notSelected' });
	});

	describe('by JSON text in a field', () => {
		const text = JSON.stringify;

		const withObjects = (count: number) => ({
			event: 'b',
			n: text({ type: 'x', site: {}, data: new Array<object>(count).fill({}) }),
		});
		// Each is an error that takes as long as ten objects.
		const broken = (count: number) => new Array<string>(count).fill('{');

		it.each<[string, number, (count: number) => object]>([
			['elements', 10_000, (count) => ({ event: 'b', n: text(new Array(count).fill({})) })],
			['objects', 99_990, withObjects],
			['texts in a list', 10_000, (count) => ({ n: broken(count) })],
			[
				'texts in fields',
				10_000,
				(count) => ({ event: 'b', ...Object.fromEntries(broken(count).entries()) }),
			],
		])('passes on what has too many %s to search', async (_, most, raw) => {
			expect((await select(raw(most), ['a'])).kind).toBe('notSelected');
			expect((await select(raw(most + 1), ['a'])).kind).toBe('passedOn');
		});

		it('passes on JSON lines that are too many to search', async () => {
			const kindOf = async (raw: string) =>
				(await receive(delivery(raw), settings({ events: ['a'] }))).kind;
			expect(await kindOf('{}\n'.repeat(99_990))).toBe('notSelected');
			expect(await kindOf('{}\n'.repeat(99_991))).toBe('passedOn');
			const fields = new Array<string>(50).fill('{}\n'.repeat(50_000));
			const start = performance.now();
			expect(await kindOf(text(fields))).toBe('passedOn');
			expect(performance.now() - start).toBeLessThan(3000);
		});

		it('passes on what has too many objects to search in all of its texts', async () => {
			const batch = [withObjects(60_000), { event: 'b' }, withObjects(60_000)];
			expect(await select(batch, ['a'])).toMatchObject({ events: [{ body: batch[2] }] });
		});
	});
});
