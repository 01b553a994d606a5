import {
	type FoundIdentity,
	findIdentity,
	findLeadingIdentity,
	type RecordId,
	spelledAlike,
} from '../answer/identity';
import { wideDigest } from '../values/digest';
import type { JsonObject } from '../values/json';
import { contentOf, digest, findTellingFields } from './pageMemory';

export interface IdSought {
	/** Name of the resource, for IDs such as `userId`. */
	resource: string;
	/** Dot path of the ID; if it is empty, the ID is detected. */
	idPath?: string;
}

/** Bits of one of two digests that are kept in one small number. */
const DIGEST_BITS = 15;
const DIGEST_MASK = 2 ** DIGEST_BITS - 1;

/**
 * What is left of a record to compare later ones with: the record itself, or what `digestOf` makes
 * of it.
 */
export type Trace = JsonObject | number;

/** The IDs of the records of a page, in their order. */
export interface PageIds {
	ids: ReadonlyArray<RecordId | undefined>;
	/** Whether every record has one that no other record of the page has. */
	areDifferent: boolean;
}

/**
 * What tells the records of a list apart: the ID, found on the first page, and two other fields.
 * Without these, nothing shows whether a field that looks like an ID is one.
 */
export class Distinction {
	/** Whether the ID was detected, and may be none. */
	readonly isGuessed: boolean;

	/** Whether no record of the first page has an ID where the user said it is. */
	isIdMissing = false;

	private identity?: FoundIdentity;

	private tellingFields: string[] = [];

	/** Fields that differ in each answer. */
	private readonly volatile = new Set<string>();

	private hasBegun = false;

	/** A page is counted, maybe several times, and kept: its IDs are read once. */
	private latest?: { page: readonly JsonObject[]; found: PageIds };

	private readonly readId = (record: JsonObject): RecordId | undefined => {
		const id = this.identity?.identify(record);
		return id === undefined ? undefined : spelledAlike(id);
	};

	constructor(private readonly sought: IdSought) {
		this.isGuessed = (sought.idPath ?? '') === '';
	}

	/** Looks for the ID on the first page with records. */
	begin(page: readonly JsonObject[]): void {
		if (this.hasBegun || page.length === 0) return;
		this.hasBegun = true;
		this.latest = undefined;
		const { idPath, resource } = this.sought;
		this.identity = findIdentity(page, resource, idPath) ?? findLeadingIdentity(page, resource);
		if (!this.isGuessed && page.every((record) => this.readId(record) === undefined)) {
			this.identity = undefined;
			this.isIdMissing = true;
		}
		this.tellingFields = findTellingFields(page)
			.filter((name) => name !== this.idField)
			.slice(0, 2);
	}

	/** Dot path of the ID; undefined if the records have none. */
	get idField(): string | undefined {
		return this.identity?.field;
	}

	/** The ID of a record; undefined if the records have none, or one that may be something else. */
	get identify(): ((record: JsonObject) => RecordId | undefined) | undefined {
		return this.identity?.isDoubtful === false ? this.readId : undefined;
	}

	/** What `idsOf` says of each record of a page. */
	private idOf(record: JsonObject): RecordId | undefined {
		const id = this.readId(record);
		if (id === undefined || this.identity?.isDoubtful !== true) return id;
		return `${id}#${digest(record)}`;
	}

	/**
	 * Different for records that are not the same: a doubtful ID makes them so only together with the
	 * whole content, and a record that lacks the ID of the others is known by its content. Undefined
	 * if the records have none.
	 */
	idsOf(page: readonly JsonObject[]): PageIds {
		if (this.latest?.page === page) return this.latest.found;
		const ids = page.map((record) => this.idOf(record));
		if (this.identity !== undefined && ids.includes(undefined)) this.nameByContent(ids, page);
		const different = new Set(ids);
		const areDifferent = different.size === ids.length && !different.has(undefined);
		const found = { ids, areDifferent };
		this.latest = { page, found };
		return found;
	}

