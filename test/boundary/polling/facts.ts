import type { IDataObject } from 'n8n-workflow';
import { DAY, HOUR, MINUTE, SECOND } from '../../drawn/polledService';
import { OVERLAP, type TriggerOn } from './history';
import { type Moment, matches, type Span, type Version } from './livedService';
import type { Chronicle, PollSeen } from './play';

interface Report {
	/**
	 * Of the version; of the creation, if creations are told; of the record, if removals are; of the
	 * first of those in a row that match, if these are.
	 */
	number: number;
	poll: PollSeen;
}

type Absence = Chronicle['absences'][number];

/** What follows from a chronicle, for the judge. */
export class Facts {
	readonly triggerOn: TriggerOn;

	readonly reported: readonly Report[];

	/** When the first reading began, and when it ended at the latest. */
	readonly firstReading: Span;

	constructor(readonly chronicle: Chronicle) {
		const { history, polls } = chronicle;
		this.triggerOn = history.trigger.triggerOn;
		this.reported = polls.flatMap((poll) =>
			poll.items.flatMap((item) => {
				const number = this.numberOfItem(item);
				return number === undefined ? [] : [{ number, poll }];
			}),
		);
		const kept = polls.filter(({ failure, isForgotten }) => failure === undefined && !isForgotten);
		const until = kept.find(({ isWhole }) => isWhole)?.until ?? Infinity;
		this.firstReading = { from: kept[0]?.from ?? Infinity, until };
	}

	/** Whether the list has to be compared, as docs/polling.md says. */
	get isCompared(): boolean {
		const { service, trigger } = this.chronicle.history;
		if (trigger.resource !== 'users') return true;
		if (this.triggerOn === 'removed' || this.triggerOn === 'startsToMatch') return true;
		return this.triggerOn !== 'createdOrUpdated' && service.list.createdAtField === null;
	}

	/**
	 * More of each state may come out if the service's clock was set back; and of what matches, or is
	 * removed, if an older state shows that does not match, or is there (docs/polling.md).
	 */
	get repetitions(): number {
		const { clockSetBack, copies, polls } = this.chronicle;
		if (this.triggerOn === 'startsToMatch' || this.triggerOn === 'removed') return copies.length;
		// A look that fails is made again by the next poll.
		const looks = 1 + polls.filter(({ isTroubled }) => isTroubled).length;
		const isSetBack = clockSetBack.length > 0 || this.isWithoutClock;
		return (isSetBack ? 1 : 0) + (this.isRenewedUnseen ? looks : 0);
	}

	/** Whether `Date` is missing, and n8n's clock is behind by more than a day. */
	get isWithoutClock(): boolean {
		const { service, steps } = this.chronicle.history;
		const setBy = steps.reduce(
			(sum, step) => sum + (step.kind === 'setClock' && step.of === 'n8n' ? step.by : 0),
			service.n8nAhead,
		);
		return !service.dateHeader && setBy < -DAY;
	}

	/**
	 * Whether a field differs in each response, and publishing did not show it: each record may come
	 * once more for it (docs/polling.md).
	 */
	private get isRenewedUnseen(): boolean {
		const { service, steps } = this.chronicle.history;
		const { renewed } = service.list;
		const isLater = steps.some(({ kind }) => kind === 'renew');
		const isHidden = renewed && (renewed.ofState || this.movedInFirstReading);
		return this.triggerOn !== 'created' && (isLater || Boolean(isHidden));
	}

	numberOf(version: Version): number {
		return this.firstOf(version).number;
	}

	reportedUntil(moment: Moment): Set<number> {
		return new Set(
			this.reported.filter(({ poll }) => poll.until <= moment).map(({ number }) => number),
		);
	}

	versionOf({ revision }: IDataObject): Version | undefined {
		return this.chronicle.versions[Number(revision) - 1];
	}

	/** Whether the service can have shown a version to a poll. */
	wasShown({ shown }: Version, poll: PollSeen): boolean {
		if (shown === undefined) return false;
		return shown.from < poll.until && (this.readsCopy(poll) || shown.until > poll.from);
	}

