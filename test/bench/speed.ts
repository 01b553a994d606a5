import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Subject, withN8n } from './bench';
import { measureInTurn, readersOf } from './listings';
import { drawSpeed, type Series } from './speedPicture';

const SIZES = [1_000, 10_000, 100_000];
const ROUNDS = 3;
const LATENCY_MS = 20;
/** The best that anybody can do. */
const BARE = { pageSize: 1_000, concurrency: 5 };

const NAMES = ['this node', 'HTTP Request with its pagination', 'bare undici'];

const DOCUMENTS = path.join(__dirname, '..', '..', 'docs');
const PICTURE = path.join(DOCUMENTS, 'pictures', 'speed.svg');
const PERFORMANCE = path.join(DOCUMENTS, 'performance.md');

/**
 * Reads lists of growing size in three ways, and writes time and requests into docs/performance.md,
 * as a picture and as a table.
 */
export async function measureSpeed(subject: Subject): Promise<void> {
	const { service } = subject;
	const series: Series[] = NAMES.map((name) => ({ name, measurements: [] }));
	await withN8n(subject, async (bench) => {
		for (const users of SIZES) {
			const readers = await readersOf({ users, latency: LATENCY_MS }, bench, service, BARE);
			const times = await measureInTurn(readers, ROUNDS);
			for (const [index, read] of readers.entries()) {
				await service.control.clearRequests();
				await read();
				const { total: requests } = await service.control.summary();
				series[index]?.measurements.push({ users, milliseconds: times[index] ?? NaN, requests });
			}
		}
	});
	const table = tableOf(series);
	console.log(`Reading all users, median of ${ROUNDS} rounds, in turn\n\n${table}\n`);
	writeFileSync(PICTURE, drawSpeed(series));
	writeFileSync(PERFORMANCE, withSpeed(readFileSync(PERFORMANCE, 'utf8'), table));
}

function tableOf(series: readonly Series[]): string {
	const rows = SIZES.map((users, index) => {
		const cells = series.map(({ measurements }) => {
			const { milliseconds = NaN, requests = NaN } = measurements[index] ?? {};
			const seconds = (milliseconds / 1000).toFixed(2);
			return `${seconds} s, ${requests.toLocaleString('en')}`;
		});
		return `| ${[users.toLocaleString('en'), ...cells].join(' | ')} |`;
	});
	const head = `| users | ${series.map(({ name }) => name).join(' | ')} |`;
	return [head, `|---${'|---'.repeat(series.length)}|`, ...rows].join('\n');
}

const BEGIN = '<!-- Written by `npm run bench`. -->';
const END = '<!-- Until here. -->';

/** The document with the picture and the table in place of those of an earlier run. */
function withSpeed(document: string, table: string): string {
	const [before, after] = [BEGIN, END].map((mark) => document.indexOf(mark)) as [number, number];
	if (before < 0 || after < before) throw new Error('docs/performance.md has no place for it.');
	const alt = 'Time and requests to read 1,000 to 100,000 users';
	const condition = `Each response takes ${LATENCY_MS} ms. This node has its defaults, HTTP Request 100 users a page as its users set it, and undici ${BARE.pageSize} a page, ${BARE.concurrency} at a time. n8n opens a connection for each request. Seconds, then requests.`;
	const written = [BEGIN, '', `![${alt}](pictures/speed.svg)`, '', condition, '', table, ''];
	return `${document.slice(0, before)}${written.join('\n')}\n${document.slice(after)}`;
}
