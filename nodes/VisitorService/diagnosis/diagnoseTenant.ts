import { containsSecret } from '../values/serverText';
import { checkAccess, checkBadParameter, checkHeaders, checkPaths } from './access';
import { type DiagnosedTenant, DiagnosisSession, TOKENS_REJECTED } from './diagnosisSession';
import { checkSort, checkUpdatedSince } from './filters';
import { CHECKS, type Finding, unknown } from './finding';
import { type Outcome, recommend, trialRun } from './recommendation';
import { summarize } from './summary';
import { checkNumbering, checkSizes, describeUsers, Users } from './users';

const CONCEALED = 'Not shown: it repeats a secret or a token. Ask your service provider why.';

/**
 * Finds out what the interface document does not show: does what users do, and looks. Reads only,
 * but exchanges two tokens, which may end others. Each check asks as little as tells; what the
 * answers do not show is unknown. They are in the order of importance: the budget may be used up
 * before everything is asked.
 *
 * @returns the summary, then one finding for each check, also of what was refused or is not shown
 * @throws only if the execution was cancelled
 */
export async function diagnoseTenant(tenant: DiagnosedTenant): Promise<Finding[]> {
	const conversation = new DiagnosisSession(tenant);
	const { findings, secrets, tokens } = conversation;
	const first = await checkAccess(conversation);
	const users = first && new Users(conversation, first);
	let outcome: Outcome | undefined;
	if (users !== undefined) {
		const standard = await trialRun(users, {});
		await checkNumbering(users);
		const largest = await checkSizes(users);
		outcome = await recommend(users, standard, largest);
		await checkUpdatedSince(users);
		describeUsers(users);
	}
	if (tokens.length > 0) await checkPaths(conversation);
	if (users) {
		await checkBadParameter(conversation);
		await checkSort(users);
		if (tokens.length === 0) findings.unshift(unknown('tokenLifetime', TOKENS_REJECTED.message));
	}
	checkHeaders(conversation);
	const complete = CHECKS.map((check) => {
		const one = findings.find((other) => other.check === check) ?? unknown(check);
		const isShown = !containsSecret(JSON.stringify(one), secrets);
		return isShown ? one : { ...unknown(check), meaning: CONCEALED };
	});
	return [summarize(complete, outcome), ...complete];
}
