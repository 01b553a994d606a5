import { USUAL_PAGE_SIZE } from '../listing/pageSize';
import { checkBadParameter, checkClockDifference, checkPaths, checkRateLimit } from './answers';
import { Conversation, type DiagnosedTenant } from './conversation';
import { checkSort, checkUpdatedSince } from './filters';
import { CHECKS, concealed, type Finding, unknown } from './finding';
import { checkPageSizes, findNumbering, findUsefulSize, NUMBERINGS } from './pages';
import { type Recommendation, recommend, tryList } from './recommendation';
import { summarize } from './summary';
import { checkAccess } from './token';
import { describeMetadata, describeUsers, Users } from './users';

/**
 * Finds out what the interface document does not show: does what users do, and looks. Reads only.
 * Each check is a question or two; what the answers do not show is unknown. They are in the order
 * of importance: the budget may be used up before everything is asked.
 *
 * @returns the summary, then one finding for each check, also of what was refused or is not shown
 * @throws only if the execution was cancelled
 */
export async function diagnoseTenant(tenant: DiagnosedTenant): Promise<Finding[]> {
	const conversation = new Conversation(tenant);
	const { findings, isIssued, first } = await checkAccess(conversation);
	const users = first && new Users(conversation, first);
	let recommendation: Recommendation | undefined;
	if (users !== undefined) {
		const standard = await tryList(users, {});
		const isShort = standard.whole && standard.keys.size <= USUAL_PAGE_SIZE;
		const size = await findUsefulSize(users, isShort && standard.isRead === true);
		const numbering = await findNumbering(users);
		recommendation = await recommend(users, standard, numbering, size);
		const sizes = await checkPageSizes(users);
		findings.push(...sizes);
		// A larger one would be cut to it, so that Page above 0 began elsewhere.
		const most = Number(sizes.find(({ check }) => check === 'maxPageSize')?.observed ?? Infinity);
		const { pageSize = 0, ...others } = recommendation.values;
		if (pageSize > most) {
			const values = most > USUAL_PAGE_SIZE ? { ...others, pageSize: most } : others;
			recommendation = { ...recommendation, values };
		}
		findings.push(...(await checkUpdatedSince(users, tenant.clock.now())));
		findings.push(...describeUsers(users), describeMetadata(users), ...NUMBERINGS[numbering]);
	}
	if (isIssued) findings.push(...(await checkPaths(conversation)));
	if (users) findings.push(await checkBadParameter(conversation), await checkSort(users));
	// The authorization server may be another machine.
	const own = conversation.attempts.filter(({ method }) => method === 'GET');
	findings.push(checkRateLimit(own), checkClockDifference(own));
	const complete = CHECKS.map((check) => {
		const isEarly = check === 'tokenLifetime' && conversation.renewal === 'helped';
		const early = 'A token was refused during the diagnosis, so it was not valid for long.';
		const found = isEarly ? unknown(check, early) : findings.find((one) => one?.check === check);
		return concealed(found ?? unknown(check, conversation.stopReason), conversation.secrets);
	});
	return [summarize(complete, recommendation), ...complete];
}
