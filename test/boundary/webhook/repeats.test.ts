import { RECEIVED_AT, signed, Trigger } from './trigger';

const event = { event: 'visit.created', id: 'event-1' };
const ignoring = () => new Trigger({ options: { ignoreRepeats: true } });
const send = async (trigger: Trigger, sent: unknown = event) =>
	await trigger.deliver(signed(JSON.stringify(sent)));

const STARTED = { statusCode: 0 };
const REPEATED = { statusCode: 200, answer: { message: 'Already received' } };
const PUT_OFF = { statusCode: 503, items: [] };
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

beforeEach(() => jest.spyOn(Date, 'now').mockReturnValue(RECEIVED_AT));
afterEach(() => jest.restoreAllMocks());

describe('Ignore Repeats', () => {
	it('makes exactly one execution of 50 deliveries that come at once', async () => {
		const trigger = ignoring();
		const answers = await Promise.all(Array.from({ length: 50 }, async () => await send(trigger)));
		// The others do not know yet what becomes of the first: their senders are to try again.
		const codes = answers.map(({ statusCode }) => statusCode).sort();
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
		'knows by the answer what became of a sender that hung up, minutes later too (n8n fails: %p)',
		async (isFailing) => {
			const trigger = ignoring();
			const { host, workflow } = trigger;
			const pass = async (milliseconds: number) => {
				await host.during(async () => await host.time.sleep(milliseconds));
				jest.mocked(Date.now).mockReturnValue(host.time.now());
			};
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

	it('remembers across a restart what is in the static data, which stay small', async () => {
		const trigger = ignoring();
		for (let index = 0; index < 400; index++)
			expect(await send(trigger, { ...event, id: `event-${index}` })).toMatchObject(STARTED);
		// What a process remembers is that of a workflow: another one stands for another process.
		const restarted = ignoring();
		const { stored } = trigger.workflow;
		expect(stored.length).toBeLessThan(6000);
		restarted.workflow.stored = stored;
		expect(await send(restarted, { ...event, id: 'event-399' })).toMatchObject(REPEATED);
	});

	it('does not apply to test events, which are sent again and again', async () => {
		const trigger = ignoring();
		for (let time = 0; time < 2; time++) {
			const { items } = await trigger.deliver(signed(JSON.stringify(event)), 'manual');
			expect(items).toMatchObject([{ body: event }]);
		}
	});
});
