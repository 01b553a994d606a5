import { readInOrder } from '../../../../../nodes/VisitorService/listing/readInOrder';
import { VirtualClock } from '../transport/virtualClock';

interface Setting {
	pages: number;
	concurrency: number;
	latency: (number: number) => number;
	fails?: number;
	stopsAt?: number;
	takeFails?: number;
	from?: number;
}

async function run({ pages, concurrency, latency, fails, stopsAt, takeFails, from = 0 }: Setting) {
	const clock = new VirtualClock();
	const taken: Array<number | string> = [];
	const asked: number[] = [];
	const arrived: number[] = [];
	let inFlight = 0;
	let mostInFlight = 0;
	let mostAhead = 0;
	let ended = false;
	const reading = readInOrder<number>(from, {
		concurrency,
		horizon: () => from + pages,
		ended: () => ended,
		read: async (number) => {
			asked.push(number);
			mostInFlight = Math.max(mostInFlight, ++inFlight);
			mostAhead = Math.max(mostAhead, number - taken.length - from);
			await clock.sleep(latency(number));
			inFlight--;
			if (number === fails) throw new Error(`page ${number}`);
			return number;
		},
		arrived: (_, number) => {
			arrived.push(number);
		},
		take: (outcome, number) => {
			taken.push('page' in outcome ? outcome.page : outcome.error.message);
			if (number === takeFails) throw new Error('taken no more');
			if (number === stopsAt) ended = true;
		},
	});
	const error = await clock.run(reading).catch((thrown: unknown) => thrown);
	const time = clock.now();
	await clock.runOut();
	return { taken, asked, arrived, mostInFlight, mostAhead, error, time };
}

const upTo = (count: number) => Array.from({ length: count }, (_, place) => place);

describe('readInOrder', () => {
	it('hands pages over in order, whatever order they come in', async () => {
		const { taken, arrived, mostInFlight } = await run({
			pages: 20,
			concurrency: 6,
			latency: (number) => (number * 7919) % 100,
		});
		expect(taken).toEqual(upTo(20));
		expect(arrived).not.toEqual(upTo(20));
		expect(mostInFlight).toBe(6);
	});

	it('reads one after the other with a concurrency of 1', async () => {
		const { asked, mostInFlight, time } = await run({
			pages: 5,
			concurrency: 1,
			latency: () => 10,
		});
		expect(asked).toEqual(upTo(5));
		expect(mostInFlight).toBe(1);
		expect(time).toBe(50);
	});

	it('begins anywhere and ends with nothing to read', async () => {
		expect((await run({ from: 7, pages: 3, concurrency: 2, latency: () => 1 })).asked).toEqual([
			7, 8, 9,
		]);
		expect((await run({ pages: 0, concurrency: 2, latency: () => 1 })).asked).toEqual([]);
	});

	it('does not run ahead of a slow page by more than twice the concurrency', async () => {
		const { mostAhead, taken } = await run({
			pages: 100,
			concurrency: 4,
			latency: (number) => (number === 1 ? 1000 : 1),
		});
		expect(mostAhead).toBeLessThan(8);
		expect(taken).toEqual(upTo(100));
	});

	it('hands failures over in their turn and goes on', async () => {
		const { taken } = await run({ pages: 4, concurrency: 4, latency: () => 1, fails: 2 });
		expect(taken).toEqual([0, 1, 'page 2', 3]);
	});

	it('asks for nothing more when taking fails, and rejects at once', async () => {
		const { error, asked, time, taken } = await run({
			pages: 100,
			concurrency: 3,
			latency: (number) => (number < 2 ? 1 : 500),
			takeFails: 1,
		});
		expect(error).toEqual(new Error('taken no more'));
		expect(time).toBe(1);
		expect(taken).toEqual([0, 1]);
		expect(asked).toEqual([0, 1, 2, 3]);
	});

	it('does not wait for what is in flight when the end is reached', async () => {
		const { error, asked, time, taken } = await run({
			pages: 100,
			concurrency: 4,
			latency: (number) => (number > 2 ? 60_000 : 1),
			stopsAt: 2,
		});
		expect(error).toBeUndefined();
		expect(time).toBeLessThan(10);
		expect(taken).toEqual([0, 1, 2]);
		expect(asked.length).toBeLessThanOrEqual(6);
	});
});
