import { drawSpeed } from '../../bench/speedPicture';

const measured = (requests: number) =>
	[1_000, 100_000].map((users) => ({ users, milliseconds: users / 10, requests }));

it('draws each reader twice, in colors for light and dark, within the picture', () => {
	const names = ['this node', 'a & b <c>', 'bare'];
	const picture = drawSpeed(
		names.map((name, index) => ({ name, measurements: measured(10 + index) })),
	);
	expect(picture.match(/<polyline/g)).toHaveLength(6);
	expect(picture).toContain('@media (prefers-color-scheme: dark)');
	expect(picture).toContain('a &amp; b &lt;c>');
	const [, width = 0, height = 0] = /viewBox="0 0 (\d+) (\d+)"/.exec(picture)?.map(Number) ?? [];
	const dots = [...picture.matchAll(/cx="([\d.]+)" cy="([\d.]+)"/g)].map(([, x, y]) => [
		Number(x) / width,
		Number(y) / height,
	]);
	expect(dots).toHaveLength(12);
	for (const share of dots.flat()) expect(Math.abs(share - 0.5)).toBeLessThan(0.5);
});
