/** Milliseconds after which a reading of secrets is not waited for any more: it may never end. */
const MAX_SHARED = 5_000;

type Secrets = readonly string[];

interface SecretReading {
	startedAt: number;
	secrets: Promise<Secrets>;
	/** Lets all who wait for it go on with what a newer reading returns. */
	replaceBy(newer: Promise<Secrets>): void;
}

/**
 * Lets deliveries that come at the same time read a secret once: for n8n that costs more than
 * anything else of a delivery (docs/performance.md). Nothing stays here once a reading has ended.
 */
export class SecretReadings {
	private readonly underWay = new Map<string, SecretReading>();

	/**
	 * @param key of the trigger and its credential
	 * @param now milliseconds since 1970
	 * @throws what `read` throws
	 */
	async share(key: string, read: () => Promise<Secrets>, now: number): Promise<Secrets> {
		const earlier = this.underWay.get(key);
		// The clock may have been set back meanwhile.
		if (earlier !== undefined && Math.abs(now - earlier.startedAt) < MAX_SHARED) {
			return await earlier.secrets;
		}
		const reading = start(read, now);
		earlier?.replaceBy(reading.secrets);
		this.underWay.set(key, reading);
		try {
			return await reading.secrets;
		} finally {
			if (this.underWay.get(key) === reading) this.underWay.delete(key);
		}
	}
}

function start(read: () => Promise<Secrets>, startedAt: number): SecretReading {
	let replaceBy: SecretReading['replaceBy'] = () => {};
	const newer = new Promise<Secrets>((resolve) => {
		replaceBy = resolve;
	});
	return { startedAt, secrets: Promise.race([read(), newer]), replaceBy };
}