	/** Equal ones on one page are several records. */
	private nameByContent(ids: Array<RecordId | undefined>, page: readonly JsonObject[]): void {
		const counts = new Map<number, number>();
		for (const [place, record] of page.entries()) {
			if (ids[place] !== undefined) continue;
			const content = this.contentDigestOf(record);
			const count = (counts.get(content) ?? 0) + 1;
			counts.set(content, count);
			ids[place] = `#${content}#${count}`;
		}
	}

	/** The field that was taken for the ID is none. */
	disproveId(): void {
		this.identity = undefined;
		this.latest = undefined;
	}

	/** Whether nothing but the ID tells records apart. */
	get isIdAlone(): boolean {
		return this.steadyFields.length === 0;
	}

	/** Of the telling fields those that are the same in each answer. */
	private get steadyFields(): string[] {
		return this.tellingFields.filter((field) => !this.volatile.has(field));
	}

	/** Fields that differ in each answer. */
	get volatileFields(): string[] {
		return [...this.volatile];
	}

	/** These fields differ in each answer, and tell nothing of a record. */
	ignore(fields: readonly string[]): void {
		for (const field of fields) this.volatile.add(field);
		this.latest = undefined;
	}

	/** Equal for records with the same ID and the same content, as far as can be told. */
	readonly contentKeyOf = (record: JsonObject): string => {
		const key = this.idOf(record) ?? contentOf(record, this.volatile);
		return JSON.stringify([key, ...this.steadyFields.map((field) => record[field] ?? null)]);
	};

	/** Whether records of different IDs may be the same one, by what tells records apart besides. */
	agreeBesideId(one: JsonObject, other: JsonObject): boolean {
		if (this.isIdAlone) {
			const isAnyBeside = Object.keys(one).length > 1;
			return isAnyBeside && this.contentBesideId(one) === this.contentBesideId(other);
		}
		const { steadyFields } = this;
		const texts = steadyFields.filter((field) => typeof one[field] === 'string');
		const agrees = (field: string) => one[field] === other[field];
		// Small numbers tell the few records of a page apart, and stand on others again.
		return texts.length > 0 ? texts.some(agrees) : steadyFields.every(agrees);
	}

	/** The content of a record without its ID, which may be written in two ways. */
	contentBesideId(record: JsonObject): string {
		const name = this.idField?.split('.').at(-1) ?? '';
		return contentOf(record, new Set([...this.volatile, name]));
	}

	/** Equal for records with the same content, as far as can be told. */
	contentDigestOf(record: JsonObject): number {
		return wideDigest(contentOf(record, this.volatile));
	}

	/** Digests of what tells a record from others besides its ID, in one small number. */
	digestOf(record: JsonObject): number {
		return this.tellingFields.reduce(
			(digests, field, place) =>
				digests | ((digest(record[field] ?? null) & DIGEST_MASK) << (place * DIGEST_BITS)),
			0,
		);
	}

	/**
	 * Whether a record with the same ID as others seems to be none of them: a change leaves something
	 * as it was.
	 */
	isOther(record: JsonObject, earlier: readonly Trace[]): boolean {
		if (this.identity?.isDoubtful === true) return false;
		const places = [...this.tellingFields.keys()].filter(
			(place) => !this.volatile.has(this.tellingFields[place] ?? ''),
		);
		if (places.length === 0) return false;
		const now = this.digestOf(record);
		return earlier
			.map((trace) => (typeof trace === 'number' ? trace : this.digestOf(trace)))
			.every((then) => places.every((place) => partOf(then, place) !== partOf(now, place)));
	}

	/** Whether records on one page that have the same ID differ: then it is none. */
	areOthers(one: JsonObject, other: JsonObject): boolean {
		return this.isGuessed && contentOf(one, this.volatile) !== contentOf(other, this.volatile);
	}
}

function partOf(digests: number, place: number): number {
	return (digests >> (place * DIGEST_BITS)) & DIGEST_MASK;
}
