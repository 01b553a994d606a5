import { checkLifetime, exchangeTwice, readUsers } from './access';
import { checkClockDifference, checkMetadata, checkRateLimit, findFields } from './answers';
import { Conversation, type DiagnosedTenant } from './conversation';
import { CHECKS, type Check, concealed, type Finding, type Found, unknown } from './finding';
import { describeNumbering, findNumbering } from './numbering';
import { findPaths } from './paths';
import { type Recommendation, recommend, UNCLEAR, withRecommended } from './recommendation';
import { checkBadParameter, checkBadToken, checkUnknownPath } from './refusals';
import { findPageSizes } from './sizes';
import { checkSort } from './sort';
import { summarize } from './summary';
import { checkUpdatedSince } from './updatedSince';
import { ListedUsers, type Users } from './users';

/**
 * Finds out what the interface document does not show: does what users do, and looks. Reads only.
 *
 * @returns the summary, then one finding for each check, also of what was refused or is not shown
 * @throws only if the execution was cancelled
 */
export async function diagnoseTenant(tenant: DiagnosedTenant): Promise<Finding[]> {
	const conversation = new Conversation(tenant);
	const { findings, recommendation = UNCLEAR } = await ask(conversation, tenant.itemsPath ?? '');
	// The authorization server may be another machine.
	const own = conversation.polite.attempts.filter(({ request }) => request.method === 'GET');
	const all = [checkLifetime(conversation), checkRateLimit(own), checkClockDifference(own)];
	// What all answers show counts more than what a token announced.
	const complete = settled(conversation, CHECKS, [...all, ...findings])
		.map((finding) => withRecommended(finding, recommendation))
		.map((finding) => concealed(finding, conversation.secrets));
	return [summarize(complete, recommendation), ...complete];
}

/** In the order of importance: the budget may be used up before everything is asked. */
async function ask(
	conversation: Conversation,
	itemsPath: string,
): Promise<{ findings: Found[]; recommendation?: Recommendation }> {
	const { tokens, findings: exchanged } = await exchangeTwice(conversation);
	const { users, findings: readable, badToken } = await readUsers(conversation, tokens, itemsPath);
	// It needs no token, and shows whether the tenant can be reached.
	const findings = [...exchanged, ...readable, await checkBadToken(conversation, badToken)];
	if (tokens.length === 0) return { findings };
	const list = users && (await askList(conversation, users));
	const unknownPath = await checkUnknownPath(conversation);
	const usualPaths = await findPaths(conversation, unknownPath.observed);
	if (list) findings.push(await checkSort(list.known), await checkBadParameter(conversation));
	const paths = await findPaths(conversation, unknownPath.observed, usualPaths);
	findings.push(...(list?.findings ?? []), unknownPath, ...paths);
	return { findings, recommendation: list?.recommendation };
}

/** What a check learnt is given to the ones that build on it, so that none can be asked before. */
async function askList(
	conversation: Conversation,
	users: Users,
): Promise<{ findings: Found[]; recommendation: Recommendation; known: ListedUsers }> {
	const settle = (checks: Check[], found: Found[]) => settled(conversation, checks, found);
	const known = await ListedUsers.read(users);
	const numbering = await findNumbering(known);
	const pages = settle(['firstPageNumber', 'pageHonoured'], describeNumbering(numbering));
	const { findings, useful } = await findPageSizes(known, numbering);
	const sizes = settle(['defaultPageSize', 'pageSizeHonoured', 'maxPageSize'], findings);
	const recommendation = await recommend(known, numbering, useful);
	const fields = findFields(users);
	const pollingNeeds = fields.flatMap(({ check, status }) =>
		status === 'unknown' ? [check === 'idField' ? 'ID Path' : 'Updated At Path'] : [],
	);
	const filter = await checkUpdatedSince(known, conversation.tenant.clock.now());
	const since = settle(['updatedSinceFormat', 'updatedSinceInclusive'], filter);
	return {
		known,
		findings: [...pages, ...sizes, ...fields, checkMetadata(users), ...since],
		recommendation: { ...recommendation, pollingNeeds },
	};
}

/** What is not found is unknown; if nothing may be asked any more, that may be the reason. */
function settled({ stopReason }: Conversation, checks: Check[], found: Found[]): Finding[] {
	const find = (check: Check) => found.find((finding) => finding?.check === check);
	return checks.map((check) => find(check) ?? unknown(check, stopReason));
}
