import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

/** Path Segment of each list whose path is not documented. */
export function pathSegments(show: IDisplayOptions['show'] = {}): INodeProperties[] {
	return [
		pathSegment('company', 'companies', show),
		pathSegment('task', 'tasks', show),
		pathSegment('visit', 'visits', show),
		{
			...pathSegment('other', '', show),
			placeholder: 'e.g. badges',
			hint: 'What follows the API version in the URL of the list, such as badges or users/7/visits.',
		},
	];
}

function pathSegment(
	resource: string,
	segment: string,
	show: IDisplayOptions['show'],
): INodeProperties {
	return {
		displayName: 'Path Segment',
		name: 'pathSegment',
		type: 'string',
		default: segment,
		required: true,
		displayOptions: { show: { ...show, resource: [resource] } },
		description:
			'Last part of the URL of this list. <a href="https://github.com/n8n-nodes-visitor-service/n8n-nodes-visitor-service/blob/main/docs/service-provider.md" target="_blank">What to ask for</a>.',
		hint: 'Part of the URL of this list. The default is a guess: ask your service provider if it fails.',
	};
}
