import { checkLifetime, exchangeTwice, readUsers } from './access';
import { checkClockDifference, checkMetadata, checkRateLimit, findFields } from './answers';
import { Conversation, type DiagnosedTenant } from './conversation';
import { CHECKS, type Check, concealed, type Finding, type Found, unknown } from './finding';
import { describeNumbering, findNumbering } from './numbering';
import { findPath, OTHER_LISTS } from './paths';
import { type Recommendation, recommend, UNCLEAR, withRecommended } from './recommendation';
import { checkBadParameter, checkBadToken, checkUnknownPath } from './refusals';
import { findPageSizes } from './sizes';
import { checkSort } from './sort';
import { summarize } from './summary';
import { checkUpdatedSince } from './updatedSince';
import { MAX_SIZE_ASKED, type Users } from './users';

/**
 * Finds out what the interface document does not show: does what users do, and looks. Reads only.
 *
 * @returns the summary, then one finding for each check, also of what was refused or is not shown
 * @throws only if the execution was cancelled
 */
export async function diagnoseTenant(tenant: DiagnosedTenant): Promise<Finding[]> {
	return await new Diagnosis(new Conversation(tenant)).run(tenant.itemsPath ?? '');
}

class Diagnosis {
	/** Of two findings for one check the later one counts. */
	private readonly found: Found[] = [];

	constructor(private readonly conversation: Conversation) {}

	async run(itemsPath: string): Promise<Finding[]> {
		const { conversation, found } = this;
		const recommendation = await this.ask(itemsPath);
		// The authorization server may be another machine.
		const { exchanges } = conversation.polite;
		const own = exchanges.filter(({ request }) => request.method === 'GET');
		found.push(checkLifetime(conversation), checkRateLimit(own), checkClockDifference(own));
		const complete = CHECKS.map((check) => this.find(check))
			.map((finding) => withRecommended(finding, recommendation))
			.map((finding) => concealed(finding, conversation.secrets));
		return [summarize(complete, recommendation), ...complete];
	}

	/** In the order of importance: the budget may be used up before everything is asked. */
	private async ask(itemsPath: string): Promise<Recommendation> {
		const { conversation, found } = this;
		const { tokens, findings: exchanged } = await exchangeTwice(conversation);
		const { users, findings, badToken } = await readUsers(conversation, tokens, itemsPath);
		found.push(...exchanged, ...findings);
		// It needs no token, and shows whether the tenant can be reached.
		found.push(await checkBadToken(conversation, badToken));
		const recommendation = users && (await this.askList(users));
		if (tokens.length > 0) {
			found.push(await checkUnknownPath(conversation));
			await this.askPaths('usual');
			if (users) found.push(await checkSort(users), await checkBadParameter(conversation));
			await this.askPaths('others');
		}
		return recommendation ?? UNCLEAR;
	}

	private async askList(users: Users): Promise<Recommendation> {
		const standard = await users.list({});
		if (users.first.came > 0) await users.read({ pageSize: MAX_SIZE_ASKED });
		const numbering = await findNumbering(users);
		const { findings: sizes, useful } = await findPageSizes(users, numbering);
		const recommendation = await recommend(users, standard, numbering, useful);
		this.found.push(...describeNumbering(numbering), ...sizes);
		this.found.push(...findFields(users), checkMetadata(users));
		this.found.push(...(await checkUpdatedSince(users, this.conversation.tenant.clock.now())));
		return recommendation;
	}

	/** Asks for the lists that were not found yet. */
	private async askPaths(names: 'usual' | 'others'): Promise<void> {
		const { observed } = this.find('unknownPathAnswer');
		for (const list of OTHER_LISTS) {
			if (this.find(list.check).observed !== null) continue;
			this.found.push(await findPath(this.conversation, list, names, observed));
		}
	}

	private find(check: Check): Finding {
		const found = this.found.filter((finding) => finding?.check === check).at(-1);
		return found ?? unknown(check, this.conversation.stopReason);
	}
}
