import { LISTED_RESOURCES } from '../listing/resources';
import { Conversation, type DiagnosedTenant } from './conversation';
import { concealed, type Finding, Findings } from './finding';
import { checkClockDifference, checkRateLimit } from './headerChecks';
import { checkNumbering } from './numberingCheck';
import { checkDefaultPageSize, checkMaxPageSize } from './pageSizeChecks';
import { gatherPagingFacts } from './pagingFacts';
import { checkDefaultPaths, checkOtherPaths } from './pathChecks';
import {
	checkIdField,
	checkMetadata,
	checkUpdatedAtField,
	gatherRecordFacts,
} from './recordChecks';
import {
	checkBadParameter,
	checkBadToken,
	checkFailureOfBadParameter,
	checkUnknownPath,
} from './refusalChecks';
import { checkSort } from './sortChecks';
import { summarize } from './summary';
import { checkEarlyDeath, checkTokenExchange, checkTokenRevocation } from './tokenChecks';
import { checkUpdatedSince } from './updatedSinceChecks';
import type { UserPages } from './userPages';
import { checkUsersList } from './usersChecks';

/**
 * Finds out what the interface document does not show, by reading only and with at most 25 requests: one finding per
 * check, the summary last. What a tenant refuses, or what its data cannot show, is a finding too.
 *
 * @throws only where the execution was cancelled
 */
export async function diagnoseTenant(tenant: DiagnosedTenant): Promise<Finding[]> {
	const conversation = new Conversation(tenant);
	const findings = new Findings();
	const reason = await askEverything(conversation, tenant, findings);
	const { answers, requests } = conversation.polite;
	findings.add(checkRateLimit(answers), checkClockDifference(answers));
	const complete = findings
		.complete(reason)
		.map((finding) => concealed(finding, conversation.secrets));
	return [...complete, summarize(complete, requests)];
}

/** @returns why what was not asked is unknown */
async function askEverything(
	conversation: Conversation,
	tenant: DiagnosedTenant,
	findings: Findings,
): Promise<string> {
	const exchange = await checkTokenExchange(conversation);
	findings.add(...exchange.findings);
	if (exchange.tokens === undefined) {
		// It needs no token, and shows whether the tenant can be reached.
		findings.add(await checkBadToken(conversation));
		return 'There is no token to ask with.';
	}
	const { reply, finding } = await checkTokenRevocation(conversation, exchange.tokens);
	const path = new URL(`${tenant.address}/${LISTED_RESOURCES.user.segment}`).pathname;
	const users = checkUsersList(conversation, reply, path);
	findings.add(finding, ...users.findings);

	// What listings depend on comes first, for the budget may be used up before everything is asked.
	const list = users.pages === undefined ? undefined : await readList(users.pages, findings);
	findings.add(await checkBadToken(conversation));
	if (list !== undefined) findings.add(await checkBadParameter(conversation));
	const unknownPath = await checkUnknownPath(conversation);
	findings.add(unknownPath.finding);
	if (list !== undefined) {
		const now = tenant.clock.now();
		findings.add(
			...(await checkUpdatedSince(list.pages, list.paging, list.records.updateTimes, now)),
		);
	}
	const paths = await checkDefaultPaths(conversation, unknownPath.reply);
	findings.add(...paths);
	if (list !== undefined) findings.add(await checkSort(list.pages, list.paging, list.records));
	findings.add(...(await checkOtherPaths(conversation, unknownPath.reply, paths)));
	findings.add(
		...checkEarlyDeath(conversation),
		...checkFailureOfBadParameter(conversation, findings.get('badParameterAnswer')),
	);
	return 'The users list cannot be read.';
}

async function readList(pages: UserPages, findings: Findings) {
	const paging = await gatherPagingFacts(pages);
	findings.add(...(await checkNumbering(pages, paging)));
	findings.add(await checkMaxPageSize(pages, paging));
	findings.add(await checkDefaultPageSize(pages, paging));
	const records = gatherRecordFacts(paging);
	findings.add(
		checkIdField(records, paging),
		checkUpdatedAtField(records, paging),
		checkMetadata(paging),
	);
	return { pages, paging, records };
}
