import { type FoundIdentity, findIdentity } from '../answer/identity';
import type { JsonObject } from '../values/json';
import { contentOf, digest, findTellingFields } from './pageMemory';

export interface CollectionRules<Kept> {
	/** Name of the resource, for IDs such as `userId`. */
	resource: string;
	/** Dot path of the ID; if it is empty, the ID is detected. */
	idPath?: string;
	/** Whether a repeated record is left out; true unless it is set. */
	removeDuplicates?: boolean;
	/** Max number of records wanted; undefined = all. */
	limit?: number;
	/** Which records are returned, and count for the limit; all of them if it is missing. */
	isWanted?: (record: JsonObject) => boolean;
	/** What to keep of a record; made as the record comes, so that nothing else of it stays in memory. */
	keepAs: (record: JsonObject) => Kept;
}

type Id = string | number;

/** What of a page is new. */
export interface NewRecords {
	/** Records that would be kept. */
	fresh: number;
	/** Records with the ID of an earlier one that seem to be others. */
	differing: number;
	/** How many of both count for the limit; 0 without one. */
	forLimit: number;
}

interface LeftOut<Kept> {
	/** How many records had been kept when it was left out. */
	place: number;
	/** Undefined if the record is not wanted. */
	kept: Kept | undefined;
	/** Whether it seems to be another record than the one with its ID. */
	differs: boolean;
}

/** Bits of one of two digests that are kept in one small number. */
const DIGEST_BITS = 15;
const DIGEST_MASK = 2 ** DIGEST_BITS - 1;

/**
 * Keeps every record once, in the order they first came. Which field is the ID is a guess, unless the user said it:
 * a field that comes twice on one page with other content is none, and what was left out because of it comes back.
 */
export class RecordCollector<Kept> {
	records: Kept[] = [];

	/** Records that came, each once, whether wanted or not. */
	read = 0;

	/** Records left out because they had come before. */
	duplicates = 0;

	/** The field that was taken for the ID and is none. */
	disprovedIdField?: string;

	private identity?: FoundIdentity;

	/** The kept IDs, each with a digest of what tells its record from others. */
	private readonly kept = new Map<Id, number>();

	/** Digests of records that were left out although they differ from the one that was kept. */
	private readonly otherContents = new Map<Id, number[]>();

	/** In a further sweep the IDs that came in it. */
	private seenAgain?: Set<Id>;

	/** Two fields besides the ID that tell records apart. */
	private tellingFields: string[] = [];

	private readonly volatile = new Set<string>();

	private leftOut: Array<LeftOut<Kept>> = [];

	private hasBegun = false;

	constructor(private readonly rules: CollectionRules<Kept>) {}

	/** Dot path of the ID, found on the first page with records; undefined if they have none. */
	get idField(): string | undefined {
		return this.identity?.field;
	}

	/** The ID of a record; undefined if the records have none, or one that may be something else. */
	get identify(): ((record: JsonObject) => unknown) | undefined {
		return this.identity?.isDoubtful === true ? undefined : this.identity?.identify;
	}

	/** Equal for records that are the same, as far as can be told. */
	readonly keyOf = (record: JsonObject): string | number =>
		this.identity?.identify(record) ?? contentOf(record, this.volatile);

	/** Equal for records with the same ID and the same content, as far as can be told. */
	readonly contentKeyOf = (record: JsonObject): string => {
		const telling = this.tellingFields.filter((field) => !this.volatile.has(field));
		return JSON.stringify([this.keyOf(record), ...telling.map((field) => record[field] ?? null)]);
	};

	/** How many records are still wanted. */
	get wanted(): number {
		const { limit } = this.rules;
		return limit === undefined ? Infinity : limit - this.records.length;
	}

	/** How many records have to be read for them, judged by how many of those read were wanted. */
	get wantedToRead(): number {
		const { records, read, rules } = this;
		const share = rules.isWanted === undefined ? 1 : records.length / Math.max(read, 1);
		return this.wanted / share;
	}

	/** Records that were left out although they differ from the earlier ones with their IDs. */
	get differingLeftOut(): number {
		return this.leftOut.filter(({ differs }) => differs).length;
	}

	/** The list is read once more: from now on only IDs that never came are new. */
	sweepAgain(): void {
		this.seenAgain = new Set();
	}

	/** Looks for the ID on the first page with records. */
	begin(page: readonly JsonObject[]): void {
		if (this.hasBegun || page.length === 0) return;
		this.hasBegun = true;
		this.identity = this.findIdentity(page);
		const field = this.identity?.field;
		this.tellingFields = findTellingFields(page)
			.filter((name) => name !== field)
			.slice(0, 2);
	}

	/** What of a page is new; changes nothing. */
	countNew(page: readonly JsonObject[]): NewRecords {
		const { identity, rules } = this;
		const { limit, isWanted = () => true } = rules;
		const found: NewRecords = { fresh: 0, differing: 0, forLimit: 0 };
		const met = new Map<Id, JsonObject>();
		for (const record of page) {
			const id = identity?.identify(record);
			const twin = id === undefined ? undefined : met.get(id);
			if (twin !== undefined) {
				if (!this.isGuessed || !this.contentDiffers(record, twin)) continue;
				found.differing++;
			} else if (id === undefined || !this.hasCome(id)) found.fresh++;
			else if (!this.isSame(id, record)) found.differing++;
			else {
				met.set(id, record);
				continue;
			}
			if (id !== undefined) met.set(id, record);
			if (limit !== undefined && isWanted(record)) found.forLimit++;
		}
		return found;
	}

