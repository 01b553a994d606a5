import { defaultSwitches, type Fault } from '../../reference-service';
import { mergeSwitches } from '../../reference-service/switches';

describe('mergeSwitches', () => {
	it('merges groups and replaces everything else', () => {
		const switches = defaultSwitches();
		mergeSwitches(switches, { list: { latencyMs: 5, updatedSince: { inclusive: false } } });
		mergeSwitches(switches, { list: { sortSpellings: ['-field'] } });

		const expected = defaultSwitches();
		expected.list.latencyMs = 5;
		expected.list.updatedSince.inclusive = false;
		expected.list.sortSpellings = ['-field'];
		expect(switches).toEqual(expected);
	});

	it('leaves the lists it was given alone', () => {
		const faults: Fault[] = ['reset'];
		const switches = defaultSwitches();
		mergeSwitches(switches, { token: { faults } });
		switches.token.faults.shift();
		expect(faults).toEqual(['reset']);
	});

	it.each([
		['a misspelt switch', { list: { envelop: 'data' } }, 'There is no switch "list.envelop".'],
		['a misspelt group', { lists: {} }, 'There is no switch "lists".'],
		['an inherited name', { toString: 1 }, 'There is no switch "toString".'],
		['a value for a group', { list: null }, 'The switch "list" is a group of switches.'],
	])('refuses %s and changes nothing', (_, change, message) => {
		const switches = defaultSwitches();
		const both = { clockOffsetMs: 1, ...change };
		expect(() => mergeSwitches(switches, both as object)).toThrow(message);
		expect(switches).toEqual(defaultSwitches());
	});
});
