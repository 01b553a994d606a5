import type { ListSwitches, TimeFormat } from './switches';

const isoShape =
	/^\d{4}-\d{2}-\d{2}(?:(?<time>T\d{2}:\d{2}:\d{2})(?<fraction>\.\d{1,9})?(?<zone>Z|[+-]\d{2}:?\d{2})?)?$/;

/**
 * Reads `updatedSince`.
 * @returns milliseconds since 1970, or null when it is in none of the accepted formats
 */
export function readTime(
	text: string,
	{ accepted, misreadEpoch }: ListSwitches['updatedSince'],
	zoneOffsetMinutes: number,
): number | null {
	if (/^\d{1,16}$/.test(text)) return readEpoch(text, accepted, misreadEpoch);
	const shape = isoShape.exec(text);
	if (shape === null) return null;
	const { time, fraction, zone } = shape.groups ?? {};
	const format: TimeFormat =
		time === undefined
			? 'date'
			: zone === undefined
				? 'isoLocal'
				: fraction === undefined
					? 'isoSeconds'
					: 'iso';
	// ISO 8601 with a fraction may have none (section 4.2.2.4).
	const isIso = format === 'isoSeconds' && accepted.includes('iso');
	if (!isIso && !accepted.includes(format)) return null;
	const milliseconds =
		format === 'isoLocal'
			? Date.parse(`${text}Z`) - zoneOffsetMinutes * 60_000
			: // Date.parse wants the colon that ISO 8601 allows to leave out.
				Date.parse(
					text.replace(/([+-]\d{2})(\d{2})$/, (whole, hours: string, minutes: string) =>
						time === undefined ? whole : `${hours}:${minutes}`,
					),
				);
	return Number.isNaN(milliseconds) ? null : milliseconds;
}

function readEpoch(text: string, accepted: TimeFormat[], misreadEpoch: boolean): number | null {
	// Seconds have ten digits until the year 2286.
	const inMilliseconds = text.length > 11;
	const seconds = accepted.includes('epochS');
	const milliseconds = accepted.includes('epochMs');
	if (inMilliseconds ? milliseconds : seconds) return Number(text) * (inMilliseconds ? 1 : 1_000);
	if (misreadEpoch && (seconds || milliseconds)) return Number(text) * (seconds ? 1_000 : 1);
	return null;
}

const UNITS = { ms: 1, s: 1_000, min: 60_000, hour: 3_600_000, day: 86_400_000 };

/** The time without what is finer than a unit. Milliseconds. */
export function cutToUnit(time: number, unit: keyof typeof UNITS): number {
	return Math.floor(time / UNITS[unit]) * UNITS[unit];
}

/** Writes an update time the way the switches ask for. */
export function writeTime(
	milliseconds: number,
	format: ListSwitches['updatedAtFormat'],
	zoneOffsetMinutes: number,
): string | number {
	const iso = new Date(milliseconds).toISOString();
	const local = new Date(milliseconds + zoneOffsetMinutes * 60_000).toISOString().slice(0, -1);
	const seconds = Math.floor(milliseconds / 1_000);
	return {
		iso,
		isoSeconds: `${iso.slice(0, 19)}Z`,
		isoMinutes: `${iso.slice(0, 16)}:00Z`,
		isoDate: iso.slice(0, 10),
		isoMicroseconds: `${iso.slice(0, -1)}000Z`,
		isoOffset: local + offset(zoneOffsetMinutes),
		isoLocal: local,
		epochMs: milliseconds,
		epochS: seconds,
		epochSText: String(seconds),
	}[format];
}

function offset(minutes: number): string {
	const digits = (value: number) => String(value).padStart(2, '0');
	const size = Math.abs(minutes);
	return `${minutes < 0 ? '-' : '+'}${digits(Math.floor(size / 60))}:${digits(size % 60)}`;
}
