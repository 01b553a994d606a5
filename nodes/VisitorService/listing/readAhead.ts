export interface ReadAheadRules<T> {
	read(number: number): Promise<T>;
	/** Max number of pages in flight. */
	concurrency: number;
	/** Max number of pages read before their turn; `2 × concurrency - 2` unless it is set. */
	maxAhead?: number;
	/**
	 * The first page that must not be asked for before its turn; looked at again after every answer.
	 *
	 * @param current the page whose turn it is
	 */
	horizon(current: number): number;
	/**
	 * Whether what came speaks for asking on; after anything else nothing is asked for before its
	 * turn.
	 */
	isPromising(page: T): boolean;
}

interface Asked<T> {
	answer: Promise<T>;
	/** Undefined until it arrives, and if it failed. */
	page?: T;
	hasFailed?: boolean;
}

/**
 * Reads numbered pages in parallel, ahead of the one whose turn it is. It plans, and never decides
 * where the list ends: a page that is asked for in turn is read whatever the plan says. Few pages
 * are read ahead, so that one slow page does not fill the memory with later ones.
 */
export class ReadAhead<T> {
	private readonly asked = new Map<number, Asked<T>>();

	/** Requests that are due before any page is read ahead. */
	private readonly due: Array<() => void> = [];

	private inFlight = 0;

	private isClosed = false;

	private nextToAsk: number;

	/** @param current the first page whose turn comes */
	constructor(
		private current: number,
		private readonly rules: ReadAheadRules<T>,
	) {
		this.nextToAsk = current;
	}

	/** Now it is the turn of this page; what came before it is forgotten. */
	moveTo(number: number): void {
		this.current = number;
		for (const asked of this.asked.keys()) if (asked < number) this.asked.delete(asked);
		this.pump();
	}

	/** From this page on pages are read anew. */
	forgetFrom(number: number): void {
		for (const asked of this.asked.keys()) if (asked >= number) this.asked.delete(asked);
		this.nextToAsk = number;
	}

	/** @throws what `read` throws */
	async get(number: number): Promise<T> {
		return await (this.asked.get(number)?.answer ?? this.getAgain(number));
	}

	/** Asks for the page, maybe once more: then the earlier answer is forgotten. */
	async getAgain(number: number): Promise<T> {
		const start = new Promise<void>((resolve) => this.due.push(resolve));
		const answer = this.ask(number, start);
		this.pump();
		return await answer;
	}

	/** Pages after the current one that are there already. */
	*arrivedAhead(): Iterable<T> {
		for (const [number, { page }] of this.asked) {
			if (number > this.current && page !== undefined) yield page;
		}
	}

	/** From now on nothing is asked for. */
	close(): void {
		this.isClosed = true;
	}

	private async ask(number: number, start: Promise<void>): Promise<T> {
		const answer = start.then(async () => await this.rules.read(number));
		const asked: Asked<T> = { answer };
		this.asked.set(number, asked);
		this.nextToAsk = Math.max(this.nextToAsk, number + 1);
		const settle = (page?: T) => {
			this.inFlight--;
			asked.page = page;
			asked.hasFailed = page === undefined;
			this.pump();
		};
		// A failure is thrown where the page is waited for.
		answer.then(settle, () => settle());
		return await answer;
	}

	private pump(): void {
		while (!this.isClosed && this.inFlight < this.rules.concurrency) {
			const start = this.due.shift();
			if (start === undefined && !this.mayReadAhead()) return;
			this.inFlight++;
			if (start === undefined) this.ask(this.nextToAsk, Promise.resolve()).catch(() => undefined);
			else start();
		}
	}

	private mayReadAhead(): boolean {
		const { current, rules } = this;
		const { maxAhead = 2 * rules.concurrency - 2 } = rules;
		if (this.nextToAsk >= Math.min(rules.horizon(current), current + 1 + maxAhead)) return false;
		return [...this.asked.values()].every(
			({ hasFailed, page }) =>
				hasFailed !== true && (page === undefined || rules.isPromising(page)),
		);
	}
}
