import { ServiceFailure } from '../../../../../nodes/VisitorService/failure/serviceFailure';
import { WaitingLine } from '../../../../../nodes/VisitorService/http/waitingLine';
import { VirtualClock } from '../../../../simulation/clock';

function openLine(clock = new VirtualClock(1_000)) {
	const looks: number[] = [];
	const line = new WaitingLine<string>(clock, () => looks.push(clock.now()));
	return { clock, line, looks };
}

describe('WaitingLine', () => {
	it('admits those who wait in the order in which they came', async () => {
		const { line } = openLine();
		const both = [line.join(), line.join()];
		expect(line.isEmpty).toBe(false);
		line.admitFirst('first');
		line.admitFirst('second');
		expect(await Promise.all(both)).toEqual(['first', 'second']);
		expect(line.isEmpty).toBe(true);
		line.admitFirst('nobody');
	});

	it('looks at those who wait when they come, and at the time that is set', async () => {
		const { clock, line, looks } = openLine();
		void line.join();
		line.lookAgainAt(1_500);
		await clock.runOut();
		expect(looks).toEqual([1_000, 1_500]);
	});

	it('looks earlier if an earlier time is set, and sets one timer for a time', async () => {
		const { clock, line, looks } = openLine();
		line.lookAgainAt(1_500);
		line.lookAgainAt(1_500);
		line.lookAgainAt(1_800);
		line.lookAgainAt(1_200);
		expect(clock.pending).toBe(2);
		await clock.runOut();
		expect(looks).toEqual([1_200, 1_500]);
		line.lookAgainAt(1_600);
		await clock.runOut();
		expect(looks).toEqual([1_200, 1_500, 1_600]);
	});

	it('fails those who wait when the line is closed, and those who come later', async () => {
		const { line, looks } = openLine();
		const waiting = line.join();
		line.close();
		await expect(waiting).rejects.toThrow('The listing is over.');
		const late: unknown = await line.join().catch((error: unknown) => error);
		expect(late).toBeInstanceOf(ServiceFailure);
		expect(late).toMatchObject({ kind: 'cancelled' });
		expect(looks).toHaveLength(1);
	});

	it('fails those who wait with the reason if the execution is cancelled', async () => {
		const clock = new VirtualClock();
		clock.cancel(new Error('cancelled'));
		const { line } = openLine(clock);
		const waiting = line.join();
		line.lookAgainAt(500);
		await expect(waiting).rejects.toThrow('cancelled');
		await expect(line.join()).rejects.toThrow('The listing is over.');
	});
});
