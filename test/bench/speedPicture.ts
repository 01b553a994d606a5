/** One list, read in one way. */
export interface Measurement {
	users: number;
	milliseconds: number;
	requests: number;
}

/** What one reader needed, for lists of growing size. */
export interface Series {
	name: string;
	measurements: Measurement[];
}

const COLORS = [
	['#0969da', '#58a6ff'],
	['#bc4c00', '#f0883e'],
	['#57606a', '#8b949e'],
] as const;
const WIDTH = 880;
const HEIGHT = 360;
const PLOT = { width: 320, height: 220, top: 56 };

const STYLE = `
text { font: 12px -apple-system, "Segoe UI", "Liberation Sans", sans-serif; fill: #1f2328 }
.title { font-size: 14px; font-weight: 600 }
.grid { stroke: #d0d7de }
.line { fill: none; stroke-width: 2 }
${COLORS.map(([light], index) => `.series${index} { stroke: ${light} } .dot${index} { fill: ${light} }`).join('\n')}
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 }
.grid { stroke: #30363d }
${COLORS.map(([, dark], index) => `.series${index} { stroke: ${dark} } .dot${index} { fill: ${dark} }`).join('\n')}
}`;

/** For light and dark: time on the left, requests on the right, both in powers of ten. */
export function drawSpeed(series: readonly Series[]): string {
	const seconds = (value: number) => `${value / 1000} s`;
	const count = (value: number) => value.toLocaleString('en');
	const panels = [
		drawPanel(series, 'Time', 64, ({ milliseconds }) => milliseconds, seconds),
		drawPanel(series, 'Requests', 504, ({ requests }) => requests, count),
	];
	const names = series.map(({ name }) => name).join(', ');
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Time and requests to read all users: ${escaped(names)}">`,
		`<style>${STYLE}</style>`,
		...panels,
		drawLegend(series),
		'</svg>',
		'',
	].join('\n');
}

function drawPanel(
	series: readonly Series[],
	title: string,
	left: number,
	valueOf: (measurement: Measurement) => number,
	written: (value: number) => string,
): string {
	const all = series.flatMap(({ measurements }) => measurements);
	const across = scaleOf(all.map(({ users }) => users));
	const up = scaleOf(all.map(valueOf));
	const x = (users: number) => round(left + across.share(users) * PLOT.width);
	const y = (value: number) => round(PLOT.top + (1 - up.share(value)) * PLOT.height);
	const bottom = PLOT.top + PLOT.height;
	const rows = up.ticks.map(
		(tick) =>
			`<path class="grid" d="M${left} ${y(tick)}h${PLOT.width}"/><text x="${left - 8}" y="${y(tick) + 4}" text-anchor="end">${written(tick)}</text>`,
	);
	const columns = across.ticks.map(
		(tick) =>
			`<text x="${x(tick)}" y="${bottom + 20}" text-anchor="middle">${tick.toLocaleString('en')}</text>`,
	);
	const lines = series.map(({ measurements }, index) => {
		const points = measurements.map((one) => `${x(one.users)},${y(valueOf(one))}`);
		const dots = points.map((point) => {
			const [dotX = '', dotY = ''] = point.split(',');
			return `<circle class="dot${index}" cx="${dotX}" cy="${dotY}" r="3"/>`;
		});
		return `<polyline class="line series${index}" points="${points.join(' ')}"/>${dots.join('')}`;
	});
	const heading = `<text class="title" x="${left}" y="${PLOT.top - 24}">${title}</text>`;
	const axis = `<text x="${left + PLOT.width / 2}" y="${bottom + 40}" text-anchor="middle">users</text>`;
	return [heading, ...rows, ...columns, ...lines, axis].join('\n');
}

function drawLegend(series: readonly Series[]): string {
	return series
		.map(({ name }, index) => {
			const x = 64 + index * 270;
			const y = HEIGHT - 14;
			return `<path class="line series${index}" d="M${x} ${y - 4}h24"/><text x="${x + 32}" y="${y}">${escaped(name)}</text>`;
		})
		.join('\n');
}

/** Powers of ten around all values, and where a value stands between the first and the last. */
function scaleOf(values: readonly number[]) {
	const lowest = Math.floor(Math.log10(Math.min(...values)));
	const highest = Math.max(lowest + 1, Math.ceil(Math.log10(Math.max(...values))));
	const ticks = Array.from({ length: highest - lowest + 1 }, (_, index) => 10 ** (lowest + index));
	return { ticks, share: (value: number) => (Math.log10(value) - lowest) / (highest - lowest) };
}

const round = (value: number) => Math.round(value * 10) / 10;

function escaped(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