	/** These fields differ in each answer, and tell nothing of a record. */
	ignore(fields: readonly string[]): void {
		for (const field of fields) this.volatile.add(field);
	}

	/** Keeps what is new of a page. */
	add(page: readonly JsonObject[]): void {
		this.begin(page);
		const met = new Map<Id, JsonObject>();
		for (const record of page) {
			if (this.wanted <= 0) return;
			const id = this.identity?.identify(record);
			if (id === undefined) {
				// Without an ID nothing tells whether an earlier sweep had it.
				if (this.seenAgain === undefined) this.keep(record);
				continue;
			}
			const twin = met.get(id);
			if (twin !== undefined && this.isGuessed && this.contentDiffers(record, twin)) {
				this.disproveId();
				this.keep(record);
				continue;
			}
			met.set(id, record);
			this.addWithId(id, record);
		}
	}

	/** Leaves out a page that was read before. */
	skip(page: readonly JsonObject[]): void {
		this.duplicates += page.length;
	}

	private addWithId(id: Id, record: JsonObject): void {
		const { seenAgain } = this;
		if (!this.hasCome(id)) {
			seenAgain?.add(id);
			if (seenAgain !== undefined && this.kept.has(id)) return;
			this.kept.set(id, this.digestOf(record));
			this.keep(record);
			return;
		}
		const { removeDuplicates = true } = this.rules;
		const differs = !this.isSame(id, record);
		if (!removeDuplicates) {
			this.keep(record);
			return;
		}
		this.duplicates++;
		this.leftOut.push({ place: this.records.length, kept: this.keptOf(record), differs });
		if (!differs) return;
		const others = this.otherContents.get(id) ?? [];
		this.otherContents.set(id, [...others, this.digestOf(record)]);
		this.doubtId();
	}

	/** More records that differ than records that came again: it is not the ID that they have in common. */
	private doubtId(): void {
		const differing = this.differingLeftOut;
		if (differing > 1 && 2 * differing > this.leftOut.length) this.disproveId();
	}

	private disproveId(): void {
		this.disprovedIdField = this.identity?.field;
		this.identity = undefined;
		this.duplicates -= this.leftOut.length;
		this.read += this.leftOut.length;
		const records: Kept[] = [];
		let from = 0;
		for (const { place, kept } of this.leftOut) {
			for (; from < place; from++) records.push(this.records[from] as Kept);
			if (kept !== undefined) records.push(kept);
		}
		for (; from < this.records.length; from++) records.push(this.records[from] as Kept);
		this.records = records;
		this.leftOut = [];
		this.kept.clear();
	}

	private get isGuessed(): boolean {
		return (this.rules.idPath ?? '') === '';
	}

	private hasCome(id: Id): boolean {
		return (this.seenAgain ?? this.kept).has(id);
	}

	/** Whether a record is the earlier one with its ID: changed meanwhile, perhaps, but not another one. */
	private isSame(id: Id, record: JsonObject): boolean {
		const earlier = this.kept.get(id);
		if (earlier === undefined) return true;
		const now = this.digestOf(record);
		if (this.identity?.isDoubtful === true) return true;
		const places = this.lastingPlaces;
		if (places.length === 0 || !this.isGuessed) return true;
		const isLike = (then: number) =>
			places.some((place) => partOf(then, place) === partOf(now, place));
		return isLike(earlier) || (this.otherContents.get(id)?.some(isLike) ?? false);
	}

	/** Places of the tellingFields that do not differ in each answer. */
	private get lastingPlaces(): number[] {
		return [...this.tellingFields.keys()].filter(
			(place) => !this.volatile.has(this.tellingFields[place] ?? ''),
		);
	}

	private digestOf(record: JsonObject): number {
		return this.tellingFields.reduce(
			(digests, field, place) =>
				digests | ((digest(record[field] ?? null) & DIGEST_MASK) << (place * DIGEST_BITS)),
			0,
		);
	}

	private contentDiffers(one: JsonObject, other: JsonObject): boolean {
		return contentOf(one, this.volatile) !== contentOf(other, this.volatile);
	}

	private findIdentity(page: readonly JsonObject[]): FoundIdentity | undefined {
		const { idPath, resource } = this.rules;
		const found = findIdentity(page, resource, idPath);
		if (found?.isDoubtful !== true) return found;
		// Only together with the whole content it makes a record the same one.
		return {
			...found,
			identify: (record) => {
				const id = found.identify(record);
				return id === undefined ? undefined : `${id}#${digest(record)}`;
			},
		};
	}

	private keep(record: JsonObject): void {
		this.read++;
		const kept = this.keptOf(record);
		if (kept !== undefined) this.records.push(kept);
	}

	private keptOf(record: JsonObject): Kept | undefined {
		const { isWanted, keepAs } = this.rules;
		return isWanted === undefined || isWanted(record) ? keepAs(record) : undefined;
	}
}

function partOf(digests: number, place: number): number {
	return (digests >> (place * DIGEST_BITS)) & DIGEST_MASK;
}
