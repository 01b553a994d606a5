import { ServiceFailure } from '../failure/serviceFailure';
import { COMPARISONS, type Condition } from '../match/conditions';
import type { MatchRules } from '../match/recordMatch';
import type { JsonObject } from '../values/json';
import { readChoice, readRows, readText } from './parameters';

/**
 * What the parameters of `conditionParameters` are set to.
 *
 * @param read the value of a parameter; nothing if it is hidden
 * @throws ServiceFailure that names the parameter
 */
export function readMatch(read: (name: string) => unknown): MatchRules {
	return {
		type: readChoice(read('matchType'), 'Must Match', ['all', 'any']),
		conditions: readRows(read('match'), 'conditions', 'Conditions').map(readCondition),
	};
}

function readCondition({ field, condition, value }: JsonObject): Condition {
	const comparison = readChoice(condition, 'Condition', COMPARISONS);
	return { field: readFieldOf(field, 'A condition names no field.'), comparison, value };
}

/** @throws ServiceFailure with this message if nothing is set */
export function readFieldOf(value: unknown, message: string): string {
	const name = readText(value, 'Field Name or ID');
	if (name !== '') return name;
	throw new ServiceFailure(
		message,
		'Set Field Name or ID, or remove the condition. If it is an expression, check what it returns.',
		{ kind: 'configuration' },
	);
}
