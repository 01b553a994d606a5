import { normalizeId, type RecordId } from '../response/identity';
import { isLaterThanClocks, readTime } from '../response/updateTimes';
import { shortDigest } from '../values/digest';
import { SECOND } from '../values/instant';
import { type JsonObject, readDotPath } from '../values/json';
import { redactPath } from '../values/serverText';
import { Baseline } from './baseline';
import { CONTENT_LENGTH, contentDigest, fieldDigests, type SeenPage } from './contents';
import type { PollCursor } from './cursor';
import { DifferingRecords } from './differingRecords';
import {
	type LastChange,
	readCreatedAt,
	readLastChange,
	readUpdatedAt,
	requireId,
	sharedIdFailure,
} from './fields';
import type { ListProfile, PollSettings } from './listProbe';
import { type Change, PendingChanges } from './pendingChanges';
import type { PolledList } from './polledList';
import {
	formatId,
	NO_TIMESTAMP,
	type RecordVersion,
	type RememberedRecord,
	RememberedRecords,
} from './rememberedRecords';
import { ShownTimes } from './shownTimes';
import { latestAt, precisionMs, spreadMs } from './timePrecision';

/** A poll of a list that was probed. */
export interface PollContext {
	list: PolledList;
	settings: PollSettings;
	cursor: PollCursor;
	profile: ListProfile;
}

/** Stored instead of a digest for a record that matches. */
const MATCH_MARK = 'm';

/** A service may write a record once more as soon as it is created. */
const CREATE_THEN_UPDATE_MS = 2 * SECOND;

/** 54 bits: 200,000 records have different keys with a chance of 99.9999 %. */
const KEY_LENGTH = 9;

/** Finds the changes of a list since it was remembered. */
export class ChangeDetector {
	readonly remembered: RememberedRecords;

	readonly times: ShownTimes;

	readonly baseline: Baseline;

	private readonly changes: PendingChanges;

	/** How many records differ although their time is the same. */
	private differingCount = 0;

	/** Some of them. */
	private readonly differing: DifferingRecords;

	/** The page that has more records than any other which differ although their time is the same. */
	differingPage?: SeenPage & { differingCount: number };

	/** Dot paths of fields that have become volatile. */
	private renewed: readonly string[];

	/** Whether the records of the whole list are remembered, so that any other one is new. */
	private readonly comparesWholeList: boolean;

	constructor(private readonly poll: PollContext) {
		this.remembered = new RememberedRecords(poll.cursor.remembered);
		const { newest } = poll.cursor.reading ?? {};
		this.times = new ShownTimes(poll.profile.fields, poll.list.source.names, newest);
		this.baseline = new Baseline(poll.cursor, poll.profile);
		this.changes = new PendingChanges(poll.settings.maxItems);
		this.comparesWholeList = poll.profile.reads === 'comparison';
		this.renewed = poll.profile.renewed ?? [];
		this.differing = new DifferingRecords(poll.profile.differing);
	}

	/** @throws ServiceFailure if a record has no ID, or that of another one of the page */
	readonly addPage = (records: readonly JsonObject[], page: number, pageSize: number): void => {
		const { list, profile, settings } = this.poll;
		const differingBefore = this.differingCount;
		const onPage = new Map<string, JsonObject>();
		for (const record of records) {
			const id = requireId(record, profile.fields.id, list.source.names);
			const key = shortDigest(JSON.stringify(normalizeId(id)), KEY_LENGTH);
			const other = onPage.get(key);
			// Between pages, a record may move and change.
			if (other && JSON.stringify(other) !== JSON.stringify(record))
				throw sharedIdFailure(profile.fields.id, records, list.source.names);
			onPage.set(key, record);
			const before = this.remembered.get(key);
			if (before) before.isSeen = true;
			if (settings.triggerOn === 'removed') this.rememberId(id, key, before);
			else if (settings.triggerOn === 'startsToMatch') this.compareMatch(record, key, before);
			else this.compareVersion(record, key, before?.versions);
		}
		const differingCount = this.differingCount - differingBefore;
		if (differingCount > (this.differingPage?.differingCount ?? 0))
			this.differingPage = { page, pageSize, records, differingCount };
	};

	private rememberId(id: RecordId, key: string, before: RememberedRecord | undefined): void {
		const content = formatId(id);
		if (before?.versions[0]?.content === content) return;
		this.remembered.remember(key, { stampedAt: NO_TIMESTAMP, content });
	}

