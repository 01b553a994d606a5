export type PageOutcome<T> = { page: T } | { error: Error };

export interface OrderedReading<T> {
	read(number: number): Promise<T>;
	/** Most pages in flight. */
	concurrency: number;
	/** The first page that must not be asked for yet; looked at again after every page. */
	horizon(): number;
	/** Looks at an outcome as soon as it is there, in any order. */
	arrived(outcome: PageOutcome<T>, number: number): void;
	/** Takes the outcomes in the order of the pages; an exception ends the reading. */
	take(outcome: PageOutcome<T>, number: number): void;
	/** Whether nothing is to be taken any more, not even what is in flight. */
	ended(): boolean;
}

/**
 * Reads numbered pages in parallel and hands them over in order. At most `2 × concurrency` pages are asked for
 * beyond the one to be handed over next, so that one slow page does not fill the memory with later ones.
 *
 * @throws what `take` throws; no page is asked for after that
 */
export async function readInOrder<T>(from: number, reading: OrderedReading<T>): Promise<void> {
	const outcomes = new Map<number, PageOutcome<T>>();
	let inFlight = 0;
	let nextToAsk = from;
	let nextToTake = from;

	await new Promise<void>((resolve, reject) => {
		let over = false;

		const advance = () => {
			if (over) return;
			try {
				takeReady();
				if (!reading.ended()) askMore();
			} catch (error) {
				over = true;
				reject(asError(error));
				return;
			}
			over = reading.ended() || nextToTake === nextToAsk;
			if (over) resolve();
		};

		const takeReady = () => {
			while (!reading.ended()) {
				const outcome = outcomes.get(nextToTake);
				if (outcome === undefined) return;
				outcomes.delete(nextToTake);
				reading.take(outcome, nextToTake++);
			}
		};

		const askMore = () => {
			while (
				inFlight < reading.concurrency &&
				nextToAsk < reading.horizon() &&
				nextToAsk - nextToTake < 2 * reading.concurrency
			) {
				const number = nextToAsk++;
				inFlight++;
				void reading.read(number).then(
					(page) => settle(number, { page }),
					(error: unknown) => settle(number, { error: asError(error) }),
				);
			}
		};

		const settle = (number: number, outcome: PageOutcome<T>) => {
			inFlight--;
			reading.arrived(outcome, number);
			outcomes.set(number, outcome);
			advance();
		};

		advance();
	});
}

function asError(thrown: unknown): Error {
	return thrown instanceof Error ? thrown : new Error(String(thrown));
}
