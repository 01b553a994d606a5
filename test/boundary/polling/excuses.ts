import { DAY, HOUR, SECOND } from '../../drawn/polledService';
import type { Facts } from './facts';
import type { Version } from './livedService';

/**
 * Why a state need not come out, by what the service did: each says where the documents promise
 * it, or why nobody could tell.
 */
export const excuses: ReadonlyArray<(version: Version, facts: Facts) => boolean> = [
	// Without any time (docs/polling.md): users without any time are left out, unless the list is
	// compared.
	({ record }, { chronicle, isCompared }) =>
		record === chronicle.history.service.undated && !isCompared,
	// Never found (docs/polling.md): a filter that leaves out users never updated is noticed if such
	// a user shows at publishing.
	({ birth, number }, facts) =>
		facts.chronicle.history.service.list.neverUpdated === 'notFound' &&
		birth === number &&
		!facts.isCompared &&
		!facts.showedNeverUpdated,
	// Started by a copy (docs/polling.md): an older state counts at once for Starts to Match.
	(version, facts) =>
		facts.triggerOn === 'startsToMatch' && facts.showedOlder(version, facts.readBy(version)),
	// Changed while publishing (docs/polling.md): a field is no change if it differed when the
	// workflow was published; of one record alone, whose time stays the same, nothing tells its
	// changes from that.
	({ record }, { changedAloneAtFirst, chronicle, isCompared }) => {
		const { list, undated } = chronicle.history.service;
		const isTimeless = isCompared && record === undated;
		const isCut = (list.timeUnit ?? 'ms') !== 'ms' || list.updatedAtFormat === 'isoDate';
		return changedAloneAtFirst && (isTimeless || isCut);
	},
	// Created unseen (docs/polling.md): an update is left out if, as far as times tell, it may be
	// the creation, which the service does not find, written again within two seconds.
	({ birth, stampedAt }, { chronicle, isCompared, triggerOn }) => {
		const { neverUpdated, timeUnit, updatedAtFormat, updatedSince } =
			chronicle.history.service.list;
		const hasDays = timeUnit === 'day' || updatedAtFormat === 'isoDate';
		const unit = hasDays ? DAY : timeUnit === 'hour' ? HOUR : 0;
		const age = stampedAt - (chronicle.versions[birth - 1]?.stampedAt ?? 0);
		const isBehind = (updatedSince?.aheadMs ?? 0) < 0;
		const isUnseen = (neverUpdated === 'notFound' || isBehind) && !isCompared;
		return triggerOn === 'updated' && isUnseen && age < Math.max(2 * unit, 2 * SECOND);
	},
	// Came back (docs/polling.md): a new ID counts without Created At Path, which is looked for at
	// publishing; one that was used before is new only by the time of its creation.
	({ record }, { chronicle, showedTimes, triggerOn }) => {
		const { list, undated } = chronicle.history.service;
		const showsCreation = list.createdAtField !== null && record !== undated && showedTimes;
		const isUnsure = triggerOn === 'updated' || (triggerOn === 'created' && !showsCreation);
		return isUnsure && chronicle.absences.some((absence) => absence.record === record);
	},
	// Stamped behind (docs/polling.md): if update times fall behind, changes may be missed or a day
	// late; after a day nothing is.
	(version, facts) => {
		const { polls, probedFrom, stampedBack } = facts.chronicle;
		const { shown: { from } = { from: 0 }, stampedAt } = version;
		const lastAt = polls.at(-1)?.startedAt ?? 0;
		const isHidden = facts.datedAheadOfLate(version) && lastAt < stampedAt + DAY;
		return isHidden || (from > (stampedBack[0] ?? Infinity) && from < probedFrom);
	},
	// Without a clock (docs/polling.md): if `Date` is missing and a clock is wrong, changes may be
	// missed or repeat; that of n8n is so by more than a day.
	(_, { isWithoutClock }) => isWithoutClock,
	// Dated no later than the first reading (docs/polling.md): after a first reading of several
	// requests, what is dated no later than the newest change it showed is only remembered, until a
	// reading finds none of it.
	(version, facts) => facts.isOnlyRemembered(version),
	// Misread unseen (docs/polling.md): if no user shows while publishing that the service misreads
	// the filter, that shows within a day.
	({ birth, number, stampedAt }, { chronicle, showedNeverUpdated, showedUpdate }) => {
		const { aheadMs = 0 } = chronicle.history.service.list.updatedSince ?? {};
		const lastAt = chronicle.polls.at(-1)?.startedAt ?? 0;
		const isShown = showedUpdate || showedNeverUpdated;
		return aheadMs < 0 && birth !== number && !isShown && lastAt < stampedAt + DAY;
	},
	// Dated never (docs/polling.md): a time that no clock shows stands for none, so that the record
	// counts as never updated; its contents count if the list is compared.
	({ birth, dated, number }, { chronicle, isCompared }) => {
		// Its creation is dated so, and its update is a constant of long ago.
		const { neverUpdatedAs } = chronicle.history.service.list;
		const isConstant = dated === 'daysAhead' && birth === number && neverUpdatedAs !== undefined;
		return (dated === 'never' || isConstant) && !isCompared;
	},
	// Without order (docs/guarantees.md): a poll misses changes if pages come in no fixed order.
	(_, { isUnordered }) => isUnordered,
	// Misread (docs/polling.md): if updatedSince comes to be misread, that is an error within a day,
	// and until then changes do not come; if two users were found before.
	(_, { chronicle, foundTwoBeforeMisread, warnsOfMisread }) =>
		chronicle.misread.length > 0 && (warnsOfMisread || !foundTwoBeforeMisread),
];
