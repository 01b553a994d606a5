import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Finding } from '../../nodes/VisitorService/diagnosis/finding';
import { shownFinding } from '../boundary/diagnose/diagnosed';
import type { Run } from '../host/memoryHost';
import { PublishedWorkflow } from '../host/publishedWorkflow';
import { StackHost } from './stackHost';

/** What a stack holds and does, by its documents and its code: never by what a node said of it. */
export interface ExpectedList {
	/** The name of its package. */
	stack: string;
	/** Other packages that make it. */
	more?: readonly string[];
	/** The number of its first page. */
	countsFrom: 0 | 1;
	/** How it orders IDs; by number unless set. */
	order?: 'text';
	/** What Diagnose may find; whatever else it finds is untrue. */
	facts: Readonly<Record<string, string | number | null>>;
}

/** What is true of every stack, unless its own facts say otherwise. */
const COMMON_FACTS = {
	tokenExchange: true,
	tokenField: 'access_token',
	tokenLifetime: 3600,
	tokenRevocation: false,
	usersReadable: true,
	idField: 'id',
	updatedAtField: 'updatedAt',
	pageHonoured: true,
	pageSizeHonoured: true,
	maxPageSize: 1000,
	updatedSinceFormat: 'iso',
	badTokenAnswer: 401,
	unknownPathAnswer: 404,
	clockDifference: 0,
};

const COUNT = 2_345;
const HOUR = 3_600_000;
const NUMBERS = Array.from({ length: COUNT }, (_, index) => `${index + 1}`);

/** @returns what is wrong; nothing if all is well */
type Problem = string | undefined;

/** Whether Return All returns all users, in the order of their numbers. */
export async function readsAll(host: StackHost): Promise<Problem> {
	const run = await host.execute({ resource: 'user', operation: 'list', returnAll: true });
	return compare(run, NUMBERS, 'info');
}

/** One list, as its makers ship it or with a number added to that of each page. */
export class JudgedList {
	private readonly host: StackHost;

	/** In the order of the stack. */
	private readonly ids: string[];

	private readonly countsFrom: number;

	constructor(
		private readonly url: string,
		private readonly expected: ExpectedList,
		shift: number,
	) {
		this.host = new StackHost(`${url}/${encodeURIComponent(expected.stack)}/${shift}`);
		this.ids = expected.order === 'text' ? [...NUMBERS].sort() : NUMBERS;
		this.countsFrom = expected.countsFrom - shift;
	}

	async problems(): Promise<Record<string, string>> {
		const all = {
			'Return All': await this.all(),
			Limit: await this.limit(),
			Page: await this.page(),
			Find: await this.find(),
			'Updated Since': await this.since(),
			polling: await this.polling(),
			Diagnose: await this.diagnose(),
		};
		const wrong = Object.entries(all).filter(([, problem]) => problem !== undefined);
		return Object.fromEntries(wrong) as Record<string, string>;
	}

	private async all(): Promise<Problem> {
		return compare(await this.list({ returnAll: true }), this.ids, 'info');
	}

	private async limit(): Promise<Problem> {
		return compare(await this.list({ returnAll: false, limit: 50 }), this.ids.slice(0, 50), 'info');
	}

	/** The number that the user sets is the one that is sent. */
	private async page(): Promise<Problem> {
		const start = (3 - this.countsFrom) * 20;
		const page = this.ids.slice(start, start + 20);
		return compare(await this.list({ returnAll: false, limit: 20, page: 3 }), page, 'info');
	}

	private async find(): Promise<Problem> {
		const parameters = { operation: 'find', field: 'email', value: 'user2001@example.com' };
		return compare(await this.list(parameters), ['2001']);
	}

	/** Each user was changed at an hour of its own, the last one a day before the stacks started. */
	private async since(): Promise<Problem> {
		const updatedSince = new Date(Date.now() - 100 * HOUR).toISOString();
		const run = await this.list({ returnAll: true, filters: { updatedSince } });
		if (this.expected.facts.updatedSinceFormat === null)
			return compare(run, this.ids, 'warning', /Updated Since/);
		const changed = run.items.filter((user) => (user.updatedAt as string) >= updatedSince);
		if (Math.abs(changed.length - 76) > 2) return `${changed.length} users`;
		return compare(run, changed.map(idOf), 'info');
	}

	private async polling(): Promise<Problem> {
		const workflow = new PublishedWorkflow(this.host, [{ node: 'polling' }], 'durable');
		const poll = async () => {
			const { items, failure } = await workflow.tryPoll();
			return failure ?? (items.map(idOf).join() || 'nothing');
		};
		const polls = [await poll(), await poll()];
		const body = JSON.stringify({ id: 777, updatedAt: new Date().toISOString() });
		await fetch(`${this.url}/change`, { method: 'POST', body });
		polls.push(await poll(), await poll());
		const started = polls.join(', ');
		return started === 'nothing, nothing, 777, nothing' ? undefined : started;
	}

	private async diagnose(): Promise<Problem> {
		const { items, error } = await this.list({ resource: 'connection', operation: 'diagnose' });
		const [summary, ...findings] = items.map((item) => shownFinding(item as unknown as Finding));
		if (error !== undefined || summary === undefined) return describe(error);
		const own = { firstPageNumber: this.countsFrom, ...this.expected.facts };
		const facts: Record<string, unknown> = { ...COMMON_FACTS, ...own };
		const wrong = findings
			.filter(({ check, observed, status }) => status !== 'unknown' && observed !== facts[check])
			.map(({ check, observed }) => `${check} ${observed}`);
		const { returnAll = true, page, limit, ...options } = summary.setting?.['List Users'] ?? {};
		const run = await this.list({ returnAll, page, limit, options });
		const recommended = compare(run, this.ids, 'info');
		if (recommended !== undefined) wrong.push(`what is recommended: ${recommended}`);
		if (!summary.meaning.startsWith('List Users works with the defaults'))
			wrong.push(summary.meaning);
		return wrong.length === 0 ? undefined : wrong.join('; ');
	}

	private async list(parameters: INodeParameters): Promise<Run> {
		return await this.host.execute({ resource: 'user', operation: 'list', ...parameters });
	}
}

const idOf = ({ id, _id }: IDataObject) => `${(id ?? _id) as number}`;

/** @param type of the hint, which says whether the node is sure of what it read */
function compare({ items, error, hints }: Run, ids: string[], type = '', text = /^/): Problem {
	if (error !== undefined) return describe(error);
	const read = items.map(idOf);
	if (read.join() !== ids.join()) {
		const missing = ids.filter((id) => !read.includes(id)).length;
		return `${read.length} users, of ${ids.length} are ${missing} missing`;
	}
	const [hint] = hints;
	const isExpected = type === '' || (hint?.type === type && text.test(hint.message));
	return isExpected ? undefined : (hint?.message ?? 'no hint');
}

function describe(error?: Error): string {
	return [error?.message, (error as { description?: string } | undefined)?.description].join(' ');
}
