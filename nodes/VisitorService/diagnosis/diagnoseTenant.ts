import { checkLifetime, exchangeTwice, readUsers } from './access';
import { checkClockDifference, checkMetadata, checkRateLimit, findFields } from './answers';
import { Conversation, type DiagnosedTenant } from './conversation';
import { CHECKS, type Check, concealed, type Finding, type Found, unknown } from './finding';
import { describeNumbering, findNumbering } from './numbering';
import { findPath, OTHER_LISTS, type OtherList } from './paths';
import { type Recommendation, recommend, UNCLEAR, withRecommended } from './recommendation';
import { checkBadParameter, checkBadToken, checkUnknownPath } from './refusals';
import { findPageSizes } from './sizes';
import { checkSort } from './sort';
import { summarize } from './summary';
import { checkUpdatedSince } from './updatedSince';
import { MAX_SIZE_ASKED, type Users } from './users';

/**
 * Finds out what the interface document does not show: does what users do, and looks. Reads only,
 * with at most 25 requests. What a tenant refuses, or what its data cannot show, is a finding too.
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
		// The authorization server may be another machine.
		const { exchanges } = conversation.polite;
		const ofTenant = exchanges.filter(({ request }) => request.method === 'GET');
		this.note(checkLifetime(conversation));
		this.note(checkRateLimit(ofTenant), checkClockDifference(ofTenant));
		const complete = CHECKS.map((check) => this.find(check))
			.map((finding) => withRecommended(finding, recommendation))
			.map((finding) => concealed(finding, conversation.secrets));
		return [summarize(complete, recommendation), ...complete];
	}

	/** In the order of importance: the budget may be used up before everything is asked. */
	private async ask(itemsPath: string): Promise<Recommendation> {
		const { conversation } = this;
		const { tokens, findings: exchanged } = await exchangeTwice(conversation);
		const { users, findings, badToken } = await readUsers(conversation, tokens, itemsPath);
		this.note(...exchanged, ...findings);
		// It needs no token, and shows whether the tenant can be reached.
		this.note(await checkBadToken(conversation, badToken));
		const recommendation = users && (await this.askList(users));
		if (tokens.length > 0) {
			const { finding, unknownStatus } = await checkUnknownPath(conversation);
			this.note(finding);
			const others = await this.askPaths(OTHER_LISTS, 'usual', unknownStatus);
			if (users) {
				this.note(await checkSort(users), await checkBadParameter(conversation));
			}
			await this.askPaths(others, 'others', unknownStatus);
		}
		return recommendation ?? UNCLEAR;
	}

	private async askList(users: Users): Promise<Recommendation> {
		const standard = await users.list({});
		if (users.first.came > 0) await users.read({ pageSize: MAX_SIZE_ASKED });
		const numbering = await findNumbering(users);
		const { findings: sizes, useful } = await findPageSizes(users, numbering);
		const recommendation = await recommend(users, standard, numbering, useful);
		this.note(...describeNumbering(numbering), ...sizes);
		this.note(...findFields(users), checkMetadata(users));
		this.note(...(await checkUpdatedSince(users, this.conversation.now())));
		return recommendation;
	}

	/** @returns the lists that were not found */
	private async askPaths(
		lists: readonly OtherList[],
		names: 'usual' | 'others',
		unknownStatus?: number,
	): Promise<OtherList[]> {
		const open: OtherList[] = [];
		for (const list of lists) {
			const found = await findPath(this.conversation, list, names, unknownStatus);
			this.note(found);
			if ((found?.observed ?? null) === null) open.push(list);
		}
		return open;
	}

	private find(check: Check): Finding {
		return this.found.get(check) ?? unknown(check, this.conversation.stopReason);
	}

	/** Of two findings for one check the later one counts. */
	private note(...findings: readonly Found[]): void {
		for (const finding of findings) {
			if (finding !== undefined) this.found.set(finding.check, finding);
		}
	}
}
