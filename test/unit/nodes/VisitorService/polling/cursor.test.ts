import { readCursor, writeCursor } from '../../../../../nodes/VisitorService/polling/cursor';

/** As saved workflows hold it, written before its fields had other names in the code. */
const saved = {
	version: 8,
	place: 1772384999456,
	floor: 1772376599456,
	provedAt: 1772442002000,
	service: 'xDkFkIBdHgLwHTtG',
	known: ':mm7xrlvf a4ayc_80_\n:mm7zwrwo/mm8y7cuk 1HNeOiZeF',
	isBaseline: false,
	told: ['"photo" differs.'],
	ahead: 900,
	reached: 1772384999556,
	newest: { time: 1772385000456, date: 1772442002000 },
	reading: {
		next: { page: 2, pageSize: 10 },
		since: 1000,
		startedAt: 1772442001000,
		waitingFrom: 5,
	},
	list: {
		fields: { id: 'id', updatedAt: 'updatedAt', createdAt: '', unit: 97_200_000 },
		reads: 'changes',
		without: ['photo'],
	},
};

describe('the cursor', () => {
	it('that was saved is read, and written with the same names', () => {
		const stored = readCursor(saved);
		expect(stored).toMatchObject({
			kind: 'current',
			cursor: {
				fingerprint: 'xDkFkIBdHgLwHTtG',
				watermarkAt: 1772384999456,
				pendingWatermarkAt: 1772384999556,
				floorAt: 1772376599456,
				filterVerifiedAt: 1772442002000,
				reportedNotes: ['"photo" differs.'],
				clockOffsetMs: 900,
				newest: { stampedAt: 1772385000456, seenAt: 1772442002000 },
				reading: { sinceAt: 1000, startedAt: 1772442001000, pendingAt: 5 },
				profile: { fields: { precision: { unitMs: 3_600_000, hasZone: false } } },
			},
		});
		if (stored.kind === 'none') throw new Error('Nothing was read.');
		const written: unknown = JSON.parse(JSON.stringify(writeCursor(stored.cursor)));
		expect(written).toEqual(saved);
	});

	it.each([undefined, null, 'text', [], {}, { version: 8, place: 'x' }])(
		'is none if %j is stored',
		(stored) => {
			expect(readCursor(stored)).toEqual({ kind: 'none' });
		},
	);

	it.each([
		['another version', { version: 7 }],
		['a field that is gone', { known: undefined }],
	])('keeps its watermark of %s', (_, change) => {
		expect(readCursor({ ...saved, ...change })).toMatchObject({
			kind: 'otherVersion',
			cursor: { fingerprint: '', watermarkAt: saved.place, floorAt: saved.place },
		});
	});
});
