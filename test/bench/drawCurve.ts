import { parse, View } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';

export interface CurvePoint {
	users: number;
	node: string;
	/** MB, at the peak. */
	memory: number;
	seconds: number;
}

interface Panel {
	field: 'memory' | 'seconds';
	title: string;
	/** How a value is written, by d3-format. */
	format: string;
	type: 'linear' | 'log';
	/** Where the axis begins and ends, for the lowest and the highest value. */
	domain: (min: number, max: number) => [number, number];
	/** What is written on the axis, of that which is on it; left to Vega if it is not named. */
	ticks?: number[];
}

const PANELS: readonly Panel[] = [
	{
		field: 'memory',
		title: 'Peak memory of n8n (MB)',
		format: ',',
		type: 'linear',
		// From 0, so that a line that is twice as high means twice the memory.
		domain: (_, max) => [0, max * 1.15],
	},
	{
		field: 'seconds',
		title: 'Time (s)',
		format: ',.2~r',
		// A million users take about a thousand times as long as a thousand.
		type: 'log',
		domain: (min, max) => [min / 2, max * 2],
		ticks: [0.01, 0.1, 1, 10, 100, 1_000],
	},
];

/**
 * Pixels. Both panels with their axes are about 1600 wide, so that a page shows them at half of
 * that.
 */
const PANEL = { width: 660, height: 440 };
const FONT_SIZE = 20;
/** From the middle of a point to the value beside it, to the side and up or down. */
const VALUE_DISTANCE = 8;
/** Blue and vermillion of Okabe and Ito, which people with any color vision tell apart. */
const COLORS = ['#0072b2', '#d55e00'];

/** Memory and time against the number of users. @returns SVG */
export async function drawCurve(points: readonly CurvePoint[]): Promise<string> {
	return await curveView(points).toSVG();
}

function curveView(points: readonly CurvePoint[]): View {
	const spec: TopLevelSpec = {
		background: 'white',
		padding: 16,
		hconcat: PANELS.map((panel) => drawPanel(panel, points)),
		spacing: 40,
		config: {
			axis: { labelFontSize: FONT_SIZE, titleFontSize: FONT_SIZE, titlePadding: 12 },
			legend: { labelFontSize: FONT_SIZE, labelLimit: 0, symbolSize: 300, columnPadding: 40 },
			text: { fontSize: FONT_SIZE - 2 },
			font: 'sans-serif',
		},
	};
	return new View(parse(compile(spec).spec), { renderer: 'none' });
}

function drawPanel(panel: Panel, points: readonly CurvePoint[]) {
	const { field, title, format, type, ticks } = panel;
	const all = points.map((point) => point[field]);
	const domain = panel.domain(Math.min(...all), Math.max(...all));
	const highestAt = (users: number) =>
		points.filter((point) => point.users === users).sort((a, b) => b[field] - a[field])[0];
	// Lines rise to the right, so what is to the left above and to the right below a point is free of
	// them. The higher line has its values above and the lower one below, so that they never meet.
	const writeValues = (highest: boolean) => ({
		transform: [{ filter: `datum.isHighest === ${highest}` }],
		mark: {
			type: 'text' as const,
			align: highest ? ('right' as const) : ('left' as const),
			baseline: highest ? ('bottom' as const) : ('top' as const),
			dx: highest ? -VALUE_DISTANCE : VALUE_DISTANCE,
			dy: highest ? -VALUE_DISTANCE : VALUE_DISTANCE,
		},
		encoding: { text: { field, type: 'quantitative' as const, format } },
	});
	return {
		...PANEL,
		data: {
			values: points.map((point) => ({
				...point,
				isHighest: point === highestAt(point.users),
			})),
		},
		encoding: {
			x: {
				field: 'users',
				type: 'quantitative' as const,
				title: 'Users in the list',
				scale: { type: 'log' as const, nice: false, padding: 70 },
				axis: { values: points.map(({ users }) => users), format: ',', grid: false },
			},
			y: {
				field,
				type: 'quantitative' as const,
				title,
				scale: { type, domain, nice: false },
				axis: {
					format: ',~r',
					tickCount: 5,
					values: ticks?.filter((tick) => tick >= domain[0] && tick <= domain[1]),
				},
			},
			color: {
				field: 'node',
				type: 'nominal' as const,
				title: null,
				sort: null,
				scale: { range: COLORS },
				legend: { orient: 'top' as const },
			},
		},
		layer: [
			{ mark: { type: 'line' as const, strokeWidth: 4 } },
			{ mark: { type: 'point' as const, filled: true, size: 120, opacity: 1 } },
			writeValues(true),
			writeValues(false),
		],
	};
}
