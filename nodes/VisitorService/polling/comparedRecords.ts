/** What is remembered of one record of a list that is compared. */
export interface ComparedRecord {
	/** Complete readings in a row that did not meet it. */
	missed: number;
	/** Whether the reading under way met it. */
	isMet: boolean;
	/** Whether it showed an older state than this one when it was met last. */
	wasOlder: boolean;
	/** When its state was made; undefined if it shows no time. Milliseconds since 1970. */
	time: number | undefined;
	/** Digest of what it holds, as long as that may change without a new time; else empty. */
	content: string;
}

/**
 * So many complete readings in a row without a record prove that it is gone, whatever moved
 * meanwhile.
 */
export const MAX_MISSED = 6;

/** One line for each record, by its key. */
export function encodeRecords(records: ReadonlyMap<string, ComparedRecord>): string {
	return [...records]
		.map(([key, { missed, isMet, wasOlder, time, content }]) => {
			const flags = `${missed}${isMet ? 'M' : ''}${wasOlder ? 'O' : ''}`;
			return `${flags}${time?.toString(36) ?? ''}${content && `.${content}`} ${key}`;
		})
		.join('\n');
}

/** Reads what `encodeRecords` wrote; what is unreadable is not known. */
export function decodeRecords(text: string): Map<string, ComparedRecord> {
	const records = new Map<string, ComparedRecord>();
	for (const line of text.split('\n')) {
		const [, missed, met, older, time, content = '', key] =
			/^([0-6])(M)?(O)?(-?[0-9a-z]+)?(?:\.([\w-]{8}))? (.+)$/s.exec(line) ?? [];
		if (key === undefined) continue;
		records.set(key, {
			missed: Number(missed),
			isMet: met !== undefined,
			wasOlder: older !== undefined,
			time: time === undefined ? undefined : Number.parseInt(time, 36),
			content,
		});
	}
	return records;
}
