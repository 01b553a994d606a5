import { EventEmitter } from 'node:events';

import type { Outcome } from '../../../../../nodes/VisitorService/webhook/receiveDelivery';
import {
	RepeatMemory,
	type Repeats,
} from '../../../../../nodes/VisitorService/webhook/repeatMemory';
import {
	receiveOnceDecided,
	settleOnceAnswered,
} from '../../../../../nodes/VisitorService/webhook/undecidedRepeats';

beforeEach(() => {
	jest.useFakeTimers();
});

afterEach(() => {
	jest.useRealTimers();
});

class Response extends EventEmitter {
	statusCode = 200;
	closed?: boolean = false;
	writableEnded?: boolean = false;

	status(): { json(): void } {
		return { json: () => undefined };
	}

	answer(statusCode: number): void {
		this.statusCode = statusCode;
		this.writableEnded = true;
		if (this.closed === false) this.close();
	}

	close(): void {
		this.closed = true;
		this.emit('close');
	}
}

const passedOn: Outcome = { kind: 'passedOn', events: [] };
const leftOut: Outcome = { kind: 'leftOut', message: 'Already received' };

/** A delivery of the key 1 that is under way, and what becomes of its repeat. */
function begun(response: Response) {
	const memory = new RepeatMemory();
	const receive = async (repeats: Repeats) =>
		await receiveOnceDecided(repeats, () => (repeats.isFirst('1') ? passedOn : leftOut));
	const first = memory.open('a', undefined);
	first.isFirst('1');
	void settleOnceAnswered(first, response);
	const repeat = async () => await receive(memory.open('a', undefined));
	return { repeat };
}

describe('a repeat of a delivery that is undecided', () => {
	it.each([
		[200, leftOut],
		[299, leftOut],
		[400, passedOn],
		[500, passedOn],
	])('waits for its answer; after %d it is %p', async (statusCode, outcome) => {
		const response = new Response();
		const { repeat } = begun(response);
		const repeated = repeat();
		await jest.advanceTimersByTimeAsync(9_000);
		response.answer(statusCode);
		expect(await repeated).toEqual(outcome);
		expect(jest.getTimerCount()).toBe(0);
	});

	it('waits ten seconds', async () => {
		const { repeat } = begun(new Response());
		const repeated = repeat();
		await jest.advanceTimersByTimeAsync(10_000);
		expect(await repeated).toBeUndefined();
	});

	it('waits ten seconds in all, however many fail meanwhile', async () => {
		const memory = new RepeatMemory();
		const holders = [1, 2].map(() => memory.open('a', undefined));
		holders[0]?.isFirst('1');
		const last = memory.open('a', undefined);
		const repeated = receiveOnceDecided(last, () => (last.isFirst('1') ? passedOn : leftOut));
		await jest.advanceTimersByTimeAsync(6_000);
		holders[0]?.settle(false);
		holders[1]?.isFirst('1');
		await jest.advanceTimersByTimeAsync(4_000);
		expect(await repeated).toBeUndefined();
	});

	it.each([true, false])(
		'waits for the answer also where the sender hung up (before it was passed on: %p)',
		async (isEarly) => {
			for (const [statusCode, outcome] of [
				[200, leftOut],
				[500, passedOn],
			] as const) {
				const response = new Response();
				if (isEarly) response.close();
				const { repeat } = begun(response);
				if (!isEarly) response.close();
				const repeated = repeat();
				await jest.advanceTimersByTimeAsync(5_000);
				response.answer(statusCode);
				await jest.advanceTimersByTimeAsync(200);
				expect(await repeated).toEqual(outcome);
			}
		},
	);

	it('takes its place where no answer came two minutes after the sender hung up', async () => {
		const response = new Response();
		const { repeat } = begun(response);
		response.close();
		await jest.advanceTimersByTimeAsync(119_000);
		const repeated = repeat();
		await jest.advanceTimersByTimeAsync(2_000);
		expect(await repeated).toEqual(passedOn);
		expect(jest.getTimerCount()).toBe(0);
	});

	it('does not wait where nothing tells of the answer', async () => {
		const response = new Response();
		response.closed = undefined;
		response.writableEnded = undefined;
		expect(await begun(response).repeat()).toEqual(leftOut);
	});
});
