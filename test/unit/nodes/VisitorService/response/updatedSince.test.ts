import { writeUpdatedSince } from '../../../../../nodes/VisitorService/response/updatedSince';

const noon = Date.UTC(2026, 0, 31, 12);

describe('writeUpdatedSince', () => {
	it('writes each format', () => {
		expect(writeUpdatedSince(noon + 1, 'iso')).toBe('2026-01-31T12:00:00.001Z');
		expect(writeUpdatedSince(noon, 'iso')).toBe('2026-01-31T12:00:00Z');
		expect(writeUpdatedSince(noon + 1, 'epochMs')).toBe(noon + 1);
	});

	it('rounds seconds down: what changed within the second must not be skipped', () => {
		expect(writeUpdatedSince(noon + 999, 'epochS')).toBe(noon / 1000);
		expect(writeUpdatedSince(-1, 'epochS')).toBe(-1);
	});
});
