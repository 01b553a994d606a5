import { ServiceFailure } from '../failure/serviceFailure';
import { shortDigest } from '../values/digest';
import { isRecord, type JsonObject, joinPath } from '../values/json';
import type { RecordFields, RecordNames } from './fields';
import type { PageOfRecords, PolledList } from './reading';
import { findVolatileFields, isWithin, stateKey, valuesByPath } from './volatileFields';

/** 48 bits: compared for one record and one time only. */
const CONTENT_LENGTH = 8;

/** Enough to name the field that differs. */
const MARK_LENGTH = 3;

/** So many records that differ at once, and no other one, speak of a field that is renewed. */
const MANY = 3;

/** What one state of a record held: by dot path, short digests. */
export interface Sample {
	state: string;
	fields: Record<string, string>;
}

/** What is known of the fields that do not count. */
export interface KnownContents {
	/** Dot paths of those that differ in each answer. */
	volatile: readonly string[];
	/** Tells what differs if all records do. */
	sample?: Sample;
}

/**
 * What records hold, as far as it tells their states apart. Fields that the user named, and those
 * that differ in each answer, are not part of it. The latter are looked for before any content is
 * remembered, and again if a content differs although the time is the same. A content that was
 * remembered with such a field cannot be compared any more, so its record is returned once more.
 */
export class Contents {
	/** What the user should know. */
	readonly notes: string[] = [];

	private doubted?: PageOfRecords;

	private volatile: readonly string[];

	private sample?: Sample;

	private differing = 0;

	private same = 0;

	/** @param ignored dot paths of the fields that the user named */
	constructor(
		{ sample, volatile }: KnownContents,
		private readonly ignored: readonly string[] = [],
	) {
		this.volatile = volatile;
		this.sample = sample;
	}

	digest(record: JsonObject): string {
		return contentDigest(record, [...this.volatile, ...this.ignored]);
	}

	/** Counts a record that was compared. */
	count(isSame: boolean): void {
		if (isSame) this.same++;
		else this.differing++;
	}

	/** Notes that a record of this page differs although its time is the same. */
	doubt(page: PageOfRecords): void {
		this.doubted ??= page;
	}

	/**
	 * Looks for fields that differ in each answer, if they may be why a record differs.
	 *
	 * @param asked since when changes were asked for; undefined for the whole list
	 */
	async settle(list: PolledList, fields: RecordFields, asked: number | undefined): Promise<void> {
		if (this.doubted === undefined) return;
		const page = this.doubted;
		const found = await findVolatileFields(list, fields, page, asked).catch(asNone);
		if (found.length === 0 && this.same === 0 && this.differing >= MANY)
			this.noteRenewed(list, fields, page);
		this.volatile = [...new Set([...this.volatile, ...found])];
		const [record] = page.records;
		if (record) this.sample = this.sampleOf(record, list, fields);
	}

	toMemory(): KnownContents {
		const { sample, volatile } = this;
		return { volatile, ...(sample && { sample }) };
	}

	/** Names the fields in which a record differs from how it was when this happened before. */
	private noteRenewed(list: PolledList, fields: RecordFields, { records }: PageOfRecords): void {
		const shown = records.map((record) => this.sampleOf(record, list, fields));
		const after = shown.find(({ state }) => state === this.sample?.state)?.fields ?? {};
		const paths = Object.entries(this.sample?.fields ?? {})
			.filter(([path, mark]) => after[path] !== undefined && after[path] !== mark)
			.map(([path]) => path);
		for (const path of paths) this.notes.push(renewedNote(path, list.source.names));
	}

	private sampleOf(record: JsonObject, list: PolledList, fields: RecordFields): Sample {
		const without = [...this.volatile, ...this.ignored];
		const kept = [...valuesByPath(record)].filter(
			([path]) => !without.includes(path) && !isWithin(path, without),
		);
		const marks = kept.map(([path, value]) => [path, shortDigest(value, MARK_LENGTH)] as const);
		return { state: stateKey(record, fields, list), fields: Object.fromEntries(marks) };
	}
}

function asNone(error: unknown): string[] {
	if (error instanceof ServiceFailure) return [];
	throw error;
}

function renewedNote(path: string, { plural }: RecordNames): string {
	return `"${path}" differs in all ${plural} although their times are the same, so each of them started the workflow. If it is renewed again and again, such as a signed URL, add it to Ignore Fields.`;
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
