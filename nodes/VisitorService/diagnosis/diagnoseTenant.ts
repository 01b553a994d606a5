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
import { describeNumbering, findFirstPage } from './numbering';
import { OTHER_LISTS, Paths } from './paths';
import { readUsers } from './readable';
import { type Recommendation, recommend, withRecommended } from './recommendation';
import { checkMetadata, findFields } from './records';
import { checkBadParameter, checkBadToken, checkUnknownPath } from './refusals';
import { findPageSizes, LARGEST_SIZE_ASKED } from './sizes';
import { checkSort } from './sort';
import { summarize } from './summary';
import { askForUsers, checkEarlyDeath, exchangeTwice } from './tokens';
import { missingIn, STANDARD_PAGE_SIZE, Trials } from './trials';
import { checkUpdatedSince } from './updatedSince';
import type { Users } from './users';

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
	const diagnosis = new Diagnosis(tenant);
	await diagnosis.run(tenant.itemsPath ?? '');
	return diagnosis.findings();
}

/** Asks in the order of importance, because the budget may be used up before everything is asked. */
class Diagnosis {
	private readonly conversation: Conversation;

	private readonly found = new Map<Check | 'summary', Finding>();

	/** Why a check was not made at all. */
	private reason = 'There is no token to ask with.';

	private recommendation: Recommendation = { kind: 'unclear' };

	constructor(tenant: DiagnosedTenant) {
		this.conversation = new Conversation(tenant);
	}

	async run(itemsPath: string): Promise<void> {
		const { conversation } = this;
		const { tokens, findings } = await exchangeTwice(conversation);
		this.note([], findings);
		if (tokens === undefined) {
			// It needs no token, and shows whether the tenant can be reached.
			this.note(['badTokenAnswer'], [await checkBadToken(conversation, {})]);
			return;
		}
		const { reply, revocation } = await askForUsers(conversation, tokens, itemsPath);
		const readable = await readUsers(conversation, reply, itemsPath);
		this.note(
			['tokenRevocation', 'usersReadable', 'itemsPath'],
			[revocation, ...readable.findings],
		);
		if (readable.users === undefined) {
			this.reason = 'The users list cannot be read.';
			await this.askWithoutList();
		} else {
			await this.askList(readable.users, readable.itemsPath);
		}
		this.note([], [checkEarlyDeath(conversation)]);
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

	private async askWithoutList(): Promise<void> {
		this.note(['badTokenAnswer'], [await checkBadToken(this.conversation, {})]);
		const askOtherPaths = await this.askPaths({});
		await askOtherPaths();
	}

	private async askList(users: Users, itemsPath: string): Promise<void> {
		const { conversation } = this;
		const trials = new Trials(conversation, users);
		conversation.polite.withheld = REQUESTS_FOR_TRIALS;
		const standard = await trials.list({});
		const isEmpty = users.first.keys.length === 0;
		const largest = isEmpty
			? ({ kind: 'unclear' } as const)
			: await users.read({ pageSize: LARGEST_SIZE_ASKED });
		const isComparable = users.isComparable(largest.kind === 'page' ? largest.page : undefined);
		const first = isComparable ? await findFirstPage(users) : undefined;
		const sizes = isComparable ? await findPageSizes(users, largest, first) : { findings: [] };
		conversation.polite.withheld = 0;
		const facts = { first, useful: sizes.useful, itemsPath, isComparable };
		this.recommendation = await recommend(users, trials, standard, facts);
		const isRead =
			standard.kind === 'unclear' || missingIn(standard, users.first.keys.slice(0, 1)) === 0;
		this.note(['firstPageNumber', 'pageHonoured'], describeNumbering(first, isRead));
		this.note(['defaultPageSize', 'pageSizeHonoured', 'maxPageSize'], sizes.findings);
		const { findings, id, times } = findFields(users);
		this.note(['pagingMetadata'], [...findings, checkMetadata(users, trials.done)]);

		const small = users.acceptedSize(STANDARD_PAGE_SIZE);
		this.note(['badTokenAnswer'], [await checkBadToken(conversation, small)]);
		const since = isComparable ? await checkUpdatedSince(users, times, conversation.now()) : [];
		this.note(['updatedSinceFormat', 'updatedSinceInclusive'], since);
		const askOtherPaths = await this.askPaths(small);
		const preferred = [id, times?.path].filter((path) => path !== undefined);
		this.note(['sortFormat'], [isComparable ? await checkSort(users, preferred) : undefined]);
		this.note(['badParameterAnswer'], [await checkBadParameter(conversation, small)]);
		await askOtherPaths();
	}

	/** @returns asks for the lists that are not there by other names */
	private async askPaths(size: Query): Promise<() => Promise<void>> {
		const { finding, reply } = await checkUnknownPath(this.conversation, size);
		const paths = new Paths(this.conversation, reply, size);
		this.note(['unknownPathAnswer'], [finding]);
		for (const list of OTHER_LISTS) this.note([list.check], [await paths.checkDefault(list)]);
		return async () => {
			for (const list of OTHER_LISTS) {
				if (this.found.get(list.check)?.observed !== null) continue;
				this.note([], [await paths.checkOthers(list)]);
			}
		};
	}
}
