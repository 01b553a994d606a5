import { type CurvePoint, curveView, drawCurve } from '../../bench/drawCurve';

/** Made up: lines that touch at the left and part at the right, as they may in a measurement. */
const POINTS: CurvePoint[] = [
	{ users: 1_000, node: 'Visitor Service', memory: 746, seconds: 0.41 },
	{ users: 1_000, node: 'HTTP Request', memory: 746, seconds: 0.41 },
	{ users: 10_000, node: 'Visitor Service', memory: 770, seconds: 1.1 },
	{ users: 10_000, node: 'HTTP Request', memory: 765, seconds: 1.4 },
	{ users: 100_000, node: 'Visitor Service', memory: 801, seconds: 5.2 },
	{ users: 100_000, node: 'HTTP Request', memory: 850, seconds: 8.8 },
	{ users: 1_000_000, node: 'Visitor Service', memory: 1_450, seconds: 48.2 },
	{ users: 1_000_000, node: 'HTTP Request', memory: 2_076, seconds: 95 },
];

interface Box {
	text: string;
	left: number;
	right: number;
	top: number;
	bottom: number;
}

/** A mark, a group or an item of Vega's scene graph, whose types leave out most of it. */
interface Drawn {
	items?: Drawn[];
	x?: number;
	y?: number;
	text?: string | number;
	opacity?: number;
	bounds: { x1: number; x2: number; y1: number; y2: number };
}

describe('The curve of memory and time', () => {
	let boxes: Box[];

	beforeAll(async () => {
		const view = await curveView(POINTS).runAsync();
		const { root } = view.scenegraph() as unknown as { root: Drawn };
		boxes = textsOf(root);
	});

	it('names both nodes, both axes of each panel, and every number of users', () => {
		const texts = boxes.map(({ text }) => text);
		expect(texts).toEqual(
			expect.arrayContaining([
				'Visitor Service',
				'HTTP Request',
				'Peak memory of n8n (MB)',
				'Time (s)',
				'1,000',
				'10,000',
				'100,000',
				'1,000,000',
			]),
		);
		expect(texts.filter((text) => text === 'Users in the list')).toHaveLength(2);
	});

	it('writes every value beside its point', () => {
		const texts = boxes.map(({ text }) => text);
		const values = ['746', '770', '765', '801', '850', '1,450', '2,076', '0.41', '8.8', '48', '95'];
		expect(values.filter((value) => !texts.includes(value))).toEqual([]);
	});

	it('shows memory from 0, and time in powers of ten', () => {
		const texts = boxes.map(({ text }) => text);
		expect(texts).toEqual(expect.arrayContaining(['0', '500', '2,000', '1', '10', '100']));
	});

	it('has no text that covers another one', () => {
		const covered = boxes.flatMap((one, place) =>
			boxes
				.slice(place + 1)
				.filter((other) => overlap(one, other))
				.map(({ text }) => [one.text, text]),
		);
		expect(covered).toEqual([]);
	});

	it('draws a curve that can be read at a width of 1600 pixels', async () => {
		const svg = await drawCurve(POINTS);
		expect(Number(/ width="(\d+)"/.exec(svg)?.[1])).toBeCloseTo(1600, -2);
		const sizes = [...svg.matchAll(/font-size="(\d+)px"/g)].map(([, size]) => Number(size));
		expect(Math.min(...sizes)).toBeGreaterThanOrEqual(18);
	});
});

/** Every text of a drawing, and where it is. Vega takes letters to be wider than they are. */
function textsOf(drawn: Drawn, left = 0, top = 0): Box[] {
	const { text, bounds, opacity = 1, items = [], x = 0, y = 0 } = drawn;
	if (text === undefined) return items.flatMap((inner) => textsOf(inner, left + x, top + y));
	if (opacity === 0) return [];
	return [
		{
			text: String(text),
			left: left + bounds.x1,
			right: left + bounds.x2,
			top: top + bounds.y1,
			bottom: top + bounds.y2,
		},
	];
}

function overlap(one: Box, other: Box): boolean {
	return (
		one.left < other.right &&
		other.left < one.right &&
		one.top < other.bottom &&
		other.top < one.bottom
	);
}
