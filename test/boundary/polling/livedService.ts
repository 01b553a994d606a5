import { DAY, HOUR, type PolledService } from '../../drawn/polledService';
import type { JsonObject, Resource } from '../../reference-service';
import { VisitorService } from '../../reference-service/service';
import type { Dated } from './history';

/** A moment in the order of all that happened: a clock shows many things at the same time. */
export type Moment = number;

export interface Span {
	from: Moment;
	/** Infinity as long as it lasts. */
	until: Moment;
}

/** One state of a record, as the service had it. */
export interface Version {
	/** Stands in the record, so that what comes out can be told. */
	number: number;
	record: number;
	/** The number of the version that created the record. */
	birth: number;
	/** Milliseconds by the clock that stamps changes. */
	stampedAt: number;
	/** If it is not dated by the clock. */
	dated?: Dated;
	/** When the list showed it; undefined if it never did. */
	shown?: Span;
}

interface Hidden {
	version: Version;
	/** By a clock that nobody sets, as `showsAt`. */
	madeAt: number;
	showsAt: number;
}

/** Whether a version matches the condition of a trigger that has one. */
export function matches(number: number): boolean {
	return number % 2 === 0;
}

const AHEAD = { hoursAhead: 10 * HOUR, daysAhead: 10 * DAY, never: 0 };

const FORMATS = ['iso', 'isoSeconds', 'epochMs', 'epochS'] as const;

/**
 * A reference service of which is noted what it did: each state of each record, and when the list
 * showed it.
 */
export class LivedService {
	readonly service: VisitorService;

	readonly versions: Version[] = [];

	/** When records were away that had been there before. */
	readonly absences: Array<Span & { record: number }> = [];

	private readonly current = new Map<number, Version>();

	private hidden: Hidden[] = [];

	private moment: Moment = 0;

	/** Milliseconds by which the clock that stamps changes was set back; `Date` is of another one. */
	private behind = 0;

	private dateSet = 0;

	/** @param now the time of the clock that stamps changes */
	constructor(
		private readonly drawn: PolledService,
		private readonly resource: Resource,
		readonly now: () => number,
		pause: (milliseconds: number) => Promise<void>,
	) {
		const { dateHeader, list } = drawn;
		this.service = new VisitorService({
			pause,
			clock: () => now() - this.behind,
			switches: {
				dateHeader,
				// Tokens are not what this is about.
				token: { lifetimeSeconds: 1e9 },
				list: { ...list, updatedSince: { accepted: [...FORMATS], ...list.updatedSince } },
			},
		});
		this.setDate(0);
	}

	/** The next moment. */
	tick(): Moment {
		return ++this.moment;
	}

	idOf(record: number): string | number {
		return this.drawn.ids === 'numbers' ? record : `record-${record}`;
	}

	/** What the list shows now. */
	get shown(): readonly Version[] {
		return [...this.current.values()];
	}

	/** @param by milliseconds the clock behind the `Date` header was set, altogether */
	setDate(by: number): void {
		this.dateSet = by;
		this.service.set({ clockOffsetMs: this.drawn.dateAhead + by + this.behind });
	}

	setStampsBack(by: number): void {
		this.behind += by;
		this.setDate(this.dateSet);
	}

	/**
	 * Changes a record, or creates it.
	 *
	 * @param delay milliseconds until the list shows it
	 */
	async change(
		record: number,
		delay = 0,
		dated?: Dated,
		changedAt = this.now() - this.behind,
	): Promise<void> {
		const number = this.versions.length + 1;
		const stampedAt = changedAt + (dated === undefined ? 0 : AHEAD[dated]);
		const version: Version = { number, record, birth: number, stampedAt, dated };
		this.versions.push(version);
		const madeAt = this.now();
		this.hidden.push({ version, madeAt, showsAt: madeAt + delay });
		await this.show();
	}

	async remove(record: number): Promise<void> {
		// What was changed before a removal shows before it, or never.
		this.hidden = this.hidden.filter(({ version }) => version.record !== record);
		const version = this.current.get(record);
		if (version?.shown === undefined) return;
		const from = this.tick();
		version.shown.until = from;
		this.current.delete(record);
		this.absences.push({ record, from, until: Infinity });
		await this.service.remove(this.resource, this.idOf(record));
	}

	isAway(record: number): boolean {
		return this.absences.some((one) => one.record === record && one.until === Infinity);
	}

	hasJustChanged(record: number): boolean {
		const last = this.versions.filter((version) => version.record === record).at(-1);
		return last?.stampedAt === this.now() - this.behind;
	}

	/** Shows what is due by now. */
	async show(): Promise<void> {
		const isDue = ({ showsAt }: Hidden) => showsAt <= this.now();
		const due = this.hidden.filter(isDue);
		this.hidden = this.hidden.filter((hidden) => !isDue(hidden));
		for (const { version } of due) await this.showVersion(version);
	}

	/** The list as it is now. */
	get records(): JsonObject[] {
		return [...this.current.values()].map((version) => this.recordOf(version));
	}

	/** When the oldest change was made that does not show yet. */
	get showsAllBefore(): number {
		return Math.min(this.now(), ...this.hidden.map(({ madeAt }) => madeAt));
	}

	private async showVersion(version: Version): Promise<void> {
		const { record } = version;
		const before = this.current.get(record);
		const from = this.tick();
		if (before?.shown !== undefined) {
			before.shown.until = from;
			version.birth = before.birth;
		}
		version.shown = { from, until: Infinity };
		this.current.set(record, version);
		const absence = this.absences.find((one) => one.record === record && one.until === Infinity);
		if (absence !== undefined) absence.until = from;
		await this.service.upsert(this.resource, this.recordOf(version));
	}

	private recordOf({ number, record, birth, dated, stampedAt }: Version): JsonObject {
		const isDated = record !== this.drawn.undated;
		const createdAt = this.versions[birth - 1]?.stampedAt ?? stampedAt;
		const written = (time: number) => (isDated ? new Date(time).toISOString() : null);
		return {
			id: this.idOf(record),
			revision: number,
			birth,
			state: matches(number) ? 'arrived' : 'expected',
			createdAt: written(createdAt),
			updatedAt: dated === 'never' ? '9999-12-31T00:00:00.000Z' : written(stampedAt),
		};
	}
}