	/** Why a version must not come out. */
	whyUnwanted(version: Version, poll: PollSeen): string | undefined {
		const { birth, number, stampedAt } = version;
		// An older state counts if two readings show it (docs/polling.md).
		const copies = this.copiesUntil(poll).filter((one) => one.numbers.has(number));
		const isShownTwice = copies.length > 1;
		if (this.triggerOn === 'updated' && number === birth)
			return isShownTwice || this.returned(version) || this.isRenewedUnseen
				? undefined
				: 'it was created, not updated';
		if (this.triggerOn === 'startsToMatch') {
			if (!matches(number)) return 'it does not match';
			// It may have been away when the first reading ran.
			if (this.returned(version)) return undefined;
			if (this.showedOlder(version, poll.until)) return undefined;
		}
		// Without an update time the newer state counts again after an older one of a copy.
		const { neverUpdated = 'dated' } = this.chronicle.history.service.list;
		const isUndated = this.isCompared && neverUpdated !== 'dated' && number === birth;
		const isNewer = copies.length === 0 && this.showedOlder(version, poll.until);
		if (isUndated && isNewer) return undefined;
		// A copy showed for the first time what had left before publishing.
		const isNew = (version.shown?.until ?? Infinity) < this.firstReading.from;
		if (isShownTwice || (isNew && this.readsCopy(poll))) return undefined;
		const reported = this.firstOf(version);
		const from = (reported.shown ?? version.shown)?.from ?? Infinity;
		if (from > this.firstReading.from) return undefined;
		const { startedFrom } = this;
		if (startedFrom !== undefined && stampedAt >= startedFrom - this.uncertainty) return undefined;
		const isMissed = this.movedInFirstReading && !this.isDatedBefore(version);
		const isExcused = isMissed || this.movedInSecondReading || this.isUnordered;
		if (isExcused || this.isRenewedUnseen) return undefined;
		return 'it is of before publishing';
	}

	/** Whether a version has to come out, if nothing excuses it. */
	mustReport(version: Version): boolean {
		const { birth, number, shown, stampedAt } = version;
		if (this.triggerOn === 'updated' && number === birth) return false;
		if (this.triggerOn === 'updated' && !this.wasRemembered(version)) return false;
		if (this.triggerOn === 'startsToMatch' && !this.hasStarted(version)) return false;
		const reported = this.firstOf(version);
		const from = (reported.shown ?? shown)?.from ?? 0;
		const { startedFrom } = this;
		// A clock that is set back before publishing stamps changes before the date to start from.
		if (startedFrom !== undefined) return stampedAt >= startedFrom;
		// Changes made while the first reading runs are given up.
		return from > this.firstReading.until;
	}

	/** Whether a record was there in a reading that the trigger remembers. */
	mustReportRemoval({ from, record }: Absence): boolean {
		if (this.isUnordered) return false;
		return this.chronicle.versions.some(
			(version) =>
				version.record === record && version.shown?.until === from && this.wasRemembered(version),
		);
	}

	/** Whether a removal came out after the record had left, and before a moment. */
	reportsAbsence({ from, record }: Absence, until: Moment): boolean {
		return this.reported.some(
			({ number, poll }) => number === record && poll.until > from && poll.until <= until,
		);
	}

	/** Whether a record was away since its removal came out the last time. */
	wasAway(record: number, poll: PollSeen): boolean {
		const before = this.reported
			.filter((reported) => reported.number === record && reported.poll.until < poll.until)
			.filter(({ poll: { hasDied } }) => !hasDied)
			.map((reported) => reported.poll.from);
		const since = Math.max(0, ...before);
		const numbers = this.chronicle.versions.filter((one) => one.record === record);
		const without = this.copiesUntil(poll).filter(
			(copy) => copy.from > since && !numbers.some(({ number }) => copy.numbers.has(number)),
		);
		// What is missing in two readings counts as removed (docs/polling.md).
		if (without.length > 1) return true;
		return this.chronicle.absences.some(
			(absence) => absence.record === record && absence.from < poll.until && absence.until > since,
		);
	}

	/** Whether records left between unordered pages: others seem away (docs/guarantees.md). */
	mayHaveMissed({ until }: PollSeen): boolean {
		return this.isUnordered && this.chronicle.polls.some((one) => one.hasMoved && one.from < until);
	}

	mayFail(poll: PollSeen): boolean {
		const { chronicle } = this;
		if (poll.isTroubled) return true;
		const next = chronicle.polls.find(({ from }) => from > poll.from);
		// Each page may happen to be the first one again (docs/guarantees.md).
		if (this.isUnordered && next && next.failure === undefined) return true;
		return chronicle.misread.some((moment) => moment < poll.from);
	}

