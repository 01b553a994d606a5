import { comparePositions, type Position } from './userVersion';

/** What is remembered of a version. */
export interface SeenVersion extends Position {
	/** Digest of its content where that counts, else empty. */
	content: string;
}

/** Most versions that are remembered: 13 to 30 bytes for each, 1.5 MB of JSON at the very most. */
export const MOST_SEEN = 50_000;

/** The versions that came out of the trigger, and may come again because they are still asked for. */
export class SeenVersions {
	private versions = new Map<string, SeenVersion>();

	constructor(private readonly capacity = MOST_SEEN) {}

	/** Reads what `encode` wrote; what is unreadable is not remembered, and so comes out again. */
	static decode(text: unknown, capacity = MOST_SEEN): SeenVersions {
		const seen = new SeenVersions(capacity);
		for (const group of typeof text === 'string' ? text.split(';') : []) {
			const [, time, entries] = /^(-?[0-9a-z]+):(.+)$/.exec(group) ?? [];
			if (time === undefined || entries === undefined) continue;
			for (const [, key = '', content = ''] of entries.matchAll(/([\w-]{12})([\w-]{8})?(?:,|$)/g)) {
				seen.versions.set(key, { time: Number.parseInt(time, 36), key, content });
			}
		}
		return seen;
	}

	/** One text, in groups of equal times: n8n would wrap each object of a list, and JSON repeat its names. */
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

	/** @param content digest of what the version holds; empty where that does not count, or not any more */
	has(key: string, content: string): boolean {
		const version = this.versions.get(key);
		if (version === undefined) return false;
		return content === '' || version.content === '' || version.content === content;
	}

	/**
	 * Remembers the oldest of these and of all remembered before, as many as there is room for.
	 *
	 * @returns those of `versions` that are remembered now
	 */
	remember<T extends SeenVersion>(versions: readonly T[]): T[] {
		const kept = versions.length + this.size <= this.capacity ? versions : this.oldest(versions);
		for (const { time, key, content } of kept) this.versions.set(key, { time, key, content });
		return [...kept];
	}

	/** Forgets what nobody asks for any more. */
	forget(isPast: (version: Position) => boolean): void {
		for (const version of this.versions.values())
			if (isPast(version)) this.versions.delete(version.key);
	}

	private oldest<T extends SeenVersion>(versions: readonly T[]): T[] {
		const added = new Set<SeenVersion>(versions);
		const renewed = new Set(versions.map(({ key }) => key));
		const others = [...this.versions.values()].filter(({ key }) => !renewed.has(key));
		const kept = [...others, ...versions].sort(comparePositions).slice(0, this.capacity);
		const keptKeys = new Set(kept.map(({ key }) => key));
		this.forget(({ key }) => !keptKeys.has(key));
		return kept.filter((version): version is T => added.has(version));
	}
}
