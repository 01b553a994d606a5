import { LISTED_RESOURCES, type ListedResource } from '../listing/resources';
import { type Conversation, isAnswered, isSuccess, type Reply } from './conversation';
import { type Check, type Finding, ok, unknown, warning } from './finding';
import { findList } from './userPages';

interface PathCheck {
	check: Check;
	resource: ListedResource;
	/** Other segments services use for the same list. */
	alternatives: readonly string[];
}

const PATH_CHECKS: readonly PathCheck[] = [
	{
		check: 'companiesPath',
		resource: LISTED_RESOURCES.company,
		alternatives: ['company', 'organizations'],
	},
	{ check: 'visitsPath', resource: LISTED_RESOURCES.visit, alternatives: ['visit'] },
	{ check: 'tasksPath', resource: LISTED_RESOURCES.task, alternatives: ['task', 'todos'] },
];

/**
 * Whether the lists are where the node looks for them by default.
 *
 * @param unknownPath what a path that does not exist gets
 */
export async function checkDefaultPaths(
	conversation: Conversation,
	unknownPath: Reply,
): Promise<Finding[]> {
	const findings: Finding[] = [];
	for (const path of PATH_CHECKS) {
		const { segment } = path.resource;
		const reply = await conversation.ask(segment, { pageSize: 1 });
		findings.push(judgePath(path, segment, reply, unknownPath));
	}
	return findings;
}

/** Looks elsewhere for the lists that are not there, as long as the budget lasts. */
export async function checkOtherPaths(
	conversation: Conversation,
	unknownPath: Reply,
	defaultPaths: readonly Finding[],
): Promise<Finding[]> {
	const findings: Finding[] = [];
	for (const path of PATH_CHECKS) {
		const standard = defaultPaths.find(({ check }) => check === path.check);
		if (standard?.observed === null) {
			findings.push(...(await findElsewhere(path, conversation, unknownPath)));
		}
	}
	return findings;
}

async function findElsewhere(
	path: PathCheck,
	conversation: Conversation,
	unknownPath: Reply,
): Promise<Finding[]> {
	const { check, resource, alternatives } = path;
	const tried = [resource.segment];
	for (const segment of alternatives) {
		if (conversation.stopReason !== undefined) break;
		const reply = await conversation.ask(segment, { pageSize: 1 });
		const finding = judgePath(path, segment, reply, unknownPath);
		if (finding.observed !== null) return [finding];
		tried.push(segment);
	}
	if (tried.length === 1) return [];
	return [
		unknown(
			check,
			`No list of ${resource.plural} shows at ${tried.join(', ')}. Ask the operator of the service for the path.`,
		),
	];
}

function judgePath(
	{ check, resource }: PathCheck,
	segment: string,
	reply: Reply,
	unknownPath: Reply,
): Finding {
	if (!isAnswered(reply)) return unknown(check, reply.reason);
	if (isSuccess(unknownPath)) {
		return unknown(
			check,
			'Paths that do not exist are answered with success too, so nothing can be told.',
		);
	}
	const setting = { pathSegment: segment };
	if (isSuccess(reply)) {
		const found = findList(reply.answer, resource.keys);
		if ('reason' in found) return unknown(check, `${segment}: ${found.reason}`);
		return segment === resource.segment
			? ok(check, segment, `There is a list at ${segment}.`, setting)
			: warning(
					check,
					segment,
					`There is a list at ${segment}. Confirm with the operator of the service that it is the list of ${resource.plural}.`,
					setting,
				);
	}
	const { statusCode } = reply.answer;
	if (!isAnswered(unknownPath)) {
		return unknown(
			check,
			`${segment} gets status ${statusCode}, and what an unknown path gets is not known.`,
		);
	}
	if (statusCode === unknownPath.answer.statusCode) {
		return unknown(
			check,
			`${segment} gets status ${statusCode}, as a path that does not exist. Ask the operator of the service for the path.`,
		);
	}
	if (statusCode === 403) {
		return warning(
			check,
			segment,
			`There is something at ${segment}, but this client may not read it. Ask the operator of the service for the permission.`,
			setting,
		);
	}
	return unknown(
		check,
		`${segment} gets status ${statusCode}, which does not show whether there is a list.`,
	);
}
