interface ReadAheadOptions<T> {
	fetch(number: number): Promise<T>;
	/** Max number of pages without a response; how many of them are sent is a matter of the pace. */
	concurrency: number;
	/**
	 * The first page not to be requested before its turn; evaluated again after every response.
	 *
	 * @param current the page whose turn it is
	 */
	limitFor(current: number): number;
	/**
	 * Whether to read ahead after this page; after anything else nothing is requested before its
	 * turn.
	 */
	shouldContinue(page: T): boolean;
}

interface PendingPage<T> {
	response: Promise<T>;
	/** Undefined until it arrives. */
	page?: T | 'failed';
}

/**
 * Reads numbered pages in parallel, ahead of the one whose turn it is. It plans, and never decides
 * where the list ends: a page that is requested in turn is read whatever the plan says. Few pages
 * are read ahead, so that one slow page does not fill the memory with later ones.
 */
export class ReadAhead<T> {
	private readonly pending = new Map<number, PendingPage<T>>();

	private nextToFetch: number;

	/** @param current the first page whose turn comes */
	constructor(
		private current: number,
		private readonly rules: ReadAheadOptions<T>,
	) {
		this.nextToFetch = current;
	}

	/** Now it is the turn of this page; earlier pages are forgotten. */
	moveTo(number: number): void {
		this.current = number;
		for (const pendingPage of this.pending.keys())
			if (pendingPage < number) this.pending.delete(pendingPage);
		this.readAhead();
	}

	/** From this page on pages are read anew. */
	discardFrom(number: number): void {
		for (const pendingPage of this.pending.keys())
			if (pendingPage >= number) this.pending.delete(pendingPage);
		this.nextToFetch = number;
	}

	/** @throws what `read` throws */
	async get(number: number): Promise<T> {
		return await (this.pending.get(number)?.response ?? this.refetch(number));
	}

	/** A page that was read otherwise. */
	put(number: number, page: T): void {
		this.pending.set(number, { response: Promise.resolve(page), page });
		this.nextToFetch = Math.max(this.nextToFetch, number + 1);
	}

	/** Requests the page, maybe once more: then the earlier response is forgotten. */
	async refetch(number: number): Promise<T> {
		const pendingPage: PendingPage<T> = { response: this.rules.fetch(number) };
		this.pending.set(number, pendingPage);
		this.nextToFetch = Math.max(this.nextToFetch, number + 1);
		const settle = (page: T | 'failed') => {
			pendingPage.page = page;
			this.readAhead();
		};
		// A failure is thrown where the page is waited for.
		pendingPage.response.then(settle, () => settle('failed'));
		return await pendingPage.response;
	}

	/** From now on nothing is requested. */
	close(): void {
		this.nextToFetch = Infinity;
	}

	private readAhead(): void {
		while (this.canReadAhead()) this.refetch(this.nextToFetch).catch(() => undefined);
	}

	private canReadAhead(): boolean {
		const { pending: pendingPage, current, rules } = this;
		const tooFar = current + 2 * rules.concurrency - 1;
		if (this.nextToFetch >= Math.min(rules.limitFor(current), tooFar)) return false;
		const pages = [...pendingPage.values()].map(({ page }) => page);
		const blocksReadAhead = (page?: T | 'failed') =>
			page === 'failed' || (page !== undefined && !rules.shouldContinue(page));
		const inFlight = pages.filter((page) => page === undefined);
		return inFlight.length < rules.concurrency && !pages.some(blocksReadAhead);
	}
}
