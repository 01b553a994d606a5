import { TriggerMemory } from '../../../../../nodes/VisitorService/webhook/triggerMemory';

it('of very many triggers the quietest are forgotten first', () => {
	const memory = new TriggerMemory();
	const claim = (trigger: string, stored: unknown = []) =>
		memory.repeats(trigger, stored).claim('event');
	// As many as static data hold of one trigger, and together more than are remembered in all.
	const digests = Array.from({ length: 250 }, (_, place) => `digest ${place}`);
	expect([claim('quiet', digests), claim('busy', digests)]).toEqual(['first', 'first']);
	for (let count = 0; count < 2_000; count++) {
		claim(`trigger ${count}`, digests);
		if (count % 500 === 0) expect(claim('busy')).not.toBe('first');
	}
	expect(claim('busy')).not.toBe('first');
	expect(claim('quiet')).toBe('first');
});
