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

type Arrival<T> = { kind: 'page'; page: T } | { kind: 'failed'; error: unknown };

interface Asked<T> {
	outcome: Promise<Arrival<T>>;
	arrived?: Arrival<T>;
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

	private closed = false;

	private nextToAsk: number;

	/** @param current the first page whose turn comes */
	constructor(
		private current: number,
		private readonly rules: ReadAheadRules<T>,
	) {
		this.nextToAsk = current;
	}

	/** A page that is there already. */
	put(number: number, page: T): void {
		const arrived: Arrival<T> = { kind: 'page', page };
		this.asked.set(number, { outcome: Promise.resolve(arrived), arrived });
		this.nextToAsk = Math.max(this.nextToAsk, number + 1);
	}

	/** Now it is the turn of this page; what came before it is forgotten. */
	moveTo(number: number): void {
		this.current = number;
		for (const asked of this.asked.keys()) if (asked < number) this.asked.delete(asked);
		this.pump();
	}

	/** @throws what `read` throws */
	async get(number: number): Promise<T> {
		const { outcome } = this.asked.get(number) ?? this.ask(number, true);
		return valueOf(await outcome);
	}

	/** Asks for the page once more; the earlier answer is forgotten. */
	async getAgain(number: number): Promise<T> {
		return valueOf(await this.ask(number, true).outcome);
	}

	/** Pages after the current one that are there already. */
	*arrivedAhead(): Iterable<T> {
		for (const [number, { arrived }] of this.asked) {
			if (number > this.current && arrived?.kind === 'page') yield arrived.page;
		}
	}

	/** From now on nothing is asked for. */
	close(): void {
		this.closed = true;
	}

	private ask(number: number, isDue: boolean): Asked<T> {
		const started = isDue
			? new Promise<void>((start) => {
					this.due.push(start);
				})
			: Promise.resolve();
		if (!isDue) this.inFlight++;
		const outcome = started
			.then(async () => await this.rules.read(number))
			.then(
				(page): Arrival<T> => ({ kind: 'page', page }),
				(error: unknown): Arrival<T> => ({ kind: 'failed', error }),
			);
		const asked: Asked<T> = { outcome };
		asked.outcome = outcome.then((arrived) => {
			this.inFlight--;
			asked.arrived = arrived;
			this.pump();
			return arrived;
		});
		this.asked.set(number, asked);
		this.nextToAsk = Math.max(this.nextToAsk, number + 1);
		this.pump();
		return asked;
	}

	private pump(): void {
		const { concurrency } = this.rules;
		while (!this.closed && this.inFlight < concurrency) {
			const start = this.due.shift();
			if (start !== undefined) {
				this.inFlight++;
				start();
			} else if (this.mayReadAhead()) {
				this.ask(this.nextToAsk, false);
			} else {
				return;
			}
		}
	}

	private mayReadAhead(): boolean {
		const { current, rules } = this;
		const { maxAhead = 2 * rules.concurrency - 2 } = rules;
		const limit = current + 1 + maxAhead;
		if (this.nextToAsk >= Math.min(rules.horizon(current), limit)) return false;
		for (const { arrived } of this.asked.values()) {
			if (arrived === undefined) continue;
			if (arrived.kind === 'failed' || !rules.isPromising(arrived.page)) return false;
		}
		return true;
	}
}

function valueOf<T>(outcome: Arrival<T>): T {
	if (outcome.kind === 'failed') throw outcome.error;
	return outcome.page;
}
