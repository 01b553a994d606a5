import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

/** Path Segment of each list whose path is not documented. */
export function pathSegments(show: IDisplayOptions['show'] = {}): INodeProperties[] {
	return [
		pathSegment('company', 'companies', show),
		pathSegment('task', 'tasks', show),
		pathSegment('visit', 'visits', show),
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
		description: `Last part of the URL of this list, such as ${segment}. <a href="https://github.com/n8n-nodes-visitor-service/n8n-nodes-visitor-service/blob/main/docs/service-provider.md" target="_blank">What to ask for</a>.`,
		hint: 'Not documented. Ask your service provider to confirm it.',
	};
}
