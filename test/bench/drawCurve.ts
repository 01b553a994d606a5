import { parse, View } from 'vega';
import { compile } from 'vega-lite';

export interface CurvePoint {
	users: number;
	node: string;
	/** MB, at the peak. */
	memory: number;
	seconds: number;
}

const PANELS = [
	{ field: 'seconds', title: 'Time (s)' },
	{ field: 'memory', title: 'Peak memory of n8n (MB)' },
] as const;

/** Time and memory against the number of users, both axes logarithmic. @returns SVG */
export async function drawCurve(points: readonly CurvePoint[]): Promise<string> {
	const { spec } = compile({
		background: 'white',
		data: { values: points.map((point) => ({ ...point })) },
		hconcat: PANELS.map(({ field, title }) => ({
			width: 320,
			height: 240,
			mark: { type: 'line', point: true },
			encoding: {
				x: {
					field: 'users',
					type: 'quantitative',
					title: 'Users',
					scale: { type: 'log' },
					axis: { format: '~s', tickCount: 4 },
				},
				y: { field, type: 'quantitative', title, scale: { type: 'log', nice: true } },
				color: { field: 'node', type: 'nominal', title: null, legend: { orient: 'top' } },
			},
		})),
	});
	return await new View(parse(spec), { renderer: 'none' }).toSVG();
}
