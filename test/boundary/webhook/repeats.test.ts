import { signed, Trigger } from './trigger';

const event = { event: 'visit.created', id: 'event-1' };
const ignoring = () => new Trigger({ options: { ignoreRepeats: true } });
const send = async (trigger: Trigger, sent: unknown = event) =>
	await trigger.deliver(signed(JSON.stringify(sent)));

const STARTED = { statusCode: 0 };
const REPEATED = { statusCode: 200, response: { message: 'Already received' } };
const PUT_OFF = { statusCode: 503, items: [] };
const ids = (count: number, from = 0) =>
	Array.from({ length: count }, (_, index) => ({ ...event, id: `event-${from + index}` }));
const fails = async () => await Promise.reject(new Error('The database is away.'));

/** An execution that is made, or fails to be, when the test says so. */
function held(trigger: Trigger) {
	const { workflow } = trigger;
	const { making } = workflow;
	let end: (error?: Error) => void = () => {};
	workflow.making = async () => {
		await new Promise<void>((resolve, reject) => {
			end = (error) => (error === undefined ? resolve() : reject(error));
		});
	};
	return (error?: Error) => {
		workflow.making = making;
		end(error);
	};
}

describe('Ignore Repeats', () => {
	it('makes exactly one execution of 50 deliveries that come at once', async () => {
		const trigger = ignoring();
		const responses = await Promise.all(
			Array.from({ length: 50 }, async () => await send(trigger)),
		);
		// The others do not know yet what becomes of the first: their senders are to try again.
		const codes = responses.map(({ statusCode }) => statusCode).sort();
		expect(codes).toEqual([0, ...Array<number>(49).fill(503)]);
		expect(await send(trigger)).toMatchObject(REPEATED);
	});

	it('lets the sender try again if n8n could not start an execution', async () => {
		const trigger = ignoring();
		const { making } = trigger.workflow;
		trigger.workflow.making = fails;
		expect(await send(trigger)).toMatchObject({ statusCode: 500, items: [] });
		trigger.workflow.making = making;
		expect(await send(trigger)).toMatchObject(STARTED);
		expect(await send(trigger)).toMatchObject(REPEATED);
	});

	it('lets a repeat take the place of a delivery that failed', async () => {
		const trigger = ignoring();
		const end = held(trigger);
		const first = send(trigger);
		expect(await send(trigger)).toMatchObject(PUT_OFF);
		end(new Error('The database is away.'));
		expect(await first).toMatchObject({ statusCode: 500 });
		expect(await send(trigger)).toMatchObject(STARTED);
	});

	it('passes on the new element of a batch that was put off, when the batch comes again', async () => {
		const trigger = ignoring();
		const end = held(trigger);
		const first = send(trigger);
		const batch = [{ ...event, id: 'event-2' }, event];
		expect(await send(trigger, batch)).toMatchObject(PUT_OFF);
		end();
		await first;
		expect((await send(trigger, batch)).items).toMatchObject([{ id: 'event-2' }]);
	});

	it.each([true, false])(
		'knows by the response what became of a sender that hung up, minutes later too (n8n fails: %p)',
		async (isFailing) => {
			const trigger = ignoring();
			const { host, workflow } = trigger;
			const pass = async (milliseconds: number) =>
				await host.during(async () => await host.time.sleep(milliseconds));
			const end = held(trigger);
			workflow.hangsUp = true;
			const first = send(trigger);
			await pass(20 * 60_000);
			workflow.hangsUp = false;
			expect(await send(trigger)).toMatchObject(PUT_OFF);
			end(isFailing ? new Error('The database is away.') : undefined);
			await first;
			await pass(6_000);
			expect(await send(trigger)).toMatchObject(isFailing ? STARTED : REPEATED);
		},
	);

	/** What a process remembers is that of a workflow: another one stands for another process. */
	function restarted({ workflow: { stored } }: Trigger): Trigger {
		const trigger = ignoring();
		trigger.workflow.stored = stored;
		return trigger;
	}

	it('remembers across a restart what is in the static data, which stay small', async () => {
		const trigger = ignoring();
		for (const one of ids(400)) expect(await send(trigger, one)).toMatchObject(STARTED);
		expect(trigger.workflow.stored.length).toBeLessThan(6000);
		expect(await send(restarted(trigger), ids(1, 399)[0])).toMatchObject(REPEATED);
	});

	it('does not remember across a restart what was not passed on', async () => {
		const trigger = ignoring();
		const { making } = trigger.workflow;
		const [one, other] = ids(2);
		trigger.workflow.making = async () => await new Promise(() => undefined);
		void send(trigger, one);
		trigger.workflow.making = making;
		expect(await send(trigger, other)).toMatchObject(STARTED);
		expect(await send(restarted(trigger), one)).toMatchObject(STARTED);
		expect(await send(restarted(trigger), other)).toMatchObject(REPEATED);
	});

	it('remembers across a restart what overwrote each other in the static data', async () => {
		const trigger = ignoring();
		await Promise.all(ids(50).map(async (one) => await send(trigger, one)));
		await send(trigger, ids(1, 50)[0]);
		const after = restarted(trigger);
		for (const one of ids(51)) expect(await send(after, one)).toMatchObject(REPEATED);
	});

	it('remembers two of the largest batches', async () => {
		const trigger = ignoring();
		const started = async (count: number, from: number) =>
			(await send(trigger, ids(count, from))).items.length;
		expect([await started(10_000, 0), await started(10_000, 10_000)]).toEqual([10_000, 10_000]);
		expect([await started(10_000, 0), await started(10_000, 10_000)]).toEqual([0, 0]);
		expect([await started(1, 20_000), await started(1, 0)]).toEqual([1, 1]);
	});

	it.each([null, 7, 'x', {}, [1, null, {}], new Array(9_000).fill('x')].map((kept) => [kept]))(
		'takes no harm from static data that hold something else',
		async (repeats) => {
			const trigger = ignoring();
			trigger.workflow.store({ repeats });
			expect(await send(trigger)).toMatchObject(STARTED);
			expect(trigger.workflow.stored.length).toBeLessThan(6000);
			expect(await send(restarted(trigger))).toMatchObject(REPEATED);
		},
	);

	it('does not apply to test events, which are sent again and again', async () => {
		const trigger = ignoring();
		for (let time = 0; time < 2; time++) {
			const { items } = await trigger.deliver(signed(JSON.stringify(event)), 'manual');
			expect(items).toMatchObject([{ body: event }]);
		}
	});
});
