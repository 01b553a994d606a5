import { readCursor, writeCursor } from '../../../../../nodes/VisitorService/polling/cursor';

/** As saved workflows hold it. */
const saved = {
	version: 9,
	fingerprint: 'xDkFkIBdHgLwHTtG',
	watermarkAt: 1772384999456,
	pendingWatermarkAt: 1772384999556,
	floorAt: 1772376599456,
	filterVerifiedAt: 1772442002000,
	remembered: ':mm7xrlvf a4ayc_80_\n:mm7zwrwo/mm8y7cuk 1HNeOiZeF',
	reportedNotes: ['"photo" differs.'],
	clockOffsetMs: 900,
	newest: { stampedAt: 1772385000456, seenAt: 1772442002000 },
};

describe('the cursor', () => {
	it('that was saved is read, and written the same', () => {
		const stored = readCursor(saved);
		expect(stored).toEqual({ kind: 'current', cursor: saved });
		if (stored.kind === 'none') throw new Error('Nothing was read.');
		expect(JSON.parse(JSON.stringify(writeCursor(stored.cursor)))).toEqual(saved);
	});

	it.each([undefined, null, 'text', [], {}, { version: 9, watermarkAt: 'x' }])(
		'is none if %j is stored',
		(stored) => {
			expect(readCursor(stored)).toEqual({ kind: 'none' });
		},
	);

	it.each([
		['another version', { version: 10 }],
		['a version that called it the place', { watermarkAt: undefined, place: saved.watermarkAt }],
		['a field that is gone', { remembered: undefined }],
	])('keeps its watermark of %s', (_, change) => {
		expect(readCursor({ ...saved, ...change })).toMatchObject({
			kind: 'otherVersion',
			cursor: { fingerprint: '', watermarkAt: saved.watermarkAt, floorAt: saved.watermarkAt },
		});
	});
});
