export const UPDATED_SINCE_FORMATS = ['iso', 'epochMs', 'epochS'] as const;
export type UpdatedSinceFormat = (typeof UPDATED_SINCE_FORMATS)[number];

/** Writes `updatedSince` as the service expects it; ISO 8601 is always in UTC. */
export function writeUpdatedSince(instant: number, format: UpdatedSinceFormat): string | number {
	if (format === 'epochMs') return instant;
	// Rounded down: a second more would skip what changed within it.
	if (format === 'epochS') return Math.floor(instant / 1000);
	// Some services do not read a fraction.
	return new Date(instant).toISOString().replace('.000Z', 'Z');
}
