import './harness/sleepByShownClock';

import { VirtualClock } from '../simulation/clock';
import { showTimeOf } from '../simulation/processTime';
import { WebhookReceiver } from './harness/webhookReceiver';
import { event, signed, trigger } from './webhookTrigger';

describe('ignoring repeats', () => {
	const ignoring = () => trigger({ options: { ignoreRepeats: true } });

	it('makes exactly one execution of 50 deliveries that come at once', async () => {
		const receiver = new WebhookReceiver(ignoring());
		const answers = await Promise.all(Array.from({ length: 50 }, () => receiver.deliver(signed())));
		expect(receiver.executions).toHaveLength(1);
		expect(answers.filter(({ by }) => by === 'hostAfter')).toHaveLength(1);
		// The others do not know yet what becomes of the first: their senders are to try again.
		expect(answers.filter(({ statusCode }) => statusCode === 503)).toHaveLength(49);
		expect(await receiver.deliver(signed())).toMatchObject({
			statusCode: 200,
			body: { message: 'Already received' },
		});
		expect(receiver.executions).toHaveLength(1);
	});

	it('lets the sender try again if n8n could not start an execution', async () => {
		const receiver = new WebhookReceiver(ignoring());
		receiver.failing = true;
		expect(await receiver.deliver(signed())).toMatchObject({ statusCode: 500, by: 'hostAfter' });
		receiver.failing = false;
		expect(await receiver.deliver(signed())).toMatchObject({ statusCode: 200, by: 'hostAfter' });
		expect(await receiver.deliver(signed())).toMatchObject({
			by: 'node',
			body: { message: 'Already received' },
		});
		expect(receiver.executions).toHaveLength(1);
	});

	it('lets a repeat take the place of a delivery that failed', async () => {
		const receiver = new WebhookReceiver(ignoring());
		receiver.failing = true;
		const first = receiver.deliver(signed());
		receiver.failing = false;
		expect(await receiver.deliver(signed())).toMatchObject({ statusCode: 503, by: 'node' });
		expect(await first).toMatchObject({ statusCode: 500, by: 'hostAfter' });
		expect(await receiver.deliver(signed())).toMatchObject({ statusCode: 200, by: 'hostAfter' });
		expect(receiver.executions).toHaveLength(1);
	});

	it('passes on the new element of a batch that was put off, when the batch comes again', async () => {
		const receiver = new WebhookReceiver(ignoring());
		let make = () => {};
		receiver.making = async () => {
			await new Promise<void>((resolve) => (make = resolve));
		};
		const first = receiver.deliver(signed());
		const other = { ...event, id: 'evt-000002' };
		const batch = signed(JSON.stringify([other, event]));
		expect(await receiver.deliver(batch)).toMatchObject({ statusCode: 503, by: 'node' });
		make();
		await first;
		receiver.making = async () => await Promise.resolve();
		expect(await receiver.deliver(batch)).toMatchObject({ statusCode: 200, by: 'hostAfter' });
		expect(receiver.executions.map((items) => items.map(({ json }) => json.id))).toEqual([
			[event.id],
			[other.id],
		]);
	});

	it.each([true, false])(
		'knows by the answer what became of a sender that hung up, minutes later too (n8n fails: %p)',
		async (failing) => {
			const clock = new VirtualClock(Date.now());
			const showRealTime = showTimeOf(clock);
			try {
				const receiver = new WebhookReceiver(ignoring());
				receiver.failing = failing;
				receiver.hangingUp = true;
				let make = () => {};
				receiver.making = async () => {
					await new Promise<void>((resolve) => (make = resolve));
				};
				const first = receiver.deliver(signed());
				Object.assign(receiver, { failing: false, hangingUp: false });
				await clock.run(clock.sleep(20 * 60_000));
				expect(await receiver.deliver(signed())).toMatchObject({ statusCode: 503, by: 'node' });
				make();
				expect(await first).toMatchObject({ statusCode: failing ? 500 : 200, by: 'hostAfter' });
				await clock.run(clock.sleep(6_000));
				receiver.making = async () => await Promise.resolve();
				expect(await receiver.deliver(signed())).toMatchObject({
					statusCode: 200,
					by: failing ? 'hostAfter' : 'node',
				});
				expect(receiver.executions).toHaveLength(1);
			} finally {
				showRealTime();
			}
		},
	);

	it('remembers across a restart what is in the static data', async () => {
		const test = ignoring();
		const receiver = new WebhookReceiver(test);
		await receiver.deliver(signed());
		// This process remembers by workflow, so another workflow stands for a process that remembers
		// nothing.
		const restarted = new WebhookReceiver({ ...test, id: 'after the restart' });
		restarted.staticData = receiver.staticData;
		expect(await restarted.deliver(signed())).toMatchObject({ by: 'node' });
		expect(restarted.executions).toEqual([]);
	});

	it('keeps the stored state small', async () => {
		const receiver = new WebhookReceiver(ignoring());
		for (let index = 0; index < 400; index++) {
			await receiver.deliver(signed(JSON.stringify({ ...event, id: `evt-${index}` })));
		}
		expect(receiver.executions).toHaveLength(400);
		expect(JSON.stringify(receiver.staticData).length).toBeLessThan(6000);
	});

	it('does not apply to test events, which are sent again and again', async () => {
		const receiver = new WebhookReceiver({ ...ignoring(), mode: 'manual', isTest: true });
		await receiver.deliver(signed());
		await receiver.deliver(signed());
		expect(receiver.executions).toHaveLength(2);
		for (const items of receiver.executions)
			expect(items).toMatchObject([{ json: { body: event } }]);
	});
});
