import { clock } from '../../../../../nodes/VisitorService/operations/host';

it.each([true, false])('the clock rings once, unless the timer was stopped: %p', async (rings) => {
	let rang = 0;
	const stop = clock.startTimer(1, () => {
		rang++;
	});
	if (!rings) stop();
	// The timer keeps no process alive, and this sleep does.
	await clock.sleep(40);
	expect(rang).toBe(rings ? 1 : 0);
});
