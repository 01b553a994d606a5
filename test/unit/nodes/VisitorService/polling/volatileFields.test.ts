import { MINUTE, SECOND } from './polledTenant';
import { changeMany, sorted, started } from './startedTrigger';

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