	/** Milliseconds; changes since then come out. */
	get startedFrom(): number | undefined {
		return this.chronicle.startedFrom;
	}

	/**
	 * Whether a record that was never updated showed as long as the first reading went on, and was
	 * created so late that the service looks back to it (docs/polling.md).
	 */
	get showedNeverUpdated(): boolean {
		const { from, until } = this.firstReading;
		const { polls, history } = this.chronicle;
		const { maxAgeMs = Infinity } = history.service.list.updatedSince ?? {};
		const first = polls.find((poll) => poll.from === from);
		// It is asked for up to four days earlier if times are cut to days, or have no zone.
		const since = (first?.startedAt ?? 0) - (maxAgeMs - 4 * DAY);
		const never = this.datedAtFirst.filter(
			({ birth, number, shown }) => birth === number && (shown?.until ?? 0) > until,
		);
		// It is asked for by the last one of the first page, which may be any of them.
		return never.length > 0 && never.every(({ stampedAt }) => stampedAt > since);
	}

	/**
	 * Whether the readings after the first one only remember a version: it is dated no later than the
	 * newest change the first one showed, and none of them was without such a one before
	 * (docs/polling.md).
	 */
	isOnlyRemembered(version: Version): boolean {
		const { polls, versions } = this.chronicle;
		const { from, until } = this.firstReading;
		const newest = new Map<number, number>();
		for (const one of versions)
			if (one.shown && one.shown.from < until && one.shown.until > from)
				newest.set(one.record, Math.max(this.datedAt(one), newest.get(one.record) ?? -Infinity));
		// One time alone may be a mistake.
		const [, datedUntil = -Infinity] = [...newest.values()].sort((one, other) => other - one);
		const isDatedBefore = (one: Version) => this.datedAt(one) <= datedUntil;
		// The rest of a list that has become shorter has no sure end.
		const isSure = (poll: PollSeen) => poll.isWhole && !poll.isResumed && !poll.isForgotten;
		const later = polls.filter(
			(poll) => poll.from > until && isSure(poll) && !this.readsCopy(poll),
		);
		const isFound = (poll: PollSeen, index: number) =>
			versions.some(
				(one) =>
					isDatedBefore(one) &&
					isAfter(one.shown, later[index - 1]?.until ?? until) &&
					!isAfter(one.shown, poll.until),
			);
		const last = later.find((poll, index) => !isFound(poll, index));
		return isDatedBefore(version) && !isAfter(version.shown, last?.until ?? Infinity);
	}

	/** Milliseconds: the time that the trigger goes by, cut as it is written; NaN without one. */
	private datedAt(version: Version): number {
		const { list } = this.chronicle.history.service;
		const { createdAtField, timeUnit, updatedAtFormat = 'iso' } = list;
		const goesByCreation = this.triggerOn === 'created';
		if (goesByCreation && createdAtField === null) return NaN;
		const { stampedAt } = goesByCreation ? this.firstOf(version) : version;
		const isCutToMinutes = timeUnit === 'min' || updatedAtFormat === 'isoMinutes';
		const isCutToSeconds = updatedAtFormat === 'isoSeconds' || updatedAtFormat === 'epochS';
		return stampedAt - (stampedAt % (isCutToMinutes ? MINUTE : isCutToSeconds ? SECOND : 1));
	}

	/**
	 * Whether the clock that stamps changes is behind the one that polls go by, and two records that
	 * are dated ahead hid that before a version showed.
	 */
	datedAheadOfLate({ shown }: Version): boolean {
		const { history, versions } = this.chronicle;
		const { dateAhead, dateHeader, n8nAhead } = history.service;
		const ahead = versions.filter(
			(one) => one.dated === 'hoursAhead' && isAfter(shown, one.shown?.from ?? Infinity),
		);
		const isLate = (dateHeader ? dateAhead : n8nAhead) > OVERLAP;
		return isLate && new Set(ahead.map(({ record }) => record)).size > 1;
	}

	/** Whether an updated record showed when the first reading began. */
	get showedUpdate(): boolean {
		return this.datedAtFirst.some(({ birth, number }) => birth !== number);
	}

	/** Whether a record with times showed when the first reading began. */
	get showedTimes(): boolean {
		return this.datedAtFirst.length > 0;
	}

