import { checkAccess } from './access';
import { checkBadParameter, checkHeaders, checkPaths } from './answers';
import { Conversation, type DiagnosedTenant, TOKENS_END_EARLY } from './conversation';
import { checkSort, checkUpdatedSince } from './filters';
import { CHECKS, concealed, type Finding, unknown } from './finding';
import { checkSizes, findNumbering, NUMBERINGS } from './pages';
import { type Recommendation, recommend, tryList } from './recommendation';
import { summarize } from './summary';
import { describeUsers, Users } from './users';

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
	const { found, isIssued, first } = await checkAccess(conversation);
	const users = first && new Users(conversation, first);
	let recommendation: Recommendation | undefined;
	if (users !== undefined) {
		const standard = await tryList(users, {});
		const numbering = await findNumbering(users);
		const sizes = await checkSizes(users, numbering);
		recommendation = await recommend(users, standard, numbering, sizes.largest);
		found.push(...sizes.found, ...NUMBERINGS[numbering]);
		found.push(...(await checkUpdatedSince(users, tenant.clock.now())), ...describeUsers(users));
	}
	if (isIssued) found.push(...(await checkPaths(conversation)));
	if (users) found.push(await checkBadParameter(conversation), ...(await checkSort(users)));
	// The authorization server may be another machine.
	found.push(...checkHeaders(conversation.attempts.filter(({ method }) => method === 'GET')));
	const { renewal, secrets } = conversation;
	if (renewal === true) found.unshift(unknown('tokenLifetime', TOKENS_END_EARLY.message));
	const complete = CHECKS.map((check) => {
		const one = found.find((other) => other.check === check) ?? unknown(check);
		return concealed(one, check, secrets);
	});
	return [
		summarize(complete, recommendation),
		...complete.map(({ title, status, meaning, setting, observed, check }) => {
			return { title, status, meaning, setting, observed, check };
		}),
	];
}
