import { ReadAhead } from '../../../../../nodes/VisitorService/listing/readAhead';
import { VirtualClock } from '../../../../simulation/clock';

interface Setting {
	concurrency: number;
	maxAhead?: number;
	/** The first page that is not planned. */
	horizon?: (current: number) => number;
	/** Milliseconds the answer takes. */
	latency?: (number: number) => number;
	fails?: number;
	isPromising?: (page: string) => boolean;
	from?: number;
}

/** Pages in virtual time: the first answer to page 3 is "3", the second one "3 again". */
function start(setting: Setting) {
	const { concurrency, horizon = () => Infinity, latency = () => 1, fails, from = 0 } = setting;
	const clock = new VirtualClock();
	const asked: number[] = [];
	const arrived: number[] = [];
	let current = from;
	let inFlight = 0;
	let maxInFlight = 0;
	let maxAhead = 0;
	const ahead = new ReadAhead<string>(from, {
		concurrency,
		maxAhead: setting.maxAhead,
		horizon,
		isPromising: setting.isPromising ?? (() => true),
		read: async (number) => {
			const isAgain = asked.includes(number);
			asked.push(number);
			maxInFlight = Math.max(maxInFlight, ++inFlight);
			maxAhead = Math.max(maxAhead, number - current);
			await clock.sleep(latency(number));
			inFlight--;
			arrived.push(number);
			if (number === fails) throw new Error(`page ${number}`);
			return isAgain ? `${number} again` : `${number}`;
		},
	});
	return {
		ahead,
		asked,
		arrived,
		clock,
		/** Takes pages in turn up to `last`. */
		take: async (last: number): Promise<string[]> => {
			const taken: string[] = [];
			while (current <= last) {
				taken.push(await ahead.get(current).catch((error: unknown) => String(error)));
				if (current === last) break;
				ahead.moveTo(++current);
			}
			return taken;
		},
		seen: () => ({ maxInFlight, maxAhead }),
	};
}

const upTo = (count: number) => Array.from({ length: count }, (_, place) => place);
const texts = (numbers: number[]) => numbers.map(String);

