/*
 * What a bucket would be like that let through and refused what the service did: it holds so many
 * requests, and makes room for new ones at a steady rate. Times in milliseconds, rates per
 * millisecond.
 */

/** Requests of which it is remembered what became of them. */
const REMEMBERED = 1_000;
/** A larger bucket shows itself by its burst, before its rate does. */
const MAX_BUCKET_SIZE = 20;
/** Of the lowest rate that fits: how much higher the highest may be. */
const TIGHT = 0.15;
const HALVINGS = 30;

interface SentRequest {
	at: number;
	wasRefused: boolean;
}

export class BucketFit {
	/** In the order in which they were sent. */
	private readonly sent: SentRequest[] = [];

	answered(at: number, wasRefused: boolean): void {
		let place = this.sent.length;
		while (place > 0 && (this.sent[place - 1]?.at ?? 0) > at) place--;
		this.sent.splice(place, 0, { at, wasRefused });
		if (this.sent.length > REMEMBERED) this.sent.shift();
	}

	forget(): void {
		this.sent.length = 0;
	}

	/** The rate of the smallest bucket that fits, if its rate is known well; else 0. */
	rate(): number {
		for (let size = 1; size <= MAX_BUCKET_SIZE; size++) {
			const least = lowestRate((rate) => this.agrees(size, rate, false));
			const most = lowestRate((rate) => !this.agrees(size, rate, true));
			if (least <= most) return most <= (1 + TIGHT) * least ? least : 0;
		}
		return 0;
	}

	/**
	 * Whether that is what a bucket would have done with those that were refused, or with those that
	 * were not.
	 */
	private agrees(size: number, rate: number, refused: boolean): boolean {
		let [inBucket, before] = [0, -Infinity];
		return this.sent.every(({ at, wasRefused }) => {
			inBucket = Math.max(0, inBucket - rate * (at - before));
			before = at;
			const isFull = inBucket + 1 > size;
			if (!wasRefused) inBucket++;
			return wasRefused !== refused || isFull === refused;
		});
	}
}

/** @param isEnough holds for all rates above the one that is looked for */
function lowestRate(isEnough: (rate: number) => boolean): number {
	let [low, high] = [0, 1];
	for (let halving = 0; halving < HALVINGS; halving++) {
		const middle = (low + high) / 2;
		if (isEnough(middle)) high = middle;
		else low = middle;
	}
	return high;
}