	/** From now on these fields do not count. @returns those that did */
	ignoreRenewed(paths: readonly string[]): string[] {
		const found = paths.filter((path) => !this.ignored.includes(path));
		if (found.length === 0) return [];
		this.renewed = [...this.renewed, ...found];
		this.differing.clear();
		for (const { record, version } of this.changes.all)
			if (version.content !== '') version.content = this.contentOf(record);
		return found;
	}

	/** What is known of the list after this poll. */
	get profile(): ListProfile {
		return { ...this.poll.profile, renewed: this.renewed, differing: this.differing.all };
	}

	/** The records that start the workflow, the oldest first; the others wait. */
	selectChanges(): { records: JsonObject[]; pendingAt: number } {
		const chosen = this.changes.select();
		for (const { key, version } of chosen) this.remembered.remember(key, version);
		return { records: chosen.map(({ record }) => record), pendingAt: this.changes.pendingAt };
	}

	/**
	 * What the user should know of the times and contents received.
	 *
	 * @param sinceAt since when changes were requested; none if the whole list was read
	 * @throws ServiceFailure if the update time has another name by now, or is gone
	 */
	warnings(sinceAt: number | undefined): string[] {
		const { list, profile, settings } = this.poll;
		const { plural } = list.source.names;
		const where = this.differing.fields.map((field) => `"${redactPath(field)}"`).join(', ');
		const although = profile.fields.updatedAt === '' ? '' : ' although their times are the same';
		const renewed = `Some ${plural} count as changed again and again, because they differ at ${where}${although}. If a field is renewed now and then, such as a signed URL, add it to Ignore Fields.`;
		const notes = this.times.warnings(settings.triggerOn === 'created', sinceAt);
		return where === '' ? notes : [renewed, ...notes];
	}

	private compareMatch(
		record: JsonObject,
		key: string,
		before: RememberedRecord | undefined,
	): void {
		const content = this.poll.settings.matches(record) ? MATCH_MARK : '';
		if (content === before?.versions.at(-1)?.content) return;
		const time = readUpdatedAt(record, this.poll.profile.fields);
		this.noteTime(key, time);
		const isBaseline = this.baseline.includes(time, before !== undefined);
		const change = { record, key, version: { stampedAt: NO_TIMESTAMP, content } };
		this.addChange(change, content !== '' && !isBaseline);
	}

	private compareVersion(
		record: JsonObject,
		key: string,
		seen: readonly RecordVersion[] | undefined,
	): void {
		const { settings } = this.poll;
		const { changedAt, isNeverUpdated } = this.readChange(record);
		if (changedAt === undefined && !this.comparesWholeList) {
			this.times.hasRecordWithoutTime = true;
			return;
		}
		this.noteTime(key, changedAt);
		const isBaseline = this.baseline.includes(changedAt, seen !== undefined);
		// Without an update time of its own, a record may change at any time.
		const isTimeless = this.comparesWholeList && isNeverUpdated;
		const stampedAt = isTimeless ? NO_TIMESTAMP : (changedAt ?? NO_TIMESTAMP);
		const last = seen?.at(-1);
		// Most records are as they were, and a digest of what they hold takes time.
		if (last?.content === '' && last.stampedAt === stampedAt) return;
		// A change may leave the time as it is, or leave the update time empty.
		const mayHide = stampedAt === NO_TIMESTAMP || precisionMs(stampedAt) > 0 || isNeverUpdated;
		const hasContent = mayHide && settings.triggerOn !== 'created';
		const version = { stampedAt, content: hasContent ? this.contentOf(record) : '' };
		const isSameTime = seen?.some((one) => one.stampedAt === stampedAt) === true;
		const isNewVersion = isSameTime
			? this.hasContentChanged(seen, version, record)
			: !this.isTooOld(record, stampedAt, seen);
		if (!isNewVersion) return;
		if (isSameTime) {
			this.differingCount++;
			this.differing.add(key, () => fieldDigests(record, this.ignored));
		}
		if (!isBaseline && this.isUnconfirmed(key, stampedAt, seen)) return;
		const isWanted = isSameTime || this.matchesTrigger(record, changedAt, seen !== undefined);
		this.addChange({ record, key, version }, isWanted && !isBaseline && settings.matches(record));
	}

	/** When a record was changed last; when it was created, if only that counts. */
	private readChange(record: JsonObject): LastChange {
		const { profile, settings } = this.poll;
		const { fields } = profile;
		this.times.noteUpdateTime(record);
		return settings.triggerOn === 'created'
			? { changedAt: readCreatedAt(record, fields), isNeverUpdated: false }
			: readLastChange(record, fields, this.poll.list.latestPlausibleAt);
	}

