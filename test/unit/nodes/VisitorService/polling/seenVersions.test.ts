import {
	MOST_SEEN,
	type SeenVersion,
	SeenVersions,
} from '../../../../../nodes/VisitorService/polling/seenVersions';
import { versionKey } from '../../../../../nodes/VisitorService/polling/userVersion';

function version(number: number, time = number, content = ''): SeenVersion {
	return { time, key: versionKey(number, time), content };
}

describe('the versions seen', () => {
	it('are the same after they were stored', () => {
		const seen = new SeenVersions();
		const versions = [version(1, 5), version(2, 5, 'aBc-_123'), version(3, 0), version(4, 1e12)];
		seen.remember(versions);
		const read = SeenVersions.decode(JSON.parse(JSON.stringify(seen.encode())));
		expect(read.size).toBe(4);
		expect(read.encode()).toBe(seen.encode());
		for (const { key, content } of versions) expect(read.has(key, content)).toBe(true);
	});

	it.each([
		undefined,
		null,
		42,
		{},
		'',
		';',
		'x',
		'zz:',
		':abc',
		'1:short,also short',
		'!:abcdefghijkl',
	])('are none where %p is stored', (stored) => {
		expect(SeenVersions.decode(stored).size).toBe(0);
	});

	it('differ in content only where that counts', () => {
		const seen = new SeenVersions();
		const [plain, withContent] = [version(1), version(2, 2, 'aaaaaaaa')];
		seen.remember([plain, withContent]);
		expect(seen.has(plain.key, 'bbbbbbbb')).toBe(true);
		expect(seen.has(withContent.key, 'aaaaaaaa')).toBe(true);
		expect(seen.has(withContent.key, 'bbbbbbbb')).toBe(false);
		expect(seen.has(withContent.key, '')).toBe(true);
		expect(seen.has(version(3).key, '')).toBe(false);
	});

	it('are the oldest ones where there is no room for all', () => {
		const seen = new SeenVersions(3);
		expect(seen.remember([version(5), version(7)])).toHaveLength(2);
		const kept = seen.remember([version(4), version(6), version(8)]);
		expect(kept.map(({ time }) => time)).toEqual([4, 6]);
		expect(seen.size).toBe(3);
		expect([4, 5, 6, 7, 8].map((number) => seen.has(version(number).key, ''))).toEqual([
			true,
			true,
			true,
			false,
			false,
		]);
	});

	it('take a new content for the old one when they are full', () => {
		const seen = new SeenVersions(2);
		seen.remember([version(1, 1, 'aaaaaaaa'), version(2)]);
		expect(seen.remember([version(1, 1, 'bbbbbbbb')])).toHaveLength(1);
		expect(seen.size).toBe(2);
		expect(seen.has(version(1).key, 'bbbbbbbb')).toBe(true);
	});

	it('fit into 1.5 MB when there are as many as there may be', () => {
		const seen = new SeenVersions();
		const start = Date.UTC(2026, 2, 2);
		const versions = Array.from({ length: MOST_SEEN + 1000 }, (_, number) =>
			version(number, start + number, 'contents'),
		);
		expect(seen.remember(versions)).toHaveLength(MOST_SEEN);
		expect(seen.encode().length).toBeLessThan(1_500_000);
		expect(SeenVersions.decode(seen.encode()).size).toBe(MOST_SEEN);
	});
});