	/** Whether the only record that was there changed while the first reading ran. */
	get changedAloneAtFirst(): boolean {
		const { from, until } = this.firstReading;
		const there = this.chronicle.versions.flatMap(({ record, shown }) =>
			shown && shown.from < until && shown.until > from ? [{ record, from: shown.from }] : [],
		);
		const isAlone = new Set(there.map(({ record }) => record)).size === 1;
		return isAlone && there.some((one) => one.from > from);
	}

	private get datedAtFirst(): Version[] {
		const { from } = this.firstReading;
		return this.chronicle.versions.filter(
			({ record, shown }) =>
				record !== this.chronicle.history.service.undated &&
				shown !== undefined &&
				shown.from < from &&
				shown.until > from,
		);
	}

	/** Whether a poll failed or warned since `updatedSince` is misread. */
	get warnsOfMisread(): boolean {
		const { misread, polls } = this.chronicle;
		const since = misread[0] ?? Infinity;
		return polls.some(
			({ failure, from, warnings }) =>
				from > since && (failure !== undefined || warnings.length > 0),
		);
	}

	/** Whether two records with times had shown before `updatedSince` was misread. */
	get foundTwoBeforeMisread(): boolean {
		const { history, misread, versions } = this.chronicle;
		const found = versions.filter(({ shown }) => !isAfter(shown, misread[0] ?? 0));
		const dated = found.filter(({ record }) => record !== history.service.undated);
		return new Set(dated.map(({ record }) => record)).size > 1;
	}

	/** Whether its ID was used before: only a time can tell that it is another record. */
	returned({ record, shown }: Version): boolean {
		const from = shown?.from ?? Infinity;
		return this.chronicle.absences.some((one) => one.record === record && one.from < from);
	}

	/**
	 * Milliseconds by which a time may be later than it is written: it is cut, or has no zone. Such
	 * users are asked for up to 36 hours earlier (docs/polling.md).
	 */
	private get uncertainty(): number {
		const { timeUnit, updatedAtFormat } = this.chronicle.history.service.list;
		const isCut = timeUnit === 'hour' || timeUnit === 'day' || updatedAtFormat === 'isoDate';
		return isCut || updatedAtFormat === 'isoLocal' ? 36 * HOUR : 0;
	}

	/** The version by which it is known that something was told. */
	private firstOf(version: Version): Version {
		if (this.triggerOn === 'created') return this.chronicle.versions[version.birth - 1] ?? version;
		if (this.triggerOn !== 'startsToMatch') return version;
		const others = this.shownBefore(version).filter(({ number }) => !matches(number));
		const since = others.at(-1)?.shown?.from ?? 0;
		return this.shownBefore(version).find(({ shown }) => isAfter(shown, since)) ?? version;
	}

	/** All that showed of the record of a version before it did, in this order. */
	private shownBefore({ record, shown }: Version): Version[] {
		const until = shown?.from ?? 0;
		return this.chronicle.versions
			.filter((one) => one.record === record && (one.shown?.from ?? Infinity) < until)
			.sort((one, other) => (one.shown?.from ?? 0) - (other.shown?.from ?? 0));
	}

	/** Whether a version matches, and a reading remembers that the record did not before. */
	private hasStarted(version: Version): boolean {
		if (!matches(version.number)) return false;
		const before = this.shownBefore(this.firstOf(version));
		const matched = before.filter(({ number }) => matches(number)).at(-1);
		const others = before.filter(({ shown }) => isAfter(shown, matched?.shown?.from ?? 0));
		const [first, last] = [others.at(0)?.shown, others.at(-1)?.shown];
		const { from = 0 } = this.firstOf(version).shown ?? {};
		if (matched === undefined || !first || !last) return matched === undefined;
		// While it was away, nothing told that it did not match.
		return this.hasReadWhole({ from: first.from, until: Math.min(last.until, from) });
	}

	private numberOfItem(item: IDataObject): number | undefined {
		if (this.triggerOn === 'removed') return this.chronicle.recordOf(item.id);
		const version = this.versionOf(item);
		return version && this.numberOf(version);
	}

