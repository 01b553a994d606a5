import {
	MAX_REMEMBERED,
	type RememberedVersion,
	RememberedVersions,
	WaitingVersions,
} from '../../../../../nodes/VisitorService/polling/memory';
import { versionKey } from '../../../../../nodes/VisitorService/polling/versions';

function version(number: number, time = number, content = ''): RememberedVersion {
	return { time, key: versionKey(number, time), content };
}

function remembering(...versions: RememberedVersion[]): RememberedVersions {
	const remembered = new RememberedVersions();
	for (const one of versions) remembered.remember(one);
	return remembered;
}

describe('the versions remembered', () => {
	it('remembers the same versions after they were stored', () => {
		const versions = [version(1, 5), version(2, 5, 'aBc-_123'), version(3, 0), version(4, 1e12)];
		const remembered = remembering(...versions);
		const read = RememberedVersions.decode(remembered.encode());
		expect(read.size).toBe(4);
		expect(read.encode()).toBe(remembered.encode());
		for (const { key, content } of versions) expect(read.compare(key, content)).toBe('same');
	});

	it.each(['', ';', 'x', 'zz:', ':abc', '1:short,also short', '!:abcdefghijkl', '!1:abcdefghijkl'])(
		'remembers no versions if %p is stored',
		(stored) => {
			expect(RememberedVersions.decode(stored).size).toBe(0);
		},
	);

	it('remembered versions differ in content only if that still counts', () => {
		const [plain, withContent] = [version(1), version(2, 2, 'aaaaaaaa')];
		const remembered = remembering(plain, withContent);
		expect(remembered.compare(plain.key, 'bbbbbbbb')).toBe('same');
		expect(remembered.comparesContent(plain.key)).toBe(false);
		expect(remembered.compare(withContent.key, 'aaaaaaaa')).toBe('same');
		expect(remembered.compare(withContent.key, 'bbbbbbbb')).toBe('otherContent');
		expect(remembered.comparesContent(withContent.key)).toBe(true);
		expect(remembered.compare(version(3).key, '')).toBe('unknown');
	});

	it('forget the newest, and no others', () => {
		const remembered = remembering(version(5), version(7), version(4));
		remembered.forgetNewest(2);
		expect(remembered.positions().map(({ time }) => time)).toEqual([4]);
		expect(remembered.forgetNewest(0)).toEqual([]);
		expect(remembered.size).toBe(1);
	});

	it('says whether one of the versions remembered is before a position', () => {
		const [earlier, later] = [version(4), version(5)];
		expect(remembering(earlier, later).reachesBefore(later)).toBe(true);
		expect(remembering(later).reachesBefore(later)).toBe(false);
	});

	it('fit into 1.5 MB when there are as many as there may be', () => {
		const start = Date.UTC(2026, 2, 2);
		const remembered = remembering(
			...Array.from({ length: MAX_REMEMBERED }, (_, number) =>
				version(number, start + number, 'contents'),
			),
		);
		expect(remembered.encode().length).toBeLessThan(1_500_000);
		expect(RememberedVersions.decode(remembered.encode()).size).toBe(MAX_REMEMBERED);
	});
});

describe('the versions that wait', () => {
	it('keeps the oldest versions there is room for, and counts all that wait', () => {
		const waiting = new WaitingVersions('', 3);
		for (const number of [9, 5, 7, 1, 8, 3]) waiting.add(version(number));
		const read = new WaitingVersions(waiting.encode(), 3, waiting.count);
		expect(read.count).toBe(6);
		expect([0, 1, 2].map((count) => read.boundary(count)?.time)).toEqual([1, 3, 5]);
	});

	it('all come before the boundary if there is room for all that are known', () => {
		const waiting = new WaitingVersions('', 3);
		const last = version(5);
		for (const one of [version(1), last]) waiting.add(one);
		const boundary = waiting.boundary(2);
		expect(boundary?.time).toBe(5);
		expect((boundary?.key ?? '') > last.key).toBe(true);
		expect(new WaitingVersions('', 3).boundary(2)).toBeUndefined();
	});
});
