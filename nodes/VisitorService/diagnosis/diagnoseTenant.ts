import { checkEarlyRefusal, exchangeTwice, readUsers } from './access';
import { Conversation, type DiagnosedTenant, type Query } from './conversation';
import { CHECKS, type Check, concealed, type Finding, type Found, unknown } from './finding';
import { checkClockDifference, checkRateLimit } from './headers';
import { describeNumbering, findNumbering } from './numbering';
import { findPath, OTHER_LISTS } from './paths';
import { type Recommendation, recommend, UNCLEAR, withRecommended } from './recommendation';
import { checkMetadata, findFields } from './records';
import { checkBadParameter, checkBadToken, checkUnknownPath } from './refusals';
import { findPageSizes } from './sizes';
import { checkSort } from './sort';
import { summarize } from './summary';
import { checkUpdatedSince } from './updatedSince';
import { LARGEST_SIZE_ASKED, type Users } from './users';

/**
 * Finds out what the interface document does not show: does what users do, and looks. Reads only, with at most 25
 * requests. What a tenant refuses, or what its data cannot show, is a finding too.
 *
 * @returns the summary, then one finding for each check
 * @throws only if the execution was cancelled
 */
export async function diagnoseTenant(tenant: DiagnosedTenant): Promise<Finding[]> {
	return await new Diagnosis(new Conversation(tenant)).run(tenant.itemsPath ?? '');
}

class Diagnosis {
	private readonly found = new Map<Finding['check'], Finding>();

	constructor(private readonly conversation: Conversation) {}

	async run(itemsPath: string): Promise<Finding[]> {
		const { conversation } = this;
		const recommendation = await this.ask(itemsPath);
		const { exchanges } = conversation.polite;
		this.note(checkRateLimit(exchanges), checkClockDifference(exchanges));
		this.note(checkEarlyRefusal(conversation));
		const complete = CHECKS.map((check) => this.find(check))
			.map((finding) => withRecommended(finding, recommendation))
			.map((finding) => concealed(finding, conversation.secrets));
		return [summarize(complete, recommendation), ...complete];
	}

	/**
	 * Asks in the order of importance, because the budget may be used up before everything is asked.
	 *
	 * @returns what to set for the list
	 */
	private async ask(itemsPath: string): Promise<Recommendation> {
		const { conversation } = this;
		const { tokens, findings: exchanged } = await exchangeTwice(conversation);
		this.note(...exchanged);
		const { users, findings } = await readUsers(conversation, tokens, itemsPath);
		this.settle(['tokenRevocation', 'usersReadable', 'itemsPath'], ...findings);
		// It needs no token, and shows whether the tenant can be reached.
		this.settle(['badTokenAnswer'], await checkBadToken(conversation));
		if (tokens.length === 0) return UNCLEAR;
		const recommendation = users ? await this.askList(users) : UNCLEAR;
		const size = users?.usualSize ?? {};
		this.settle(['unknownPathAnswer'], await checkUnknownPath(conversation, size));
		await this.askPaths('usual', size);
		if (users !== undefined) {
			this.settle(['sortFormat'], await checkSort(users));
			this.settle(['badParameterAnswer'], await checkBadParameter(conversation, size));
		}
		await this.askPaths('others', size);
		return recommendation;
	}

	private async askList(users: Users): Promise<Recommendation> {
		const standard = await users.list({});
		const isEmpty = users.first.came === 0;
		const largest = isEmpty ? undefined : await users.read({ pageSize: LARGEST_SIZE_ASKED });
		const numbering = await findNumbering(users, standard.pages);
		const { findings: sizes, useful } = await findPageSizes(users, largest, numbering);
		const recommendation = await recommend(users, standard, { numbering, useful });
		const isRead = recommendation.values.page === undefined && recommendation.kind !== 'fails';
		this.settle(['firstPageNumber', 'pageHonoured'], ...describeNumbering(numbering, isRead));
		this.settle(['defaultPageSize', 'pageSizeHonoured', 'maxPageSize'], ...sizes);
		this.settle(['pagingMetadata'], ...findFields(users), checkMetadata(users));
		const since = await checkUpdatedSince(users, this.conversation.now());
		this.settle(['updatedSinceFormat', 'updatedSinceInclusive'], ...since);
		return recommendation;
	}

	private async askPaths(names: 'usual' | 'others', size: Query): Promise<void> {
		const unknownStatus = this.find('unknownPathAnswer').observed;
		for (const list of OTHER_LISTS) {
			if (this.find(list.check).observed !== null) continue;
			const found = await findPath(this.conversation, list, names, size, unknownStatus);
			if (names === 'usual') this.settle([list.check], found);
			else this.note(found);
		}
	}

	private find(check: Check): Finding {
		return this.found.get(check) ?? unknown(check);
	}

	/** Of two findings for one check the later one counts. */
	private note(...findings: readonly Found[]): void {
		for (const finding of findings) {
			if (finding !== undefined) this.found.set(finding.check, finding);
		}
	}

	/** What was looked for and is not among the findings is unknown. */
	private settle(checks: readonly Check[], ...findings: readonly Found[]): void {
		const { stopReason } = this.conversation;
		this.note(...checks.map((check) => unknown(check, stopReason)), ...findings);
	}
}
