import { Conversation, type DiagnosedTenant, type Query } from './conversation';
import {
	CHECKS,
	type Check,
	concealed,
	type Finding,
	type Found,
	unknown,
	withheld,
} from './finding';
import { checkClockDifference, checkRateLimit } from './headers';
import { describeNumbering, findNumbering } from './numbering';
import { OTHER_LISTS, Paths } from './paths';
import { readUsers } from './readable';
import { type Recommendation, recommend, withRecommended } from './recommendation';
import { checkMetadata, findFields } from './records';
import { checkBadParameter, checkBadToken, checkUnknownPath } from './refusals';
import { findPageSizes, LARGEST_SIZE_ASKED } from './sizes';
import { checkSort } from './sort';
import { summarize } from './summary';
import { checkEarlyRefusal, exchangeTwice } from './tokens';
import { checkUpdatedSince } from './updatedSince';
import type { Users } from './users';

/**
 * Finds out what the interface document does not show: does what users do, and looks. Reads only, with at most 25
 * requests. What a tenant refuses, or what its data cannot show, is a finding too.
 *
 * @returns the summary, then one finding for each check
 * @throws only if the execution was cancelled
 */
export async function diagnoseTenant(tenant: DiagnosedTenant): Promise<Finding[]> {
	const conversation = new Conversation(tenant);
	const findings = new Findings(conversation);
	const recommendation = await ask(conversation, findings, tenant.itemsPath ?? '');
	const { exchanges } = conversation.polite;
	findings.add(
		checkEarlyRefusal(conversation),
		checkRateLimit(exchanges),
		checkClockDifference(exchanges),
	);
	const reason =
		findings.find('usersReadable') === undefined
			? 'Without a token, nothing could be requested.'
			: 'The users list cannot be read.';
	const complete = CHECKS.map((check) => findings.find(check) ?? withheld(check, reason))
		.map((finding) => withRecommended(finding, recommendation))
		.map((finding) => concealed(finding, conversation.secrets));
	return [summarize(complete, recommendation), ...complete];
}

/** What was found so far. Of two findings for one check the later one counts. */
class Findings {
	private readonly found = new Map<Check | 'summary', Finding>();

	constructor(private readonly conversation: Conversation) {}

	find(check: Check): Finding | undefined {
		return this.found.get(check);
	}

	add(...findings: readonly Found[]): void {
		for (const finding of findings) {
			if (finding !== undefined) this.found.set(finding.check, finding);
		}
	}

	/** What was looked for and is not among the findings is unknown. */
	settle(checks: readonly Check[], ...findings: readonly Found[]): void {
		const { stopReason } = this.conversation;
		const untold = (check: Check) =>
			stopReason === undefined ? unknown(check) : withheld(check, stopReason);
		this.add(...checks.map(untold), ...findings);
	}
}

/** Asks in the order of importance, because the budget may be used up before everything is asked. */
async function ask(
	conversation: Conversation,
	findings: Findings,
	itemsPath: string,
): Promise<Recommendation> {
	const exchanges = await exchangeTwice(conversation);
	findings.add(...exchanges.findings);
	const [first, second] = exchanges.tokens;
	if (first === undefined) {
		// It needs no token, and shows whether the tenant can be reached.
		findings.settle(['badTokenAnswer'], await checkBadToken(conversation, {}));
		return { kind: 'unclear' };
	}
	const { users, ...read } = await readUsers(conversation, [first, second], itemsPath);
	findings.settle(['tokenRevocation', 'usersReadable', 'itemsPath'], ...read.findings);
	if (users !== undefined) return await askList(conversation, findings, users, read.itemsPath);
	findings.settle(['badTokenAnswer'], await checkBadToken(conversation, {}));
	await askOtherPaths(findings, await askPaths(conversation, findings, {}));
	return { kind: 'unclear' };
}

/** @returns what to set for the list */
async function askList(
	conversation: Conversation,
	findings: Findings,
	users: Users,
	itemsPath: string,
): Promise<Recommendation> {
	const { seen } = users;
	const standard = await users.list({});
	const isEmpty = seen.first.came === 0;
	const largest = isEmpty ? undefined : await users.read({ pageSize: LARGEST_SIZE_ASKED });
	const badToken = await checkBadToken(conversation, seen.usualSize);
	findings.settle(['badTokenAnswer'], badToken);
	const isComparable = seen.isComparable(largest);
	const numbering = isComparable ? await findNumbering(users, standard.pages) : 'unclear';
	const { findings: sizes, useful } = isComparable
		? await findPageSizes(users, largest, numbering)
		: { findings: [] };
	const facts = { numbering, useful, itemsPath, isComparable };
	const { recommendation, trials } = await recommend(users, standard, facts);
	const isSet = recommendation.kind === 'works' && recommendation.values.page !== undefined;
	const isRead = !isSet && recommendation.kind !== 'fails';
	findings.settle(['firstPageNumber', 'pageHonoured'], ...describeNumbering(numbering, isRead));
	findings.settle(['defaultPageSize', 'pageSizeHonoured', 'maxPageSize'], ...sizes);
	const { findings: fields, id, times } = findFields(seen);
	findings.settle(['pagingMetadata'], ...fields, checkMetadata(seen, trials));

	const size = seen.usualSize;
	const now = conversation.now();
	const since = isComparable ? await checkUpdatedSince(users, times, now) : [];
	findings.settle(['updatedSinceFormat', 'updatedSinceInclusive'], ...since);
	const paths = await askPaths(conversation, findings, size);
	const preferred = [id, times?.path].filter((path) => path !== undefined);
	findings.settle(['sortFormat'], isComparable ? await checkSort(users, preferred) : undefined);
	findings.settle(['badParameterAnswer'], await checkBadParameter(conversation, size));
	await askOtherPaths(findings, paths);
	return recommendation;
}

async function askPaths(
	conversation: Conversation,
	findings: Findings,
	size: Query,
): Promise<Paths> {
	const unknownPath = await checkUnknownPath(conversation, size);
	findings.settle(['unknownPathAnswer'], unknownPath);
	const paths = new Paths(conversation, unknownPath, size);
	for (const list of OTHER_LISTS) findings.settle([list.check], await paths.check(list));
	return paths;
}

/** Asks for the lists that are not there by other names. */
async function askOtherPaths(findings: Findings, paths: Paths): Promise<void> {
	for (const list of OTHER_LISTS) {
		if (findings.find(list.check)?.observed === null) findings.add(await paths.checkOthers(list));
	}
}
