import type { JsonValue } from './json';
import type { ListQuery, Sort } from './listQuery';
import { shownRecord } from './recordShape';
import type { RecordStore, StoredRecord } from './recordStore';
import type { Resource } from './records';
import type { ListSwitches } from './switches';
import { cutToUnit } from './times';

const keptOrders = 16;

/**
 * Filtered and sorted lists, kept until the records change, so that a page costs no more than its
 * size.
 */
export class RecordOrders {
	private readonly kept = new Map<string, { version: number; records: readonly StoredRecord[] }>();

	private seed = 1;

	constructor(private readonly store: RecordStore) {}

	/** The whole list a query is about. */
	list(resource: Resource, query: ListQuery, switches: ListSwitches): readonly StoredRecord[] {
		const { naturalOrder, neverUpdated, timeUnit, updatedSince } = switches;
		const { sort, updatedSince: since } = query;
		const isFixed = naturalOrder !== 'none' && (naturalOrder !== 'loose' || sort !== null);
		const sorted = isFixed
			? this.sorted(resource, sort ?? naturalSort(switches), switches)
			: this.unordered(this.store.all(resource), query, naturalOrder);
		if (since === null) return sorted;
		if (!isFixed) return sorted.filter((record) => isFound(record, since, switches));
		return this.keep(
			[resource, query.sort, naturalOrder, since, updatedSince, neverUpdated, timeUnit],
			this.store.version(resource),
			() => sorted.filter((record) => isFound(record, since, switches)),
		);
	}

	private sorted(
		resource: Resource,
		sort: Sort | null,
		switches: ListSwitches,
	): readonly StoredRecord[] {
		const records = this.store.all(resource);
		if (sort === null) return records;
		return this.keep([resource, sort], this.store.version(resource), () => {
			const key = sortKey(sort.field, switches);
			const sign = sort.descending ? -1 : 1;
			return records
				.map((record) => ({ record, key: key(record) }))
				.sort((left, right) => sign * compare(left.key, right.key))
				.map(({ record }) => record);
		});
	}

	/** The same in each run. */
	private unordered(
		records: readonly StoredRecord[],
		{ page, requestedSize }: ListQuery,
		order: ListSwitches['naturalOrder'],
	): readonly StoredRecord[] {
		const loose = ({ sequence }: StoredRecord) =>
			1000 * Math.floor(sequence / 40) + ((sequence * (page + 3 + requestedSize)) % 37);
		const rankOf = order === 'loose' ? loose : () => this.nextRandom();
		const rank = new Map(records.map((record) => [record, rankOf(record)]));
		return [...records].sort((one, other) => (rank.get(one) ?? 0) - (rank.get(other) ?? 0));
	}

	private nextRandom(): number {
		this.seed = (this.seed * 48_271) % 2_147_483_647;
		return this.seed;
	}

	private keep(
		key: unknown[],
		version: number,
		make: () => readonly StoredRecord[],
	): readonly StoredRecord[] {
		const name = JSON.stringify(key);
		const cached = this.kept.get(name);
		if (cached?.version === version) return cached.records;
		this.kept.delete(name);
		const oldest = this.kept.keys().next();
		if (this.kept.size >= keptOrders && !oldest.done) this.kept.delete(oldest.value);
		const records = make();
		this.kept.set(name, { version, records });
		return records;
	}
}

function naturalSort({ naturalOrder, idField, updatedAtField }: ListSwitches): Sort | null {
	if (naturalOrder === 'id') return { field: idField ?? 'id', descending: false };
	if (naturalOrder !== 'updatedAt' && naturalOrder !== 'updatedAtDescending') return null;
	return {
		field: updatedAtField ?? 'updatedAt',
		descending: naturalOrder === 'updatedAtDescending',
	};
}

function sortKey(field: string, switches: ListSwitches): (record: StoredRecord) => JsonValue {
	if (field === (switches.idField ?? 'id')) return ({ id }) => id;
	if (field === (switches.updatedAtField ?? 'updatedAt')) return ({ updatedAt }) => updatedAt;
	return (record) => shownRecord(record, switches)[field] ?? null;
}

/** Numbers by size, everything else as text by code unit, nothing last. */
function compare(left: JsonValue, right: JsonValue): number {
	if (left === null || right === null) return Number(left === null) - Number(right === null);
	if (typeof left === 'number' && typeof right === 'number') return left - right;
	const [leftText, rightText] = [textOf(left), textOf(right)];
	return leftText < rightText ? -1 : Number(leftText > rightText);
}

function textOf(value: JsonValue): string {
	return typeof value === 'string' ? value : JSON.stringify(value);
}

function isFound(
	{ isNeverUpdated, updatedAt }: StoredRecord,
	since: number,
	{ neverUpdated, timeUnit, updatedSince: { aheadMs, inclusive, precision } }: ListSwitches,
): boolean {
	if (isNeverUpdated && neverUpdated === 'notFound') return false;
	const cut = (time: number) => cutToUnit(time, precision);
	const compared = cut(cutToUnit(updatedAt, timeUnit) + aheadMs);
	return inclusive ? compared >= cut(since) : compared > cut(since);
}
