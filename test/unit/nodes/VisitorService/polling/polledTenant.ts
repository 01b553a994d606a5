import type { PageAnswer } from '../../../../../nodes/VisitorService/answer/pageReader';
import {
	type UpdatedSinceFormat,
	writeUpdatedSince,
} from '../../../../../nodes/VisitorService/answer/updatedSince';
import { ServiceFailure } from '../../../../../nodes/VisitorService/failure/serviceFailure';
import type { ListSource } from '../../../../../nodes/VisitorService/polling/reading';
import type {
	DeepPartial,
	JsonObject,
	ListSwitches,
	PageContents,
	TimeFormat,
} from '../../../../reference-service';
import { VisitorService } from '../../../../reference-service/service';
import { VirtualClock } from '../../../../simulation/clock';

/** What the interface document does not show of a tenant. */
export interface Habits {
	/** Of its list. */
	list: DeepPartial<ListSwitches>;
	/** How the trigger writes `updatedSince`. */
	format: UpdatedSinceFormat;
	dateHeader: boolean;
	/**
	 * Milliseconds the `Date` header, written by a server before the service, is ahead of the clock
	 * that stamps changes.
	 */
	dateAhead: number;
	/** Milliseconds n8n's clock is ahead of it. */
	ourClockAhead: number;
	/**
	 * Whether each answer shows another text in one field of each user, or the first one of so many
	 * milliseconds.
	 */
	volatileField: boolean | number;
	showsCreation: boolean;
	/** How far the times of creations are ahead of the others, and what they are cut to. */
	creationTimes?: { ahead: number; unit: number };
	/** A user without any time. */
	timeless?: string;
	/** What stands for the update time of a user that was never updated, or that it is left out. */
	unsetTime?: string | number;
}

export const plainHabits: Habits = {
	list: {},
	format: 'iso',
	dateHeader: true,
	dateAhead: 0,
	ourClockAhead: 0,
	volatileField: false,
	showsCreation: false,
};

const FORMATS: TimeFormat[] = ['iso', 'isoSeconds', 'epochMs', 'epochS'];

interface User {
	id: string;
	updatedAt: number;
	/** Counts the changes of the whole tenant, so that each version has another. */
	change: number;
	createdAt: number;
	/** The change that created it. */
	created: number;
}

/** A list as it was. */
export interface ListCopy {
	service: VisitorService;
	/** Changes made before that moment show. */
	showsAllBefore: number;
}

/** Monday, 2 March 2026, 08:00 UTC. */
export const START = Date.UTC(2026, 2, 2, 8);
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

/**
 * A reference service in memory, as one trigger reaches it. Its time stands still unless a test
 * moves it.
 */
export class PolledTenant implements ListSource {
	service = 'tenant-1';

	readonly names = { name: 'user', plural: 'users' };

	readonly keys = ['users'];

	readonly itemsPath = '';

	requests: Array<{ page: number; pageSize: number; updatedSince?: number }> = [];

	/** How the service writes its IDs. */
	writesIdsAs: 'text' | 'numbers' = 'text';

	/** Called before each page is answered; throws to make the request fail. */
	beforePage?: (request: { page: number; updatedSince?: number }) => void | Promise<void>;

	/** How many pages a poll may read. */
	pagesPerPoll = Infinity;

	/** Milliseconds by which clocks were set since the beginning. */
	readonly clockSet = { ours: 0, date: 0 };

	readonly habits: Habits;

	private readonly reference: VisitorService;

	/** The clock that stamps changes. */
	private readonly clock: VirtualClock;

	private pagesThisPoll = 0;

	/** As the service shows them. */
	private readonly users = new Map<string, User>();

	/** Changes that do not show yet. */
	private hidden: Array<{ showsAt: number; user: Pick<User, 'id' | 'updatedAt' | 'change'> }> = [];

	private changes = 0;

	/** The user of each change. */
	private readonly owners = new Map<number, string>();

	private answers = 0;

	/** The last change that the service was told. */
	private told: Promise<void> = Promise.resolve();

	/** What answers instead, of a service that reads from copies which lag behind. */
	private copy?: VisitorService;

	constructor(habits: Partial<Habits> = {}, startedAt = START) {
		this.clock = new VirtualClock(startedAt);
		this.habits = { ...plainHabits, ...habits };
		const { updatedSince, ...list } = this.habits.list;
		const switches = {
			metadata: ['total' as const, 'pageSize' as const],
			envelope: (page: PageContents) => this.bodyOf(page),
			...list,
			updatedSince: { accepted: FORMATS, ...updatedSince },
		};
		this.reference = this.serviceLike({ list: switches });
	}

	/** A copy of the list as it is now, which can answer later. */
	async copyList(): Promise<ListCopy> {
		const service = this.serviceLike({ list: this.reference.switches.list });
		for (const user of this.users.values()) await service.upsert('users', recordOf(user));
		const hidden = this.hidden.map(({ user }) => user.updatedAt);
		return { service, showsAllBefore: Math.min(this.time, ...hidden) };
	}

	/** @param copy answers while `action` runs */
	async answeredBy<T>({ service }: ListCopy, action: () => Promise<T>): Promise<T> {
		this.copy = service;
		try {
			return await action();
		} finally {
			this.copy = undefined;
		}
	}

