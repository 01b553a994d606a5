import { comparePositions, type Position } from './versions';

/** What is remembered of a version that was returned. */
export interface RememberedVersion extends Position {
	/** Digest of what the record held, as long as that may change without a new time; else empty. */
	content: string;
}

/**
 * Versions that are remembered, and a quarter more if that many wait: 13 to 30 bytes for each, 1.5
 * MB of JSON as a rule.
 */
export const MAX_REMEMBERED = 50_000;

/** The versions that were returned, and may be read again because they are still asked for. */
export class RememberedVersions {
	private readonly versions = new Map<string, RememberedVersion>();

	/** Reads what `encode` wrote; what is unreadable is not remembered, and so is returned again. */
	static decode(text: string): RememberedVersions {
		const remembered = new RememberedVersions();
		for (const group of text.split(';')) {
			const [, time, entries] = /^(-?[0-9a-z]+):(.+)$/.exec(group) ?? [];
			if (time === undefined || entries === undefined) continue;
			const found = entries.matchAll(/([\w-]{12})([\w-]{8})?(?:,|$)/g);
			for (const [, key = '', content = ''] of found) {
				remembered.versions.set(key, { time: Number.parseInt(time, 36), key, content });
			}
		}
		return remembered;
	}

	/**
	 * One text, in groups of equal times: n8n would wrap each object of a list, and JSON repeat its
	 * names.
	 */
	encode(): string {
		const groups = new Map<number, string[]>();
		for (const { time, key, content } of this.versions.values()) {
			const group = groups.get(time);
			if (group === undefined) groups.set(time, [key + content]);
			else group.push(key + content);
		}
		return [...groups].map(([time, keys]) => `${time.toString(36)}:${keys.join(',')}`).join(';');
	}

	get size(): number {
		return this.versions.size;
	}

	has(key: string): boolean {
		return this.versions.has(key);
	}

	/** Whether a version was returned: the same, or with another content at the same time. */
	compare(key: string, content: string): 'unknown' | 'same' | 'otherContent' {
		const known = this.versions.get(key);
		if (known === undefined) return 'unknown';
		const isSame = known.content === '' || known.content === content;
		return isSame ? 'same' : 'otherContent';
	}

	/** Whether the content of a version that was returned is still compared. */
	comparesContent(key: string): boolean {
		return (this.versions.get(key)?.content ?? '') !== '';
	}

	remember({ time, key, content }: RememberedVersion): void {
		this.versions.set(key, { time, key, content });
	}

	/** Forgets the versions nobody asks for any more. */
	forget(isPast: (version: Position) => boolean): void {
		for (const version of this.versions.values()) {
			if (isPast(version)) this.versions.delete(version.key);
		}
	}

	/** Forgets so many of the newest. @returns these */
	forgetNewest(count: number): Position[] {
		if (count <= 0) return [];
		const newest = this.positions().slice(-count);
		for (const { key } of newest) this.versions.delete(key);
		return newest;
	}

	/** Whether one of them is before a position. */
	reachesBefore(position: Position): boolean {
		for (const version of this.versions.values()) {
			if (comparePositions(version, position) < 0) return true;
		}
		return false;
	}

	/** In order. */
	positions(): Position[] {
		return [...this.versions.values()].sort(comparePositions);
	}
}

/** The oldest of the versions that have to wait, as many as there is room for. */
export class WaitingVersions {
	private readonly oldest: RememberedVersions;

	constructor(
		encoded: string,
		private readonly room: number,
		/** How many waited before. */
		public count = 0,
	) {
		this.oldest = RememberedVersions.decode(encoded);
	}

	add({ time, key }: Position): void {
		this.count++;
		this.oldest.remember({ time, key, content: '' });
		// Cut seldom, because cutting sorts.
		if (this.oldest.size >= 2 * this.room) this.cut();
	}

	/** The first position that must wait if so many of them may be returned. */
	boundary(count: number): Position | undefined {
		this.cut();
		const positions = this.oldest.positions();
		const next = positions[count];
		if (next !== undefined) return next;
		const last = positions[positions.length - 1];
		// `~` comes after all signs of a key.
		return last && { time: last.time, key: `${last.key}~` };
	}

	encode(): string {
		this.cut();
		return this.oldest.encode();
	}

	private cut(): void {
		this.oldest.forgetNewest(Math.max(0, this.oldest.size - this.room));
	}
}
