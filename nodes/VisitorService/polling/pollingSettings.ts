import { isRecord } from '../json/isRecord';
import { readInstant, type UpdatedSinceFormat } from '../listing/updatedSince';
import { ServiceFailure } from '../transport/serviceFailure';
import type { PollSettings } from './pollUsers';

export interface PollingSettings extends PollSettings {
	sort: string;
	updatedSinceFormat: UpdatedSinceFormat;
}

const MINUTE = 60_000;

/**
 * Reads what the user set, expressions resolved, so of any type.
 *
 * @param read the value of a parameter
 * @param zone where a start date without a zone is at home
 * @throws ServiceFailure that names the parameter
 */
export function readPollingSettings(
	read: (name: string) => unknown,
	zone: string,
): PollingSettings {
	const set = read('options');
	const options = isRecord(set) ? set : {};
	return {
		startDate: read('startFrom') === 'date' ? readStartDate(read('startDate'), zone) : undefined,
		overlap: toNumber(options.overlap ?? 5, 'Overlap', 0) * MINUTE,
		paths: { id: toText(options.idPath), updatedAt: toText(options.updatedAtPath) },
		pageSize: toWholeNumber(options.pageSize ?? 100, 'Page Size'),
		maxItems: toWholeNumber(options.maxItems ?? 10_000, 'Max Items'),
		sort: toText(options.sort),
		updatedSinceFormat: toFormat(options.updatedSinceFormat),
	};
}

function readStartDate(value: unknown, zone: string): number {
	let instant: number | undefined;
	try {
		instant = readInstant(value, zone);
	} catch {
		instant = undefined;
	}
	if (instant !== undefined) return instant;
	throw new ServiceFailure(
		'Start Date is not a point in time that can be read.',
		'Set Start Date to a date like 2026-01-31T08:00:00Z, or Start From to Now.',
		{ kind: 'configuration' },
	);
}

function toText(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

function toNumber(value: unknown, label: string, minimum: number): number {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	if (typeof number === 'number' && Number.isFinite(number) && number >= minimum) return number;
	throw new ServiceFailure(
		`${label} is not a number from ${minimum} up.`,
		`Set ${label} in the options to a number, ${minimum} or more.`,
		{ kind: 'configuration' },
	);
}

function toWholeNumber(value: unknown, label: string): number {
	const number = toNumber(value, label, 1);
	if (Number.isSafeInteger(number)) return number;
	throw new ServiceFailure(
		`${label} is not a whole number.`,
		`Set ${label} in the options to a whole number.`,
		{
			kind: 'configuration',
		},
	);
}

function toFormat(value: unknown): UpdatedSinceFormat {
	if (value === undefined || value === '') return 'iso';
	if (value === 'iso' || value === 'epochMs' || value === 'epochS') return value;
	throw new ServiceFailure(
		'Updated Since Format is none of iso, epochMs and epochS.',
		'Choose one of them in the options.',
		{ kind: 'configuration' },
	);
}
