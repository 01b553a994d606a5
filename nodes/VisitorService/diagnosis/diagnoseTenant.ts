import {
	checkBadParameter,
	checkClockDifference,
	checkRateLimit,
	checkUnknownPath,
	findPaths,
} from './answers';
import { Conversation, type DiagnosedTenant } from './conversation';
import { checkSort, checkUpdatedSince } from './filters';
import { CHECKS, concealed, type Finding, type Found, unknown } from './finding';
import { describeNumbering, findNumbering, findPageSizes } from './pages';
import { type Recommendation, recommend, UNCLEAR } from './recommendation';
import { summarize } from './summary';
import { checkAccess } from './token';
import { describeUsers, Users } from './users';

/**
 * Finds out what the interface document does not show: does what users do, and looks. Reads only.
 * Each check is a question or two; what the answers do not show is unknown.
 *
 * @returns the summary, then one finding for each check, also of what was refused or is not shown
 * @throws only if the execution was cancelled
 */
export async function diagnoseTenant(tenant: DiagnosedTenant): Promise<Finding[]> {
	const conversation = new Conversation(tenant);
	const { findings, isIssued, first } = await checkAccess(conversation);
	const users = first && new Users(conversation, first);
	const list = users && (await askList(users, tenant.clock.now()));
	const { recommendation = UNCLEAR } = list ?? {};
	findings.push(...(list?.findings ?? []));
	if (isIssued) {
		const unknownPath = await checkUnknownPath(conversation);
		const paths = await findPaths(conversation, unknownPath);
		if (users) findings.push(await checkSort(users), await checkBadParameter(conversation));
		findings.push(unknownPath, ...(await findPaths(conversation, unknownPath, paths)));
	}
	// The authorization server may be another machine.
	const own = conversation.attempts.filter(({ method }) => method === 'GET');
	findings.push(checkRateLimit(own), checkClockDifference(own));
	const complete = CHECKS.map((check) => {
		const found = findings.find((finding) => finding?.check === check);
		const isEarly = check === 'tokenLifetime' && conversation.renewal === 'helped';
		const early = 'A token was refused during the diagnosis, so it was not valid for long.';
		const said = isEarly
			? unknown(check, early)
			: (found ?? unknown(check, conversation.stopReason));
		return concealed(said, conversation.secrets);
	});
	return [summarize(complete, recommendation), ...complete];
}

/** In the order of importance: the budget may be used up before everything is asked. */
async function askList(
	users: Users,
	now: number,
): Promise<{ findings: Found[]; recommendation: Recommendation }> {
	const standard = await users.list({});
	const numbering = await findNumbering(users);
	const { findings: sizes, useful } = await findPageSizes(users, numbering);
	const recommendation = await recommend(users, standard, numbering, useful);
	const since = await checkUpdatedSince(users, now);
	const described = [...describeUsers(users), ...describeNumbering(numbering), ...sizes];
	return { findings: [...described, ...since], recommendation };
}
