/** Milliseconds after which a reading of secrets is not waited for any more: it may never end. */
const MAX_SHARED = 5_000;

type Secrets = readonly string[];

/**
 * Lets deliveries that come at the same time read a secret once: for n8n that costs more than
 * anything else of a delivery (docs/performance.md). Nothing stays here once a reading has ended.
 */
export class SecretReadings {
	private readonly underWay = new Map<string, { startedAt: number; secrets: Promise<Secrets> }>();

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
		const reading = { startedAt: now, secrets: read() };
		this.underWay.set(key, reading);
		try {
			return await reading.secrets;
		} finally {
			if (this.underWay.get(key) === reading) this.underWay.delete(key);
		}
	}
}
