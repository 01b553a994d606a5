import { containsSecret, REDACTED } from '../values/serverText';
import { checkAccess, checkHeaders, checkPaths } from './access';
import { type DiagnosedTenant, DiagnosisSession, TOKENS_REJECTED } from './diagnosisSession';
import { checkSort, checkUpdatedSince } from './filters';
import { CHECKS, type Finding, unknown } from './finding';
import { checkSizes } from './pageSizes';
import { needsSort, type Outcome, recommend, trialRun } from './recommendation';
import { summarize } from './summary';
import { checkNumbering, describeUsers, Users } from './users';

/**
 * Finds out what the interface document does not show, by requests that only read. It gets two
 * tokens, which may revoke others. Each check sends as few requests as possible; what responses do
 * not show is unknown. The most important checks run first, because the budget may be spent.
 *
 * @returns the summary, then one finding for each check, even if it is unknown
 * @throws only if the execution was cancelled
 */
export async function diagnoseTenant(tenant: DiagnosedTenant): Promise<Finding[]> {
	const session = new DiagnosisSession(tenant);
	const { findings, secrets, tokens } = session;
	const first = await checkAccess(session);
	const users = first && new Users(session, first);
	let outcome: Outcome | undefined;
	if (users !== undefined) {
		const standard = await trialRun(users, {});
		await checkNumbering(users);
		users.hasRepeats = standard.kind === 'read' && standard.hasRepeats && users.isPaged;
		const largest = await checkSizes(users);
		outcome = await recommend(users, standard, largest);
		await checkUpdatedSince(users);
		describeUsers(users);
		// Then nothing matters more.
		if (users.hasRepeats && (await checkSort(users))) outcome = needsSort(outcome);
	}
	if (tokens.length > 0) await checkPaths(session);
	if (users?.hasRepeats === false) await checkSort(users);
	if (users !== undefined && tokens.length === 0)
		findings.unshift(unknown('tokenLifetime', TOKENS_REJECTED.message));
	checkHeaders(session);
	const redacted = (finding: Finding): Finding =>
		containsSecret(JSON.stringify(finding), secrets)
			? { title: finding.title, status: 'unknown', meaning: REDACTED, check: finding.check }
			: finding;
	const complete = CHECKS.map((check) => {
		const found = findings.find((finding) => finding.check === check) ?? unknown(check);
		// The finding of an exchange quotes nothing of its response.
		return check === 'tokenExchange' ? found : redacted(found);
	});
	// Each sentence of it is of a finding, or of a failure from which secrets were removed.
	return [summarize(complete, outcome), ...complete];
}
