/** What is remembered of one record of a list that is compared. */
export interface ComparedRecord {
	/** Complete readings in a row that did not meet it. */
	missed: number;
	/** Whether the reading under way met it. */
	isMet: boolean;
	/** Digest of its update time. */
	time: string;
	/** Digest of what it holds, as long as that may change without a new time. */
	content: string;
}

/** So many complete readings in a row without a record prove that it is gone, whatever moved meanwhile. */
export const MAX_MISSED = 6;

export const TIME_LENGTH = 6;
export const NO_TIME = '-'.repeat(TIME_LENGTH);
export const NO_CONTENT = '-'.repeat(8);

/** One line for each record, by its key. */
export function encodeRecords(records: ReadonlyMap<string, ComparedRecord>): string {
	return [...records]
		.map(
			([key, { missed, isMet, time, content }]) =>
				`${isMet ? 'm' : missed}${time}${content} ${key}`,
		)
		.join('\n');
}

/** Reads what `encodeRecords` wrote; what is unreadable is not known. */
export function decodeRecords(text: string): Map<string, ComparedRecord> {
	const records = new Map<string, ComparedRecord>();
	for (const line of text.split('\n')) {
		const [, flag = '', time = '', content = '', key = ''] =
			/^([0-6m])([\w-]{6})?([\w-]{8})? (.+)$/.exec(line) ?? [];
		if (key === '') continue;
		const isMet = flag === 'm';
		records.set(key, { isMet, missed: isMet ? 0 : Number(flag), time, content });
	}
	return records;
}
