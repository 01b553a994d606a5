import { readDotPath } from '../json/dotPath';
import { isRecord } from '../json/isRecord';
import type { JsonObject } from '../listing/findRecords';

export interface UpdateTimes {
	/** Dot path of the field. */
	path: string;
	/** Milliseconds since 1970 for each record, a time without zone read as UTC; undefined where it has none. */
	times: Array<number | undefined>;
	/** The smallest unit that is not always zero. */
	precision: 'microseconds' | 'milliseconds' | 'seconds' | 'minutes';
	zone: 'UTC' | 'offset' | 'none' | 'epoch';
	/** How the times are written. */
	notation: string;
}

/** `updatedAt`, `last_modified_date`, `changedOn` and the like, without case and separators. */
const UPDATE_NAME =
	/^(last|date|time)?(updated?|modified|modification|changed?)(at|on|date|time|datetime|timestamp)*(utc)?$/;

/** Objects in which systems keep what they know about a record; any other object is another thing with times of its own. */
const BOOKKEEPING_NAME = /^(meta|metadata|audit|auditinfo|timestamps?|system|sys|dates|tracking)$/;

const ISO_TIME =
	/^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2})?(?:[.,](\d+))?(Z|[+-]\d{2}:?\d{2})?$/i;

interface ReadTime {
	time: number;
	/** Digits of the fraction of a second that are not trailing zeros. */
	fraction: number;
	zone: UpdateTimes['zone'];
	notation: string;
}

/** Finds the field that says when a record was changed last: by its name, and readable in every record that has it. */
export function findUpdateTimes(records: readonly JsonObject[]): UpdateTimes | undefined {
	for (const path of candidatePaths(records)) {
		const values = records.map((record) => readDotPath(record, path));
		const read = values.map(readTime);
		if (values.some((value, index) => !isUnsetTime(value) && read[index] === undefined)) continue;
		const found = read.filter((time) => time !== undefined);
		const [first] = found;
		if (first === undefined) continue;
		return {
			path,
			times: read.map((time) => time?.time),
			precision: precisionOf(found),
			zone: found.some(({ zone }) => zone === 'none') ? 'none' : first.zone,
			notation: first.notation,
		};
	}
	return undefined;
}

export function describeTimes({ path, precision, zone, notation, times }: UpdateTimes): string {
	const zones = {
		UTC: 'in UTC',
		offset: 'with the offset of its zone',
		none: 'without a zone, so that its zone has to be asked from the operator of the service',
		epoch: 'counted from 1970 in UTC',
	};
	const missing = times.filter((time) => time === undefined).length;
	const gaps = missing === 0 ? '' : ` ${missing} of ${times.length} records have none.`;
	return `"${path}" is written as ${notation}, ${zones[zone]}, to the ${precision.slice(0, -1)}.${gaps}`;
}

/** By the likeliness of their names: `updated` before `modified` before `changed`, the record itself before objects in it. */
function candidatePaths(records: readonly JsonObject[]): string[] {
	const paths = new Map<string, string[]>();
	const note = (path: string[]) => paths.set(path.join('.'), path);
	for (const record of records) {
		for (const [key, value] of Object.entries(record)) {
			if (UPDATE_NAME.test(plain(key))) note([key]);
			if (!isRecord(value) || !BOOKKEEPING_NAME.test(plain(key))) continue;
			for (const inner of Object.keys(value))
				if (UPDATE_NAME.test(plain(inner))) note([key, inner]);
		}
	}
	const rank = (path: string[]) => {
		const name = plain(path.at(-1) ?? '');
		const verb = name.includes('upd') ? 0 : name.includes('modif') ? 1 : 2;
		return 10 * (path.length - 1) + verb;
	};
	return [...paths].sort(([, one], [, other]) => rank(one) - rank(other)).map(([path]) => path);
}

function plain(name: string): string {
	return name.replace(/[-_\s]/g, '').toLowerCase();
}

/** The update time of one record, in milliseconds as `UpdateTimes.times`. */
export function readUpdateTime(record: JsonObject, path: string): number | undefined {
	return readTime(readDotPath(record, path))?.time;
}

/** Nothing, or the zero some languages and databases have for it: 0, and the days of years 0, 1 and 1970. */
export function isUnsetTime(value: unknown): boolean {
	if (value === undefined || value === null || value === 0) return true;
	return typeof value === 'string' && /^\s*$|^(?:0000-00-00|0001-01-01|1970-01-01)/.test(value);
}

function readTime(value: unknown): ReadTime | undefined {
	if (isUnsetTime(value)) return undefined;
	if (typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value))) {
		return readEpoch(Number(value));
	}
	const [, day, minutes, seconds = ':00', fraction = '', zone] =
		typeof value === 'string' ? (ISO_TIME.exec(value) ?? []) : [];
	if (day === undefined || minutes === undefined) return undefined;
	const milliseconds = fraction.slice(0, 3).padEnd(3, '0');
	const offset =
		zone === undefined ? 'Z' : zone.toUpperCase().replace(/^(.\d{2}):?(\d{2})$/, '$1:$2');
	const time = Date.parse(`${day}T${minutes}${seconds}.${milliseconds}${offset}`);
	if (Number.isNaN(time)) return undefined;
	return {
		time,
		fraction: fraction.replace(/0+$/, '').length,
		zone: zone === undefined ? 'none' : offset === 'Z' ? 'UTC' : 'offset',
		notation: 'ISO 8601',
	};
}

/** Seconds from 2001 to 2286, milliseconds in the same years. */
function readEpoch(value: number): ReadTime | undefined {
	const zone = 'epoch';
	if (value >= 1e9 && value < 1e10) {
		const fraction = Number.isInteger(value) ? 0 : 3;
		return { time: Math.floor(value * 1000), fraction, zone, notation: 'seconds' };
	}
	if (value < 1e12 || value >= 1e13) return undefined;
	return {
		time: Math.floor(value),
		fraction: value % 1000 === 0 ? 0 : 3,
		zone,
		notation: 'milliseconds',
	};
}

function precisionOf(times: readonly ReadTime[]): UpdateTimes['precision'] {
	const digits = times.reduce((most, { fraction }) => Math.max(most, fraction), 0);
	if (digits > 3) return 'microseconds';
	if (digits > 0) return 'milliseconds';
	return times.every(({ time }) => time % 60_000 === 0) ? 'minutes' : 'seconds';
}