	private noteTime(key: string, time = NO_TIMESTAMP): void {
		if (time < this.poll.list.latestPlausibleAt) this.times.note(key, time);
	}

	/** @param renewedCount how many of the fields that have become volatile are left out */
	private contentOf(record: JsonObject, renewedCount = this.renewed.length): string {
		const renewed = this.renewed.slice(0, renewedCount);
		const digest = contentDigest(record, [...this.poll.profile.without, ...renewed]);
		return renewedCount > 0 ? `${digest}${renewedCount}` : digest;
	}

	private get ignored(): string[] {
		return [...this.poll.profile.without, ...this.renewed];
	}

	/** Queues a new version for delivery, or remembers it at once. */
	private addChange(change: Change, isWanted: boolean): void {
		if (isWanted) this.changes.add(change);
		else this.remembered.remember(change.key, change.version);
	}

	/**
	 * Whether a version has other content than when it was seen. The version that was seen last may
	 * return to content it had before.
	 */
	private hasContentChanged(
		seen: readonly RecordVersion[],
		{ content, stampedAt }: RecordVersion,
		record: JsonObject,
	): boolean {
		const [last] = seen.slice(-1);
		const isAlike = (one: RecordVersion) =>
			one.stampedAt === stampedAt &&
			(one.content === '' ||
				one.content === content ||
				one.content === this.contentOf(record, Number(one.content.slice(CONTENT_LENGTH))));
		return !(last?.stampedAt === stampedAt ? [last] : seen).some(isAlike);
	}

	private isTooOld(
		record: JsonObject,
		time: number,
		seen: readonly RecordVersion[] | undefined,
	): boolean {
		const isLater = time > (seen?.at(-1)?.stampedAt ?? -Infinity);
		if (!this.baseline.isTooOld(time) || (this.comparesWholeList && isLater)) return false;
		// The filter is right to find what is dated in the year 9999.
		if (!isLaterThanClocks(readDotPath(record, this.poll.profile.fields.updatedAt)))
			this.times.noteTooOld(this.baseline.endOf(time));
		return true;
	}

	/**
	 * Whether a version is seen for the first time although it is older than one that was seen: it
	 * may be from a replica that lags behind. It counts if the next reading shows it too.
	 */
	private isUnconfirmed(
		key: string,
		stampedAt: number,
		seen: readonly RecordVersion[] = [],
	): boolean {
		// A version without a time may be older than any other.
		const isLater = (one: RecordVersion) =>
			one.stampedAt < this.poll.list.latestPlausibleAt &&
			(stampedAt === NO_TIMESTAMP || one.stampedAt > stampedAt);
		if (!seen.some(isLater)) return false;
		const unconfirmed = `${key}?${stampedAt}`;
		// A page returned twice in one reading confirms nothing.
		if (this.remembered.get(unconfirmed)?.isSeen === false) return false;
		this.remembered.remember(unconfirmed, { stampedAt, content: '' });
		this.changes.postpone(stampedAt);
		return true;
	}

	/** Whether the user wants this version of a remembered record, or this new record. */
	private matchesTrigger(
		record: JsonObject,
		changedAt: number | undefined,
		isRemembered: boolean,
	): boolean {
		const { list, profile, settings } = this.poll;
		const { triggerOn } = settings;
		const creation = readCreatedAt(record, profile.fields);
		// The first version, even if seen late. With coarse times an update can look the same.
		const isFirst =
			creation !== undefined && changedAt === creation && precisionMs(changedAt) === 0;
		if (triggerOn === 'updated' && isFirst) return false;
		if (triggerOn === 'createdOrUpdated' || isRemembered) return true;
		// Without a creation time, a record is new if the whole list was remembered without it.
		if (creation === undefined) return this.comparesWholeList === (triggerOn === 'created');
		if (triggerOn === 'created') return true;
		// Dated ahead by mistake: any other time is that of an update.
		if (creation >= list.latestPlausibleAt)
			return !this.comparesWholeList && changedAt !== creation;
		const { createdAt, precision, updatedAt } = profile.fields;
		// If the whole list is compared, a record that is not remembered was not there.
		const wasThere = !this.comparesWholeList && this.baseline.isTooOld(creation);
		const namesZone = (path: string) => readTime(record, path)?.hasZone;
		// Two times of one record that do not say their zone are in the same one.
		const isSameZone = namesZone(createdAt) === namesZone(updatedAt);
		const created = latestAt(creation, isSameZone ? precision?.unitMs : spreadMs(precision));
		return wasThere || created + CREATE_THEN_UPDATE_MS < (changedAt ?? 0);
	}
}
