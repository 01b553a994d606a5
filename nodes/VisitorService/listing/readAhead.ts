interface ReadAheadRules<T> {
	read(number: number): Promise<T>;
	/** Max number of pages without an answer; how many of them are sent is a matter of the pace. */
	concurrency: number;
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
	/** Undefined until it arrives. */
	page?: T | 'failed';
}

/**
 * Reads numbered pages in parallel, ahead of the one whose turn it is. It plans, and never decides
 * where the list ends: a page that is asked for in turn is read whatever the plan says. Few pages
 * are read ahead, so that one slow page does not fill the memory with later ones.
 */
export class ReadAhead<T> {
	private readonly asked = new Map<number, Asked<T>>();

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
		this.readAhead();
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
		const asked: Asked<T> = { answer: this.rules.read(number) };
		this.asked.set(number, asked);
		this.nextToAsk = Math.max(this.nextToAsk, number + 1);
		const settle = (page: T | 'failed') => {
			asked.page = page;
			this.readAhead();
		};
		// A failure is thrown where the page is waited for.
		asked.answer.then(settle, () => settle('failed'));
		return await asked.answer;
	}

	/** From now on nothing is asked for. */
	close(): void {
		this.nextToAsk = Infinity;
	}

	private readAhead(): void {
		while (this.mayReadAhead()) this.getAgain(this.nextToAsk).catch(() => undefined);
	}

	private mayReadAhead(): boolean {
		const { asked, current, rules } = this;
		const tooFar = current + 2 * rules.concurrency - 1;
		if (this.nextToAsk >= Math.min(rules.horizon(current), tooFar)) return false;
		const pages = [...asked.values()].map(({ page }) => page);
		const isInTheWay = (page?: T | 'failed') =>
			page === 'failed' || (page !== undefined && !rules.isPromising(page));
		const inFlight = pages.filter((page) => page === undefined);
		return inFlight.length < rules.concurrency && !pages.some(isInTheWay);
	}
}
