import { excuses } from './excuses';
import { Facts } from './facts';
import type { Version } from './livedService';
import type { Chronicle, PollSeen, Rest } from './play';

/**
 * `lost`: did not come out although it showed until nothing more came. `doubled`: came out again,
 * beyond once for each crash. `madeUp`: a state of before publishing, or one that the service did
 * not show. `silent`: nothing comes out any more, and nothing is said. `failing`: a poll fails
 * although the service responds to everything.
 */
export type FaultKind = 'lost' | 'doubled' | 'madeUp' | 'silent' | 'failing';

export interface Finding {
	kind: FaultKind;
	what: string;
}

/** Judges by what the service did and what came out. What the trigger says excuses nothing. */
export function judge(chronicle: Chronicle): Finding[] {
	const facts = new Facts(chronicle);
	const lost = findLost(facts);
	return [
		...(isSilent(facts, lost)
			? [{ kind: 'silent' as const, what: 'nothing comes at the end' }]
			: []),
		...lost.map(({ what }) => ({ kind: 'lost' as const, what })),
		...findDoubled(facts),
		...findMadeUp(facts),
		...findFailing(facts),
	];
}

interface Lost {
	rest: Rest;
	what: string;
}

function findLost(facts: Facts): Lost[] {
	const { absences, rests } = facts.chronicle;
	// A workflow that could not be published yet owes nothing.
	const published = rests.filter(({ at }) => facts.firstReading.from < at);
	return published.flatMap((rest) => {
		const out = facts.reportedUntil(rest.at);
		if (facts.triggerOn === 'removed') {
			return absences
				.filter(({ from, until }) => from < rest.at && until > rest.at)
				.filter((absence) => facts.mustReportRemoval(absence))
				.filter((absence) => !facts.reportsAbsence(absence, rest.at))
				.map(({ record }) => ({ rest, what: `the removal of ${record} by ${rest.at}` }));
		}
		return rest.shown
			.filter((version) => facts.mustReport(version))
			.filter((version) => !out.has(facts.numberOf(version)))
			.filter((version) => !excuses.some((covers) => covers(version, facts)))
			.map((version) => ({ rest, what: `${describe(version)} by ${rest.at}` }));
	});
}

/** Whether nothing came of what was changed at the end, and no poll said why. */
function isSilent({ chronicle }: Facts, lost: readonly Lost[]): boolean {
	const { polls, probedFrom } = chronicle;
	const warnsOrFails = ({ failure, items, warnings }: PollSeen) =>
		failure !== undefined || items.length > 0 || warnings.length > 0;
	const isLost = lost.some(({ rest }) => rest.at > probedFrom);
	return isLost && !polls.some((poll) => poll.from > probedFrom && warnsOrFails(poll));
}

function findDoubled(facts: Facts): Finding[] {
	const { chronicle, triggerOn } = facts;
	const reported = facts.reported.map(({ number, poll }) => ({ number, poll }));
	const found: Finding[] = [];
	for (const number of new Set(reported.map((one) => one.number))) {
		const times = reported.filter((one) => one.number === number);
		const died = times.filter(({ poll }) => poll.hasDied).length;
		const happened =
			triggerOn === 'removed'
				? chronicle.absences.filter(({ record }) => record === number).length
				: 1;
		const allowed = happened + died + facts.repetitions;
		if (happened === 0 || times.length <= allowed) continue;
		found.push({ kind: 'doubled', what: `${number}, ${times.length} times instead of ${allowed}` });
	}
	const endless = chronicle.rests.filter(({ isEndless }) => isEndless);
	return [
		...found,
		...endless.map(({ at }) => ({ kind: 'doubled' as const, what: `without end by ${at}` })),
	];
}

function findMadeUp(facts: Facts): Finding[] {
	return facts.chronicle.polls
		.flatMap((poll) => poll.items.map((item) => ({ poll, item })))
		.flatMap(({ item, poll }) => {
			const problem = facts.triggerOn === 'removed' ? ofRemoval() : ofVersion();
			return problem === undefined
				? []
				: [{ kind: 'madeUp' as const, what: `${JSON.stringify(item)}: ${problem}` }];

			function ofRemoval(): string | undefined {
				const record = facts.chronicle.recordOf(item.id);
				if (record === undefined) return 'there is no such record';
				if (facts.mayHaveMissed(poll)) return undefined;
				return facts.wasAway(record, poll) ? undefined : 'it has never been away';
			}

			function ofVersion(): string | undefined {
				const version = facts.versionOf(item);
				if (version === undefined) return 'the service has no such state';
				if (!facts.wasShown(version, poll)) return 'the service did not show it then';
				return facts.whyUnwanted(version, poll);
			}
		});
}

/** Failures without a reason that the service gave. */
function findFailing(facts: Facts): Finding[] {
	const { chronicle } = facts;
	return chronicle.polls
		.filter((poll) => poll.failure !== undefined && !facts.mayFail(poll))
		.slice(0, 1)
		.map(({ failure, from }) => ({ kind: 'failing', what: `at ${from}: ${failure}` }));
}

function describe({ number, record, birth }: Version): string {
	return `state ${number} of ${record}${number === birth ? ', its creation,' : ''}`;
}
