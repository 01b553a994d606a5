import type { UpdatedSinceFormat } from '../../nodes/VisitorService/response/updatedSince';
import fc from '../properties';
import type { DeepPartial, ListSwitches } from '../reference-service';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** What the interface document does not show of a service whose list is polled. */
export interface PolledService {
	list: DeepPartial<ListSwitches>;
	dateHeader: boolean;
	/** Milliseconds the `Date` header is ahead of the clock that stamps changes. */
	dateAhead: number;
	/** The same of n8n's clock. */
	n8nAhead: number;
	ids: 'text' | 'numbers';
	/** The record that shows no time at all. */
	undated: number | null;
	/** How the service reads `updatedSince`. */
	format: UpdatedSinceFormat;
}

/** How far the `Date` is ahead of local times that are marked as UTC. */
const LOCAL_AS_UTC = [5 * HOUR, -9 * HOUR];

/** What stands for the update time of a record that was never updated. */
const never = fc.constantFrom<DeepPartial<ListSwitches>>(
	{},
	{ createdAtField: null },
	{ neverUpdated: 'null' },
	{ neverUpdated: 'null', neverUpdatedAs: '1753-01-01T00:00:00' },
	{ neverUpdated: 'null', neverUpdatedAs: '2001-01-01T00:00:00Z' },
	{ neverUpdated: 'null', neverUpdatedAs: -62_135_596_800 },
	{ neverUpdated: 'notFound' },
);

const times = fc.record({
	updatedAtFormat: fc.constantFrom<ListSwitches['updatedAtFormat']>(
		...(['iso', 'isoSeconds', 'isoMinutes', 'isoMicroseconds', 'isoOffset'] as const),
		...(['isoLocal', 'isoDate', 'epochMs', 'epochS'] as const),
	),
	timeUnit: fc.constantFrom<ListSwitches['timeUnit']>('ms', 'ms', 'min', 'hour', 'day'),
	zoneOffsetMinutes: fc.constantFrom(0, 60, -300, 345, 840, -720),
});

const filter = fc.record({
	ignored: fc.boolean(),
	inclusive: fc.boolean().map((isExclusive) => !isExclusive),
	precision: fc.constantFrom<ListSwitches['updatedSince']['precision']>('ms', 's', 'min'),
	rejectsFuture: fc.boolean(),
});

const renewed = fc.oneof(
	{ weight: 4, arbitrary: fc.constant(null) },
	{ weight: 1, arbitrary: fc.constant({ every: 'response' as const, as: 'path' as const }) },
);

/** Services as they are found: each simple by itself, and any of them together. */
export const polledService: fc.Arbitrary<PolledService> = fc
	.record({
		never,
		times,
		updatedSince: filter,
		naturalOrder: fc.constantFrom<ListSwitches['naturalOrder']>(
			...(['insertion', 'id', 'updatedAt', 'updatedAtDescending'] as const),
		),
		maxPageSize: fc.constantFrom(1000, 6, 4, 3, 2),
		metadata: fc.constantFrom<ListSwitches['metadata']>(['total', 'pageSize'], 'none'),
		pageBeyondEnd: fc.constantFrom<ListSwitches['pageBeyondEnd']>('empty', 'empty', 'error'),
		renewed,
		createdAheadMs: fc.constantFrom(0, 0, 0, -5 * HOUR),
		dateHeader: fc.boolean().map((isMissing) => !isMissing),
		dateAhead: fc.constantFrom(0, HOUR, -HOUR, ...LOCAL_AS_UTC),
		n8nAhead: fc.constantFrom(0, HOUR, -HOUR),
		ids: fc.constantFrom<PolledService['ids']>('text', 'numbers'),
		undated: fc.option(fc.constant(7), { freq: 4, nil: null }),
		format: fc.constantFrom<UpdatedSinceFormat>('iso', 'epochMs', 'epochS'),
	})
	.map(({ never, times, dateHeader, dateAhead, n8nAhead, ids, undated, format, ...list }) => {
		const { updatedSince } = list;
		const { updatedAtFormat, zoneOffsetMinutes } = times;
		// Times without a zone are local ones already.
		const isLocal = zoneOffsetMinutes !== 0 && /^iso(?:Local|Date)$/.test(updatedAtFormat);
		// The future is that of the clock that stamps changes.
		const rejectsFuture = updatedSince.rejectsFuture && !updatedSince.ignored && dateAhead === 0;
		return {
			list: { ...list, ...times, ...never, updatedSince: { ...updatedSince, rejectsFuture } },
			...{ dateHeader, n8nAhead, ids, undated, format },
			dateAhead: isLocal && LOCAL_AS_UTC.includes(dateAhead) ? 0 : dateAhead,
		};
	});
