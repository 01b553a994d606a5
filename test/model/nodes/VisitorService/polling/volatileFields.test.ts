import {
	type Habits,
	HOUR,
	MINUTE,
	PolledTenant,
	SECOND,
} from '../../../../unit/nodes/VisitorService/polling/polledTenant';
import { SimulatedTrigger } from '../../../../unit/nodes/VisitorService/polling/simulatedTrigger';
import {
	changeMany,
	sorted,
	started,
} from '../../../../unit/nodes/VisitorService/polling/startedTrigger';

describe('fields that differ in each answer', () => {
	it('takes no user for changed because a field differs in each answer', async () => {
		const { tenant, trigger } = await started({ volatileField: true });
		tenant.pass(MINUTE + 7);
		const change = tenant.change('a');
		tenant.pass(5 * SECOND);
		expect(await trigger.poll()).toEqual([change]);
		for (let poll = 0; poll < 8; poll++) {
			tenant.pass(MINUTE);
			expect(await trigger.poll()).toEqual([]);
		}
	});
});

describe('fields that differ in each answer if times are coarse', () => {
	const shown = ['isoSeconds', 'epochS', 'isoLocal', 'iso'] as const;
	it.each(
		shown.flatMap((updatedAtFormat) => [1, 150].map((count) => ({ updatedAtFormat, count }))),
	)(
		'repeats no user if a field differs in each answer and times are coarse: %p',
		async ({ updatedAtFormat, count }) => {
			const { tenant, trigger } = await started({ list: { updatedAtFormat }, volatileField: true });
			tenant.pass(7 * MINUTE);
			const changes = changeMany(tenant, count);
			for (let poll = 0; poll < 60; poll++) {
				tenant.pass(5 * MINUTE);
				await trigger.poll();
			}
			expect(sorted(trigger.emitted)).toEqual(changes);
		},
	);
});

/** A trigger that polls a list whose records show no update times, and compares it. */
class Compared {
	readonly tenant: PolledTenant;

	readonly trigger: SimulatedTrigger;

	readonly notes: string[] = [];

	constructor(
		users: number,
		volatileField: Habits['volatileField'],
		habits: Partial<Pick<Habits, 'showsCreation'>> = {},
		ignoreFields: string[] = [],
	) {
		this.tenant = new PolledTenant({
			...habits,
			volatileField,
			list: { updatedAtField: null },
		});
		changeMany(this.tenant, users);
		this.trigger = new SimulatedTrigger(this.tenant, {
			acceptsUpdatedSince: false,
			ignoreFields,
		});
	}

	/** @returns what each of so many polls emitted, `pause` after each other */
	async polls(count: number, pause: number): Promise<number[][]> {
		const emitted: number[][] = [];
		for (let poll = 0; poll < count; poll++) {
			emitted.push(await this.trigger.poll());
			this.notes.push(...this.trigger.notes);
			this.tenant.pass(pause);
		}
		return emitted;
	}
}

it('compares what a record holds no longer than it may change without a new time, even if that has no zone', async () => {
	const list = { updatedAtFormat: 'isoLocal' as const };
	const { tenant, trigger } = await started({ list, volatileField: HOUR });
	tenant.pass(SECOND);
	const change = tenant.change('a');
	for (let poll = 0; poll < 20; poll++) {
		tenant.pass(10 * MINUTE);
		await trigger.poll();
	}
	expect(trigger.emitted).toEqual([change]);
});

describe('fields that are renewed now and then', () => {
	const renewals = async (ignoreFields: string[]) => {
		const compared = new Compared(12, HOUR, {}, ignoreFields);
		await compared.polls(60, 5 * MINUTE);
		return compared;
	};

	it('count as changes, and a warning names the field and the option', async () => {
		const { notes, trigger } = await renewals([]);
		expect(trigger.emitted).toHaveLength(4 * 12);
		expect(notes).toEqual([expect.stringMatching(/^"photo" differs in all users .*Ignore Fields/)]);
	});

	it('do not count if the user names them, and nothing else is hidden', async () => {
		const compared = await renewals(['photo']);
		expect(compared.trigger.emitted).toEqual([]);
		const change = compared.tenant.change('user-7');
		expect((await compared.polls(30, 5 * MINUTE)).flat()).toEqual([change]);
		expect(compared.notes).toEqual([]);
	});

	it('stop counting when the user names them while the trigger runs', async () => {
		const compared = await renewals([]);
		compared.trigger.settings.ignoreFields = ['photo'];
		compared.trigger.emitted.length = 0;
		await compared.polls(60, 5 * MINUTE);
		// What was remembered with the field cannot be compared any more.
		expect(compared.trigger.emitted).toHaveLength(12);
	});

	it('emits each change of all records, also if somebody changes one of them in between', async () => {
		const compared = new Compared(12, false);
		await compared.polls(2, MINUTE);
		for (let round = 0; round < 12; round++) {
			const changes = changeMany(compared.tenant, 12);
			expect(await compared.polls(1, MINUTE)).toEqual([changes]);
			if (round % 4 !== 3) continue;
			const change = compared.tenant.change('user-3');
			expect(await compared.polls(1, MINUTE)).toEqual([[change]]);
		}
	});

	it('emits each of three states of one day although a field is renewed in all records', async () => {
		const { tenant, trigger } = await started({
			list: { updatedAtFormat: 'isoDate' },
			volatileField: 10 * MINUTE,
		});
		for (let round = 0; round < 3; round++) {
			const change = tenant.change('visit');
			tenant.pass(10 * MINUTE);
			expect(await trigger.poll()).toContain(change);
		}
	});
});