describe('ReadAhead', () => {
	it('returns pages in turn, whatever order they arrive in, as many at a time as allowed', async () => {
		const { arrived, clock, seen, take } = start({
			concurrency: 6,
			horizon: () => 20,
			latency: (number) => (number * 7919) % 100,
		});
		expect(await clock.run(take(19))).toEqual(texts(upTo(20)));
		expect(arrived).not.toEqual(upTo(20));
		expect([...arrived].sort((one, other) => one - other)).toEqual(upTo(20));
		expect(seen().maxInFlight).toBe(6);
	});

	it('reads one page after the other with a concurrency of 1', async () => {
		const { asked, clock, seen, take } = start({
			concurrency: 1,
			horizon: () => 5,
			latency: () => 10,
		});
		await clock.run(take(4));
		expect(asked).toEqual(upTo(5));
		expect(seen().maxInFlight).toBe(1);
		expect(clock.now()).toBe(50);
	});

	it('begins at any page, and stops at the horizon', async () => {
		const { asked, clock, take } = start({ concurrency: 2, from: 7, horizon: () => 10 });
		await clock.run(take(9));
		expect(asked).toEqual([7, 8, 9]);
	});

	it('asks for nothing before the turn of the first page', async () => {
		const { asked, clock } = start({ concurrency: 2 });
		await clock.runOut();
		expect(asked).toEqual([]);
	});

	it('reads a page before its turn, one after the other, if it may', async () => {
		const { asked, clock, seen, take } = start({
			concurrency: 1,
			maxAhead: 1,
			horizon: () => 5,
			latency: () => 10,
		});
		expect(await clock.run(take(4))).toEqual(texts(upTo(5)));
		expect(asked).toEqual(upTo(5));
		expect(seen()).toEqual({ maxInFlight: 1, maxAhead: 1 });
	});

	it('does not run ahead of a slow page by more than twice the concurrency, the page itself included', async () => {
		const { asked, clock, seen, take } = start({
			concurrency: 4,
			horizon: () => 100,
			latency: (number) => (number === 1 ? 1000 : 1),
		});
		expect(await clock.run(take(99))).toEqual(texts(upTo(100)));
		expect(seen().maxAhead).toBe(6);
		expect(asked).toEqual(upTo(100));
	});

	it('throws the error of a page in its turn, and reads on if the next page is asked for', async () => {
		const { clock, take } = start({ concurrency: 4, horizon: () => 4, fails: 2 });
		expect(await clock.run(take(3))).toEqual(['0', '1', 'Error: page 2', '3']);
	});

	it('asks for nothing ahead after a page failed', async () => {
		const { asked, clock, take } = start({
			concurrency: 3,
			latency: (number) => (number === 0 ? 100 : 1),
			fails: 1,
		});
		await clock.run(take(0));
		expect(asked).toEqual([0, 1, 2]);
	});

	it('asks for nothing ahead after a page that does not promise more, until its turn is over', async () => {
		const { ahead, asked, clock, take } = start({
			concurrency: 2,
			horizon: () => 6,
			latency: (number) => (number === 0 ? 100 : 1),
			isPromising: (page) => page !== '1',
		});
		await clock.run(take(0));
		ahead.moveTo(1);
		await clock.runOut();
		expect(asked).toEqual([0, 1]);
		ahead.moveTo(2);
		await clock.runOut();
		expect(asked).toEqual(upTo(5));
	});

	it('looks at the horizon again after every answer', async () => {
		let horizon = 10;
		const { asked, clock, take } = start({ concurrency: 2, horizon: () => horizon });
		await clock.run(take(0));
		horizon = 4;
		await clock.run(take(3));
		expect(asked).toEqual(upTo(4));
	});

	it('tells the horizon which page is the current one', async () => {
		const { asked, clock, take } = start({ concurrency: 4, horizon: (current) => current + 2 });
		await clock.run(take(0));
		await clock.runOut();
		expect(asked).toEqual([0, 1]);
		await clock.run(take(2));
		await clock.runOut();
		expect(asked).toEqual([0, 1, 2, 3]);
	});

	it('reads a page whose turn it is, whatever the horizon says', async () => {
		const { asked, clock, take } = start({ concurrency: 4, horizon: () => 0 });
		expect(await clock.run(take(2))).toEqual(['0', '1', '2']);
		expect(asked).toEqual([0, 1, 2]);
	});

	it('asks for nothing after it was closed', async () => {
		const { ahead, asked, clock, take } = start({
			concurrency: 3,
			latency: (number) => (number < 2 ? 1 : 500),
		});
		await clock.run(take(1));
		ahead.close();
		const before = [...asked];
		ahead.moveTo(2);
		await clock.runOut();
		expect(asked).toEqual(before);
		expect(before).toEqual(upTo(5));
	});

	it('does not make the current page wait for later ones in flight', async () => {
		const { asked, clock, take } = start({
			concurrency: 4,
			latency: (number) => (number > 2 ? 60_000 : 1),
		});
		expect(await clock.run(take(2))).toEqual(['0', '1', '2']);
		expect(clock.now()).toBe(1);
		expect(asked.length).toBeLessThanOrEqual(7);
	});

	it('asks anew for pages that are to be forgotten', async () => {
		const { ahead, asked, clock, take } = start({ concurrency: 1, horizon: () => 2 });
		expect(await clock.run(take(1))).toEqual(['0', '1']);
		ahead.forgetFrom(1);
		expect(await clock.run(ahead.get(1))).toBe('1 again');
		expect(asked).toEqual([0, 1, 1]);
	});

	it('asks again on request, and forgets the earlier answer', async () => {
		const { ahead, asked, clock } = start({ concurrency: 1, horizon: () => 1 });
		expect(await clock.run(ahead.get(0))).toBe('0');
		expect(await clock.run(ahead.getAgain(0))).toBe('0 again');
		expect(await clock.run(ahead.get(0))).toBe('0 again');
		expect(asked).toEqual([0, 0]);
	});

	it('asks for a page in turn before any page ahead, and waits for a free place', async () => {
		const { ahead, asked, clock, seen } = start({ concurrency: 2, latency: () => 10 });
		await clock.run(ahead.get(0));
		await clock.run(ahead.getAgain(0));
		expect(asked.slice(0, 4)).toEqual([0, 1, 2, 0]);
		expect(seen().maxInFlight).toBe(2);
	});

	it('shows the later pages that arrived, without the current, the failed and the missing ones', async () => {
		const { ahead, clock, take } = start({
			concurrency: 4,
			horizon: () => 4,
			latency: (number) => (number === 3 ? 500 : 1),
			fails: 2,
		});
		await clock.run(take(0));
		await clock.run(ahead.get(1));
		expect([...ahead.arrivedAhead()]).toEqual(['1']);
		ahead.moveTo(1);
		expect([...ahead.arrivedAhead()]).toEqual([]);
		await clock.runOut();
		expect([...ahead.arrivedAhead()]).toEqual(['3']);
	});
});
