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
	profile: {
		fields: {
			...{ id: 'id', updatedAt: 'updatedAt', createdAt: '' },
			precision: { unitMs: 0, hasZone: true },
		},
		...{ firstPageNumber: 0, reads: 'all', lookbackMs: 61000, without: ['photo'] },
		renewed: ['badge'],
		differing: [{ key: 'a4ayc_80_', digests: { id: 'x' }, fields: ['id'], times: 2 }],
	},
	isBaseline: true,
	baselineAt: 1772384999456,
	reading: {
		next: { page: 3, pageSize: 100, first: 1 },
		...{ sinceAt: 1772384999456, startedAt: 1772384999456, pendingAt: 1772384999456 },
	},
	earlier: { recordCount: 3, hasTotal: true, pageSize: 100 },
	heldUntilAt: 1772384999456,
};

/** Dot paths of all values, and of the objects and lists they are in. */
function pathsOf(value: unknown, path = ''): string[] {
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([name, inner]) => [
		`${path}${name}`,
		...pathsOf(inner, `${path}${name}.`),
	]);
}

/** A copy with another value at a dot path. */
function withValue(data: unknown, path: string, value: unknown): unknown {
	const copy = structuredClone(data);
	const names = path.split('.');
	const last = names.pop() ?? '';
	let parent = copy as Record<string, unknown>;
	for (const name of names) parent = parent[name] as Record<string, unknown>;
	parent[last] = value;
	return copy;
}

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

	// Without a watermark nothing can be read, and digests are of fields with any names.
	const guarded = pathsOf(saved).filter((path) => !/^(?:watermarkAt|.*digests\..*)$/.test(path));

	it.each(guarded)('is read as of another version if %s is damaged', (path) => {
		for (const damaged of [null, [null]])
			expect(readCursor(withValue(saved, path, damaged)).kind).toBe('otherVersion');
	});

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