	/**
	 * Whether the record of a version was there while a whole list was read that the trigger
	 * remembers, the version itself apart.
	 */
	private wasRemembered({ birth, number, record, shown }: Version): boolean {
		const isRemoval = this.triggerOn === 'removed';
		const earlier = this.chronicle.versions.filter(
			(one) => one.record === record && one.birth === birth && (isRemoval || one.number !== number),
		);
		const spans = earlier.flatMap((one) => one.shown ?? []);
		const until = isRemoval ? (shown?.until ?? 0) : (shown?.from ?? 0);
		const from = Math.min(...spans.map((span) => span.from));
		return this.hasReadWhole({ from, until });
	}

	/** Whether a whole list was read that the trigger remembers, and did not move meanwhile. */
	private hasReadWhole({ from, until }: Span): boolean {
		const { polls } = this.chronicle;
		return polls.some(
			(poll, index) =>
				poll.from > from &&
				poll.until < until &&
				!poll.hasMoved &&
				!this.readsCopy(poll) &&
				poll.isWhole &&
				!poll.isForgotten &&
				// Else it only goes on with the reading of the poll before.
				isWholeOfSame(polls[index - 1], poll),
		);
	}

	/**
	 * Whether records moved while the first reading ran, as if a copy responded, or pages came to be
	 * cut, so that it may have missed others (docs/guarantees.md).
	 */
	private get movedInFirstReading(): boolean {
		const { from, until } = this.firstReading;
		const isWithin = (moment: Moment | undefined = 0) => moment > from && moment < until;
		const { absences, clamped, copies, versions } = this.chronicle;
		return (
			clamped.some(isWithin) ||
			copies.some((copy) => isWithin(copy.from)) ||
			versions.some(({ shown }) => isWithin(shown?.from)) ||
			absences.some((absence) => isWithin(absence.from))
		);
	}

	/**
	 * Whether records moved in the second reading too, so that it may have missed what the first one
	 * did (docs/polling.md).
	 */
	private get movedInSecondReading(): boolean {
		const { polls } = this.chronicle;
		const [first, second] = polls.filter((poll) => poll.isWhole && !poll.isForgotten);
		// It may have begun in a poll before.
		const belongsToSecond = ({ from, until }: PollSeen) =>
			from > (first?.until ?? Infinity) && until <= (second?.until ?? 0);
		return this.movedInFirstReading && polls.some((poll) => poll.hasMoved && belongsToSecond(poll));
	}

	/** Whether pages come in no order, which guarantees nothing (docs/guarantees.md). */
	get isUnordered(): boolean {
		return this.chronicle.history.service.list.naturalOrder === 'none';
	}

	/** Whether its time tells that it was there before the first reading ended, by two records. */
	private isDatedBefore(version: Version): boolean {
		const { from, until } = this.firstReading;
		const { record } = version;
		const datedAt = this.datedAt(version);
		const others = this.datedAtFirst.filter(
			(one) =>
				one.record !== record &&
				this.datedAt(one) >= datedAt + this.uncertainty &&
				(one.shown?.from ?? 0) < from &&
				(one.shown?.until ?? 0) > until,
		);
		return record !== this.chronicle.history.service.undated && others.length > 1;
	}

	/**
	 * Whether a copy showed an older state of the same record before, which counts at once for Starts
	 * to Match (docs/polling.md): the record may start again, or may have started then.
	 */
	showedOlder({ record }: Version, until: Moment): boolean {
		const states = this.chronicle.versions.filter((one) => one.record === record);
		return this.chronicle.copies.some(
			({ from, numbers }) =>
				from < until &&
				states.some(({ number, shown }) => numbers.has(number) && (shown?.until ?? 0) < from),
		);
	}

	/** When a version had been read, and not from a copy. */
	readBy({ shown }: Version): Moment {
		const { from = Infinity } = shown ?? {};
		const isOwn = (poll: PollSeen) => poll.from > from && poll.isWhole && !this.readsCopy(poll);
		return this.chronicle.polls.find(isOwn)?.until ?? Infinity;
	}

	private readsCopy(poll: PollSeen): boolean {
		return this.chronicle.copies.some(({ from, until }) => from < poll.from && poll.from < until);
	}

	/** The copies used before a poll ended. */
	private copiesUntil({ until }: PollSeen): Chronicle['copies'] {
		return this.chronicle.copies.filter(({ from }) => from < until);
	}
}

function isWholeOfSame(before: PollSeen | undefined, poll: PollSeen): boolean {
	return before === undefined || (before.isWhole && before.process === poll.process);
}

function isAfter(shown: Span | undefined, moment: Moment): boolean {
	return shown !== undefined && shown.from > moment;
}
