import type { RecordId } from '../response/identity';
import { latestAt } from './timePrecision';

export interface RecordVersion {
	/** Milliseconds since 1970, or `NO_TIMESTAMP`. */
	stampedAt: number;
	/** Of content that can change without its time, a digest; a match mark; an ID; or empty. */
	content: string;
}

/** The time of a version without one. It may be of any time, so no other version is older. */
export const NO_TIMESTAMP = Infinity;

export interface RememberedRecord {
	/** Versions that were seen and may be seen again. The last one was seen last. */
	versions: RecordVersion[];
	/** Complete readings in a row without it. */
	absences: number;
	/** Whether the current reading has seen it. */
	isSeen: boolean;
}

/** Whether it is the key of a version that counts only if the next reading shows it too. */
const isUnconfirmedKey = (key: string) => key.includes('?');

/** Max versions of one record, because an integration may write one before each poll. */
const MAX_VERSIONS = 100;

/** Remembered records by the key of their ID; unconfirmed versions by `key?time`. */
export class RememberedRecords extends Map<string, RememberedRecord> {
	/**
	 * @param text one line for each record, because n8n would wrap every object of a list. Lines that
	 *   cannot be read are skipped
	 */
	constructor(text: string) {
		super();
		for (const line of text.split('\n')) {
			const [marks, versions] = [line.indexOf(':'), line.indexOf(' ')];
			if (marks < 0 || versions < marks) continue;
			this.set(line.slice(versions + 1), {
				versions: line
					.slice(marks + 1, versions)
					.split('/')
					.map(parseVersion),
				absences: Number.parseInt(line, 10) || 0,
				isSeen: line[marks - 1] === '+',
			});
		}
	}

	toText(): string {
		return [...this]
			.map(([key, { versions, absences, isSeen }]) => {
				return `${absences || ''}${isSeen ? '+' : ''}:${versions.map(formatVersion).join('/')} ${key}`;
			})
			.join('\n');
	}

	/** Adds a version that was seen. Without a time, only the last version is needed. */
	remember(key: string, version: RecordVersion): void {
		const isOther = ({ content, stampedAt }: RecordVersion) =>
			stampedAt !== NO_TIMESTAMP &&
			(stampedAt !== version.stampedAt || content !== version.content);
		const before = this.get(key)?.versions.filter(isOther) ?? [];
		this.set(key, {
			versions: [...before, version].slice(-MAX_VERSIONS),
			absences: 0,
			isSeen: true,
		});
	}

	/** Ends a reading. @param isComplete whether it has all records of the list */
	endReading(isComplete: boolean): void {
		for (const [key, remembered] of this) {
			if (remembered.isSeen) remembered.absences = 0;
			else if (isComplete) remembered.absences++;
			remembered.isSeen = false;
			if (isUnconfirmedKey(key) && remembered.absences > 0) this.delete(key);
		}
	}

	/** Records absent from this many readings in a row. */
	absentFor(readings: number): Array<[string, RememberedRecord]> {
		return [...this].filter(([, { absences }]) => absences >= readings);
	}

	/**
	 * Forgets versions that cannot show any more, because they are older.
	 *
	 * @param keepsLastVersion whether the last version of each record is needed all the same
	 */
	pruneBefore(beforeAt: number, spreadMs: number, keepsLastVersion: boolean): void {
		const isOld = ({ stampedAt }: RecordVersion) => latestAt(stampedAt, spreadMs) < beforeAt;
		for (const [key, remembered] of this) {
			const last = remembered.versions.at(-1);
			remembered.versions = remembered.versions.filter((version) => !isOld(version));
			// Its content can no longer change without a new version. An unconfirmed one has expired.
			if (keepsLastVersion && last && isOld(last) && !isUnconfirmedKey(key))
				remembered.versions.push({ ...last, content: '' });
			if (remembered.versions.length === 0) this.delete(key);
		}
	}
}

function formatVersion({ content, stampedAt }: RecordVersion): string {
	const version = stampedAt === NO_TIMESTAMP ? '' : stampedAt.toString(36);
	return content === '' ? version : `${version}.${content}`;
}

function parseVersion(text: string): RecordVersion {
	const end = text.indexOf('.');
	const [time, content] = end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end + 1)];
	return { stampedAt: time === '' ? NO_TIMESTAMP : Number.parseInt(time, 36), content };
}

/** The ID of a record that may be removed, as a content. */
export function formatId(id: RecordId): string {
	return encodeURIComponent(JSON.stringify(id));
}

/** The ID that was written last; undefined if it is damaged. */
export function readRemovedId({ versions: [state] }: RememberedRecord): unknown {
	try {
		return JSON.parse(decodeURIComponent(state?.content ?? ''));
	} catch {
		return undefined;
	}
}
