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
import { type ReadUsers, readUsers } from './readable';
import { type Recommendation, recommend, withRecommended } from './recommendation';
import { checkMetadata, findFields } from './records';
import { checkBadParameter, checkBadToken, checkUnknownPath } from './refusals';
import { findPageSizes, LARGEST_SIZE_ASKED } from './sizes';
import { checkSort } from './sort';
import { summarize } from './summary';
import { askForUsers, checkEarlyRefusal, exchangeTwice } from './tokens';
import { missingIn, Trials } from './trials';
import { checkUpdatedSince } from './updatedSince';

/** Requests kept for the readings with the settings that are recommended. */
const REQUESTS_FOR_TRIALS = 4;

/**
 * Finds out what the interface document does not show: does what users do, and looks. Reads only, with at most 25
 * requests. What a tenant refuses, or what its data cannot show, is a finding too.
 *
 * @returns the summary, then one finding for each check
 * @throws only if the execution was cancelled
 */
export async function diagnoseTenant(tenant: DiagnosedTenant): Promise<Finding[]> {
	const diagnosis = new Diagnosis(new Conversation(tenant));
	await diagnosis.run(tenant.itemsPath ?? '');
	return diagnosis.findings();
}

/** Asks in the order of importance, because the budget may be used up before everything is asked. */
class Diagnosis {
	private readonly found = new Map<Check | 'summary', Finding>();

	/** Why a check was not made at all. */
	private reason = 'There is no token to ask with.';

	private recommendation: Recommendation = { kind: 'unclear' };

	constructor(private readonly conversation: Conversation) {}

	async run(itemsPath: string): Promise<void> {
		const { conversation } = this;
		const exchanges = await exchangeTwice(conversation);
		this.note([], exchanges.findings);
		if (exchanges.kind === 'failed') {
			// It needs no token, and shows whether the tenant can be reached.
			this.note(['badTokenAnswer'], [await checkBadToken(conversation, {})]);
			return;
		}
		const { reply, revocation } = await askForUsers(conversation, exchanges, itemsPath);
		const read = await readUsers(conversation, reply, itemsPath);
		this.note(['tokenRevocation', 'usersReadable', 'itemsPath'], [revocation, ...read.findings]);
		if (read.kind === 'users') {
			await this.askList(read);
		} else {
			this.reason = 'The users list cannot be read.';
			this.note(['badTokenAnswer'], [await checkBadToken(conversation, {})]);
			await this.askOtherPaths(await this.askPaths({}));
		}
		this.note([], [checkEarlyRefusal(conversation)]);
	}

	findings(): Finding[] {
		const { conversation, found, reason, recommendation } = this;
		const { answers } = conversation.polite;
		this.note([], [checkRateLimit(answers), checkClockDifference(answers)]);
		const complete = CHECKS.map((check) => found.get(check) ?? withheld(check, reason))
			.map((finding) => withRecommended(finding, recommendation))
			.map((finding) => concealed(finding, conversation.secrets));
		return [summarize(complete, recommendation), ...complete];
	}

	/** Of two findings for one check the later one counts. What was looked for and is not among them is unknown. */
	private note(checks: readonly Check[], findings: readonly Found[]): void {
		const { stopReason } = this.conversation;
		for (const check of checks) {
			const missing = stopReason === undefined ? unknown(check) : withheld(check, stopReason);
			this.found.set(check, missing);
		}
		for (const finding of findings) {
			if (finding !== undefined) this.found.set(finding.check, finding);
		}
	}

	private async askList({ users, itemsPath }: ReadUsers & { kind: 'users' }): Promise<void> {
		const { conversation } = this;
		const trials = new Trials(conversation, users);
		conversation.polite.withheld = REQUESTS_FOR_TRIALS;
		const standard = await trials.list({});
		const isEmpty = users.first.keys.length === 0;
		const largest = isEmpty ? undefined : await users.read({ pageSize: LARGEST_SIZE_ASKED });
		const isComparable = users.isComparable(largest);
		const numbering = isComparable ? await findNumbering(users) : 'unclear';
		const sizes = isComparable ? await findPageSizes(users, largest, numbering) : { findings: [] };
		conversation.polite.withheld = 0;
		const facts = { numbering, useful: sizes.useful, itemsPath, isComparable };
		this.recommendation = await recommend(users, trials, standard, facts);
		const isRead =
			standard.kind === 'unclear' || missingIn(standard, users.first.keys.slice(0, 1)) === 0;
		this.note(['firstPageNumber', 'pageHonoured'], describeNumbering(numbering, isRead));
		this.note(['defaultPageSize', 'pageSizeHonoured', 'maxPageSize'], sizes.findings);
		const { findings, id, times } = findFields(users);
		this.note(['pagingMetadata'], [...findings, checkMetadata(users, trials.done)]);

		const size = users.usualSize;
		this.note(['badTokenAnswer'], [await checkBadToken(conversation, size)]);
		const since = isComparable ? await checkUpdatedSince(users, times, conversation.now()) : [];
		this.note(['updatedSinceFormat', 'updatedSinceInclusive'], since);
		const paths = await this.askPaths(size);
		const preferred = [id, times?.path].filter((path) => path !== undefined);
		this.note(['sortFormat'], [isComparable ? await checkSort(users, preferred) : undefined]);
		this.note(['badParameterAnswer'], [await checkBadParameter(conversation, size)]);
		await this.askOtherPaths(paths);
	}

	private async askPaths(size: Query): Promise<Paths> {
		const { finding, reply } = await checkUnknownPath(this.conversation, size);
		const paths = new Paths(this.conversation, reply, size);
		this.note(['unknownPathAnswer'], [finding]);
		for (const list of OTHER_LISTS) this.note([list.check], [await paths.checkDefault(list)]);
		return paths;
	}

	/** Asks for the lists that are not there by other names. */
	private async askOtherPaths(paths: Paths): Promise<void> {
		for (const list of OTHER_LISTS) {
			if (this.found.get(list.check)?.observed !== null) continue;
			this.note([], [await paths.checkOthers(list)]);
		}
	}
}
