import { ServiceFailure } from '../failure/serviceFailure';
import { shortDigest } from '../values/digest';
import { isRecord, type JsonObject, joinPath } from '../values/json';
import { type RecordFields, type RecordNames, readUpdate } from './fields';
import type { PageOfRecords, PolledList } from './reading';
import type { Moment } from './versions';
import {
	findVolatileFields,
	type KnownVolatile,
	RenewedFields,
	type ShownPage,
} from './volatileFields';

/** 48 bits: compared for one record and one time only. */
const CONTENT_LENGTH = 8;

/** Of the reading whose records were compared. */
export interface SettledReading {
	asked: number | undefined;
	isUnfinished: boolean;
	/** Of the whole list: what was found by a time may have come in shorter pages. */
	pageSize: number;
}

/**
 * What records hold, as far as it tells their states apart. Fields that differ without a change are
 * not part of it. Those that differ in each answer are looked for before any content is remembered;
 * these, and those that are renewed now and then, again if a content differs although the time is
 * the same. A content that was remembered with such a field cannot be compared any more, so its
 * record is returned once more.
 */
export class Contents {
	/** What the user should know. */
	readonly notes: string[] = [];

	private readonly firstPages: ShownPage[] = [];

	private doubted?: PageOfRecords;

	private known: KnownVolatile;

	constructor({ volatile, renewals }: KnownVolatile) {
		this.known = { volatile, ...(renewals && { renewals }) };
	}

	digest(record: JsonObject): string {
		return contentDigest(record, this.known.volatile);
	}

	/** Forgets what would prove a field to be renewed, if times do not show that a state is over. */
	forgetMarks(): void {
		this.known = { volatile: this.known.volatile };
	}

	/** Notes a first page, which a later poll may compare with how it is then. */
	show(page: ShownPage): void {
		this.firstPages.push(page);
	}

	/** Notes that a record of this page differs although its time is the same. */
	doubt(page: PageOfRecords): void {
		this.doubted ??= page;
	}

	/**
	 * Looks for fields that differ without a change, if they may be why a record differs.
	 *
	 * @param isOver whether a state of this time cannot change any more
	 */
	async settle(
		list: PolledList,
		fields: RecordFields,
		{ asked, isUnfinished, pageSize }: SettledReading,
		isOver: (made: Moment) => boolean,
	): Promise<void> {
		const { doubted, firstPages, known } = this;
		const isCompared = (record: JsonObject) => readUpdate(record, fields)?.tick !== 0;
		const shown = firstPages.filter(({ records }) => records.some(isCompared));
		if (doubted === undefined && shown.length === 0 && known.renewals?.next === undefined) return;
		const renewed = new RenewedFields(list, fields, isOver, known.renewals);
		for (const page of shown) renewed.show(page);
		const look = async (page: PageOfRecords) => {
			this.ignore(await findVolatileFields(list, fields, page, asked));
			await renewed.readAgain(pageSize);
			const found = renewed.find(this.known.volatile);
			this.ignore(found);
			for (const path of found) this.notes.push(renewedNote(path, list.source.names));
			return true;
		};
		const hasLooked = await (doubted === undefined ? true : look(doubted).catch(asFailure));
		// What differs is returned then, and what it differs from is still there to compare with.
		if (!hasLooked) return;
		const { volatile } = this.known;
		this.known = { volatile, renewals: renewed.toMemory(volatile, isUnfinished) };
	}

	toMemory(): KnownVolatile {
		return this.known;
	}

	private ignore(found: readonly string[]): void {
		this.known = { ...this.known, volatile: [...new Set([...this.known.volatile, ...found])] };
	}
}

function asFailure(error: unknown): false {
	if (error instanceof ServiceFailure) return false;
	throw error;
}

function renewedNote(path: string, { plural }: RecordNames): string {
	return `"${path}" is renewed in all ${plural} again and again, so a change of it alone no longer counts. If you need it, list the ${plural} on a schedule with the Visitor Service node.`;
}

/**
 * Equal for records with equal contents, in whatever order their fields and the elements of their
 * lists come.
 *
 * @param volatile dot paths of fields that differ without a change
 */
export function contentDigest(record: JsonObject, volatile: readonly string[]): string {
	const text = JSON.stringify(inOrder(record, (path) => !volatile.includes(path)));
	return shortDigest(text, CONTENT_LENGTH);
}

/** @param keeps whether the field at a dot path is part of it; a path passes through lists */
function inOrder(value: unknown, keeps: (path: string) => boolean, path = ''): unknown {
	if (Array.isArray(value)) {
		return value.map((element) => JSON.stringify(inOrder(element, keeps, path))).sort();
	}
	if (!isRecord(value)) return value;
	return Object.keys(value)
		.sort()
		.filter((name) => keeps(joinPath(path, name)))
		.map((name) => [name, inOrder(value[name], keeps, joinPath(path, name))]);
}
