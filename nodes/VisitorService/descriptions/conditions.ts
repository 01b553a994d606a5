import type { INodeProperties } from 'n8n-workflow';

/** A menu of `getFields`, loaded again when another list is chosen. */
export const fieldsOfList = {
	loadOptionsMethod: 'getFields',
	loadOptionsDependsOn: ['resource', 'pathSegment', 'options.itemsPath', 'options.queryParameters'],
};

/**
 * A field, chosen from those of the records that the service returns, or typed. It depends on no
 * other parameter, else the editor would clear it when that changes; the list is read when opened.
 */
export const fieldOfList: INodeProperties = {
	displayName: 'Field',
	name: 'field',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	description: 'Field to compare: a name, or a path such as host.email for a field in another one',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod: 'searchFields', searchable: true },
		},
		{ displayName: 'By Name', name: 'name', type: 'string', placeholder: 'e.g. host.email' },
	],
};

const comparisons = [
	{ name: 'After', value: 'after' },
	{ name: 'Before', value: 'before' },
	{ name: 'Contains', value: 'contains' },
	{ name: 'Equals', value: 'equals' },
	{ name: 'Is Empty', value: 'isEmpty' },
	{ name: 'Is Not Empty', value: 'isNotEmpty' },
	{ name: 'Is on Day', value: 'isOnDay' },
	{ name: 'Is Today', value: 'isToday' },
	{ name: 'Is Within Last Hours', value: 'withinLastHours' },
	{ name: 'Is Within Next Hours', value: 'withinNextHours' },
	{ name: 'Not Equals', value: 'notEquals' },
	{ name: 'Starts With', value: 'startsWith' },
];

const comparison: INodeProperties = {
	displayName: 'Condition',
	name: 'condition',
	type: 'options',
	options: comparisons,
	default: 'equals',
	description: 'Letter case does not matter. Days are those of the time zone of the workflow.',
};

const comparedValue: INodeProperties = {
	displayName: 'Value',
	name: 'value',
	type: 'string',
	default: '',
	placeholder: 'e.g. anna@example.com',
	displayOptions: { hide: { condition: ['isEmpty', 'isNotEmpty', 'isToday'] } },
	description:
		'For Before and After a time or a date; 2026-01-31 means the start of that day. For hours a number such as 8.',
};

/** Must Match and Conditions. @param what they choose, e.g. "Return only records" */
export function conditionParameters(what: string, field: INodeProperties): INodeProperties[] {
	return [
		{
			displayName: 'Must Match',
			name: 'matchType',
			type: 'options',
			options: [
				{ name: 'All Conditions', value: 'all' },
				{ name: 'Any Condition', value: 'any' },
			],
			default: 'all',
			description: 'Whether all conditions must hold, or one of them is enough',
		},
		{
			displayName: 'Conditions',
			name: 'match',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			placeholder: 'Add Condition',
			default: {},
			description: `${what} that match. Without a condition everything matches.`,
			options: [
				{
					displayName: 'Conditions',
					name: 'conditions',
					values: [field, comparison, comparedValue],
				},
			],
		},
	];
}
