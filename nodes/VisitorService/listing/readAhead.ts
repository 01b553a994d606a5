interface ReadAheadOptions<T> {
	fetch(index: number): Promise<T>;
	/** Max number of pages without a response. The rate limiter may send fewer at the same time. */
	concurrency: number;
	/**
	 * The first page not to be read ahead; evaluated again after every response.
	 *
	 * @param current the page to decide about
	 */
	limitFor(current: number): number;
	/** Whether a page that was read leaves it likely that later pages exist. */
	shouldContinue(page: T): boolean;
}

interface PendingPage<T> {
	response: Promise<T>;
	/** Undefined until there is a response. */
	outcome?: { page: T } | 'failed';
}

/**
 * Reads numbered pages in parallel, ahead of the current one. It never decides where the list ends:
 * `get` reads any page. Few pages are read ahead, so that one slow page does not fill the memory
 * with later ones.
 */
export class ReadAhead<T> {
	private readonly pending = new Map<number, PendingPage<T>>();

	private nextToFetch: number;

	/** @param current the first page */
	constructor(
		private current: number,
		private readonly options: ReadAheadOptions<T>,
	) {
		this.nextToFetch = current;
	}

	/** Makes this the current page and forgets earlier ones. */
	moveTo(index: number): void {
		this.current = index;
		for (const pendingIndex of this.pending.keys())
			if (pendingIndex < index) this.pending.delete(pendingIndex);
		this.readAhead();
	}

	/** Forgets the pages from this one on, so that they are requested again. */
	discardFrom(index: number): void {
		for (const pendingIndex of this.pending.keys())
			if (pendingIndex >= index) this.pending.delete(pendingIndex);
		this.nextToFetch = index;
	}

	/** @throws what `fetch` throws */
	async get(index: number): Promise<T> {
		return await (this.pending.get(index)?.response ?? this.refetch(index));
	}

	/** Adds a page that was read elsewhere. */
	put(index: number, page: T): void {
		this.pending.set(index, { response: Promise.resolve(page), outcome: { page } });
		this.nextToFetch = Math.max(this.nextToFetch, index + 1);
	}

	/** Requests a page, even if it was requested before: the new response replaces the former. */
	async refetch(index: number): Promise<T> {
		const response = this.options.fetch(index);
		const pendingPage: PendingPage<T> = { response };
		this.pending.set(index, pendingPage);
		this.nextToFetch = Math.max(this.nextToFetch, index + 1);
		const settle = (outcome: PendingPage<T>['outcome']) => {
			pendingPage.outcome = outcome;
			this.readAhead();
		};
		// A failure is thrown where the page is waited for.
		response.then(
			(page) => settle({ page }),
			() => settle('failed'),
		);
		return await response;
	}

	/** Ends all reading ahead. */
	close(): void {
		this.nextToFetch = Infinity;
	}

	private readAhead(): void {
		while (this.canReadAhead()) this.refetch(this.nextToFetch).catch(() => undefined);
	}

	private canReadAhead(): boolean {
		const { pending, current, options } = this;
		const tooFar = current + 2 * options.concurrency - 1;
		if (this.nextToFetch >= Math.min(options.limitFor(current), tooFar)) return false;
		const outcomes = [...pending.values()].map(({ outcome }) => outcome);
		const read = outcomes.filter((outcome) => outcome !== undefined);
		const mayFollow = read.every((one) => one !== 'failed' && options.shouldContinue(one.page));
		return outcomes.length - read.length < options.concurrency && mayFollow;
	}
}
