export const UPDATED_SINCE_FORMATS = ['iso', 'epochMs', 'epochS'] as const;
export type UpdatedSinceFormat = (typeof UPDATED_SINCE_FORMATS)[number];

/** Writes `updatedSince` as the service expects it; ISO 8601 is always in UTC. */
export function writeUpdatedSince(sinceAt: number, format: UpdatedSinceFormat): string | number {
	if (format === 'epochMs') return sinceAt;
	// Rounded down: a second more would skip what changed within it.
	if (format === 'epochS') return Math.floor(sinceAt / 1000);
	// Some services do not read a fraction.
	return new Date(sinceAt).toISOString().replace('.000Z', 'Z');
}