	private serviceLike(switches: { list: DeepPartial<ListSwitches> }): VisitorService {
		return new VisitorService({ clock: () => this.time, switches });
	}

	/** Changes what the list is like. */
	set(list: DeepPartial<ListSwitches>): void {
		this.reference.set({ list });
	}

	/** @param delay milliseconds until the change shows in the list. @returns its number */
	change(id: string, delay = 0, updatedAt = this.time): number {
		const change = ++this.changes;
		this.owners.set(change, id);
		this.hidden.push({ showsAt: this.time + delay, user: { id, updatedAt, change } });
		this.show();
		return change;
	}

	remove(id: string): void {
		this.users.delete(id);
		// What was changed before a removal shows before it, or never.
		this.hidden = this.hidden.filter(({ user }) => user.id !== id);
		this.told = this.reference.remove('users', id);
	}

	pass(milliseconds: number): void {
		this.clock.pass(milliseconds);
		this.show();
	}

	get time(): number {
		return this.clock.now();
	}

	/** The change each user shows now. */
	current(): Map<string, number> {
		return new Map([...this.users.values()].map(({ id, change }) => [id, change]));
	}

	now(): number {
		return this.time + this.habits.ourClockAhead + this.clockSet.ours;
	}

	beginPoll(): void {
		this.pagesThisPoll = 0;
	}

	readonly pause = async (milliseconds: number): Promise<void> => {
		this.pass(milliseconds);
		await Promise.resolve();
	};

	mayReadOn(): boolean {
		return this.pagesThisPoll < this.pagesPerPoll;
	}

	async fetchPage(page: number, pageSize: number, updatedSince?: number): Promise<PageAnswer> {
		this.requests.push({ page, pageSize, updatedSince });
		this.pagesThisPoll++;
		await Promise.resolve();
		await this.beforePage?.({ page, updatedSince });
		await this.told;
		const { dateAhead, dateHeader, format } = this.habits;
		const asked = { page: String(page), pageSize: String(pageSize) };
		const text = (this.copy ?? this.reference).page(
			'users',
			updatedSince === undefined
				? asked
				: { ...asked, updatedSince: String(writeUpdatedSince(updatedSince, format)) },
		);
		if (text === null) throw refusal();
		const body: unknown = JSON.parse(text);
		const date = new Date(this.time + dateAhead + this.clockSet.date).toUTCString();
		return { statusCode: 200, headers: dateHeader ? { date } : {}, body };
	}

	private show(): void {
		const due = this.hidden.filter(({ showsAt }) => showsAt <= this.time);
		if (due.length === 0) return;
		this.hidden = this.hidden.filter(({ showsAt }) => showsAt > this.time);
		for (const { user } of due) {
			const { createdAt = user.updatedAt, created = user.change } = this.users.get(user.id) ?? {};
			const shown = { ...user, createdAt, created };
			this.users.set(user.id, shown);
			this.told = this.reference.upsert('users', recordOf(shown));
		}
	}

	/** What an answer holds. */
	private bodyOf({ records, metadata: { total, pageSize } }: PageContents): JsonObject {
		this.answers++;
		const { metadata } = this.reference.switches.list;
		const data = records.map((record) => this.shapeOf(record));
		return metadata === 'none' ? { data } : { data, total, pageSize };
	}

	/** Only times in UTC are shown otherwise. */
	private creationShown(written: JsonObject[string]): JsonObject[string] {
		const { creationTimes } = this.habits;
		if (creationTimes === undefined || typeof written !== 'string' || !written.endsWith('Z'))
			return written;
		const { ahead, unit } = creationTimes;
		return new Date(Math.floor((Date.parse(written) + ahead) / unit) * unit).toISOString();
	}

	private shapeOf(record: JsonObject): JsonObject {
		const { habits, answers } = this;
		const { updatedAtField } = this.reference.switches.list;
		const { createdAt = null, ...rest } = record;
		const { volatileField } = habits;
		const isTimed = typeof volatileField === 'number';
		const signature = isTimed ? Math.floor(this.time / volatileField) : answers;
		const isTimeless = this.owners.get(Number(record.change)) === habits.timeless;
		const isUnset = updatedAtField !== null && record[updatedAtField] === null;
		const shown = {
			...rest,
			...(this.writesIdsAs === 'numbers' && { id: Number(record.id) }),
			...(isUnset && { [updatedAtField]: habits.unsetTime ?? null }),
			...(isTimeless && updatedAtField !== null && { [updatedAtField]: null }),
			...(habits.showsCreation && { createdAt: isTimeless ? null : this.creationShown(createdAt) }),
			...(volatileField !== false && {
				photo: `https://photos.example.test/${signature}`,
				tags: answers % 2 === 0 ? ['a', 'b'] : ['b', 'a'],
			}),
		};
		return shown;
	}
}

function recordOf(user: User): JsonObject {
	return {
		...user,
		createdAt: new Date(user.createdAt).toISOString(),
		updatedAt: new Date(user.updatedAt).toISOString(),
	};
}

function refusal(): ServiceFailure {
	return new ServiceFailure('The service does not accept the parameters.', 'Check them.', {
		kind: 'badRequest',
		statusCode: 400,
	});
}
