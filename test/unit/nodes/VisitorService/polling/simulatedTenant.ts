import type { PageAnswer } from '../../../../../nodes/VisitorService/answer/pageReader';
import {
	type UpdatedSinceFormat,
	writeUpdatedSince,
} from '../../../../../nodes/VisitorService/answer/updatedSince';
import { ServiceFailure } from '../../../../../nodes/VisitorService/failure/serviceFailure';
import type { ListSource } from '../../../../../nodes/VisitorService/polling/reading';
import type { JsonObject } from '../../../../../nodes/VisitorService/values/json';

/** The habits of a tenant's service that the interface document does not show. */
export interface Habits {
	/** Order of the list. */
	order: 'insertion' | 'id' | 'oldestFirst' | 'newestFirst';
	/** How update times are written. */
	shown: 'milliseconds' | 'seconds' | 'minutes' | 'epochMs' | 'epochS' | 'offset' | 'withoutZone';
	/** The zone of times written with an offset or without their zone, minutes east of UTC. */
	zone: number;
	filter: {
		ignored: boolean;
		inclusive: boolean;
		/** Unit in which times are compared, milliseconds. */
		unit: number;
		/** Milliseconds by which the time filtered by is ahead of the one shown. */
		ahead: number;
		/** The formats that are read; another one finds nothing. */
		reads: 'all' | 'epochMs';
		/** Whether a time in the future is refused. */
		refusesFuture: boolean;
	};
	format: UpdatedSinceFormat;
	/** Most users on a page. */
	clamp: number;
	/** Whether pages name the total. */
	total: boolean;
	dateHeader: boolean;
	/** Milliseconds the `Date` header is ahead of the clock that stamps changes. */
	dateAhead: number;
	/** Milliseconds n8n's clock is ahead of it. */
	ourClockAhead: number;
	/** Whether each answer shows another text in one field of each user. */
	volatileField: boolean;
	fields: { id: string | null; updatedAt: string | null };
	/** What shows of creations: nothing, their time, or the update time is null until the first update. */
	creation: 'none' | 'time' | 'nullUpdate';
	/** Whether a filter leaves out users without an update time. */
	leavesNullsOut: boolean;
	/** A user without any time. */
	timeless?: string;
}

export const plainHabits: Habits = {
	order: 'insertion',
	shown: 'milliseconds',
	zone: 0,
	filter: {
		ignored: false,
		inclusive: true,
		unit: 1,
		ahead: 0,
		reads: 'all',
		refusesFuture: false,
	},
	format: 'iso',
	clamp: 1000,
	total: true,
	dateHeader: true,
	dateAhead: 0,
	ourClockAhead: 0,
	volatileField: false,
	fields: { id: 'id', updatedAt: 'updatedAt' },
	creation: 'none',
	leavesNullsOut: false,
};

interface User {
	id: string;
	updatedAt: number;
	/** Counts the changes of the whole tenant, so that each version has another. */
	change: number;
	createdAt: number;
	/** The change that created it. */
	created: number;
	/** Place in the order of insertion. */
	place: number;
}

/** Monday, 2 March 2026, 08:00 UTC. */
export const START = Date.UTC(2026, 2, 2, 8);
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

/** By user. */
export type MetChanges = Map<string, Set<number>>;

/** A tenant whose time stands still unless a test moves it. */
export class SimulatedTenant implements ListSource {
	service = 'tenant-1';

	readonly names = { name: 'user', plural: 'users' };

	readonly keys = ['users'];

	readonly itemsPath = '';

	/** The clock that stamps changes. */
	time = START;

	requests: Array<{ page: number; pageSize: number; updatedSince?: number }> = [];

	/** Called before each page is answered; throws to make the request fail. */
	beforePage?: (request: { page: number; updatedSince?: number }) => void;

	/** How many pages a poll may read. */
	pagesPerPoll = Infinity;

	private pagesThisPoll = 0;

	private readonly users = new Map<string, User>();

	/** Changes that do not show yet. */
	private hidden: Array<{ showsAt: number; user: Pick<User, 'id' | 'updatedAt' | 'change'> }> = [];

	private changes = 0;

	private answers = 0;

	private places = 0;

	/** The whole list in its order, until something changes. */
	private ordered?: User[];

	/** Milliseconds by which clocks were set since the beginning. */
	readonly clockSet = { ours: 0, date: 0 };

	constructor(readonly habits: Habits = plainHabits) {}

	/** @param delay milliseconds until the change shows in the list. @returns its number */
	change(id: string, delay = 0, updatedAt = this.time): number {
		const change = ++this.changes;
		this.hidden.push({ showsAt: this.time + delay, user: { id, updatedAt, change } });
		this.show();
		return change;
	}

	remove(id: string): void {
		this.users.delete(id);
		this.ordered = undefined;
	}

	pass(milliseconds: number): void {
		this.time += milliseconds;
		this.show();
	}

	get ids(): string[] {
		return [...this.users.keys()];
	}

	/** The change each user shows now. */
	current(): Map<string, number> {
		return new Map([...this.users.values()].map(({ id, change }) => [id, change]));
	}

	/** The change that created each user. */
	creations(): Map<string, number> {
		return new Map([...this.users.values()].map(({ id, created }) => [id, created]));
	}

	createdBefore(time: number): string[] {
		return [...this.users.values()].filter(({ createdAt }) => createdAt < time).map(({ id }) => id);
	}

	/** The changes of the newest of all update times shown, and of two seconds before it. */
	get newest(): Set<number> {
		const users = [...this.users.values()];
		const newest = Math.max(...users.map(({ updatedAt }) => updatedAt));
		return new Set(
			users.filter(({ updatedAt }) => updatedAt > newest - 2 * SECOND).map(({ change }) => change),
		);
	}

	/** The changes made before a time, also those that do not show yet. */
	changedBefore(time: number): Set<number> {
		const all = [...this.users.values(), ...this.hidden.map(({ user }) => user)];
		return new Set(all.filter(({ updatedAt }) => updatedAt < time).map(({ change }) => change));
	}

	now(): number {
		return this.time + this.habits.ourClockAhead + this.clockSet.ours;
	}

	beginPoll(): void {
		this.pagesThisPoll = 0;
	}

	mayReadOn(): boolean {
		return this.pagesThisPoll < this.pagesPerPoll;
	}

	/** @param met gets the changes that the page shows */
	async fetchPage(
		page: number,
		pageSize: number,
		updatedSince?: number,
		met: MetChanges = new Map(),
	): Promise<PageAnswer> {
		this.requests.push({ page, pageSize, updatedSince });
		this.pagesThisPoll++;
		await Promise.resolve();
		this.beforePage?.({ page, updatedSince });
		const { clamp, dateAhead, dateHeader, total, filter } = this.habits;
		if (filter.refusesFuture && (updatedSince ?? 0) > this.time) throw refusal();
		const size = Math.min(pageSize, clamp);
		const list = this.filtered(updatedSince);
		this.answers++;
		const shown = list.slice(page * size, (page + 1) * size);
		for (const { id, change } of shown) met.set(id, (met.get(id) ?? new Set()).add(change));
		const data = shown.map((user) => this.toRecord(user));
		const date = new Date(this.time + dateAhead + this.clockSet.date).toUTCString();
		return {
			statusCode: 200,
			headers: dateHeader ? { date } : {},
			body: total ? { data, total: list.length, pageSize: size } : { data },
		};
	}

	private show(): void {
		const due = this.hidden.filter(({ showsAt }) => showsAt <= this.time);
		this.hidden = this.hidden.filter(({ showsAt }) => showsAt > this.time);
		for (const { user } of due) {
			const {
				place = this.places++,
				createdAt = user.updatedAt,
				created = user.change,
			} = this.users.get(user.id) ?? {};
			this.users.set(user.id, { ...user, place, createdAt, created });
			this.ordered = undefined;
		}
	}

	private inOrder(): User[] {
		const { order } = this.habits;
		this.ordered ??= [...this.users.values()].sort((one, other) => {
			if (order === 'id') return one.id < other.id ? -1 : 1;
			if (order === 'insertion' || one.updatedAt === other.updatedAt)
				return one.place - other.place;
			return order === 'oldestFirst'
				? one.updatedAt - other.updatedAt
				: other.updatedAt - one.updatedAt;
		});
		return this.ordered;
	}

	private filtered(updatedSince: number | undefined): User[] {
		const { filter, format } = this.habits;
		const users = this.inOrder();
		if (updatedSince === undefined || filter.ignored) return users;
		if (filter.reads === 'epochMs' && format !== 'epochMs') return [];
		const written = writeUpdatedSince(updatedSince, format);
		const since =
			typeof written === 'string'
				? Date.parse(written)
				: format === 'epochS'
					? written * 1000
					: written;
		const cut = (time: number) => Math.floor(time / filter.unit);
		return users.filter((user) => {
			if (this.habits.leavesNullsOut && this.isNull(user)) return false;
			const time = cut(user.updatedAt + filter.ahead);
			return filter.inclusive ? time >= cut(since) : time > cut(since);
		});
	}

	private isNull({ change, created, id }: User): boolean {
		const { creation, timeless } = this.habits;
		return id === timeless || (creation === 'nullUpdate' && change === created);
	}

	private toRecord(user: User): JsonObject {
		const { change, created, createdAt, id, updatedAt } = user;
		const { creation, fields, timeless, volatileField } = this.habits;
		return {
			...(fields.id !== null && { [fields.id]: id }),
			change,
			created,
			...(volatileField && {
				photo: `https://photos.example.test/?signature=${this.answers}`,
				tags: this.answers % 2 === 0 ? ['a', 'b'] : ['b', 'a'],
			}),
			...(creation !== 'none' && {
				createdAt: id === timeless ? null : this.write(createdAt),
			}),
			...(fields.updatedAt !== null && {
				[fields.updatedAt]: this.isNull(user) ? null : this.write(updatedAt),
			}),
		};
	}

	private write(time: number): string | number {
		const { shown, zone } = this.habits;
		const local = new Date(time + zone * MINUTE).toISOString().slice(0, -1);
		switch (shown) {
			case 'milliseconds':
				return new Date(time).toISOString();
			case 'seconds':
				return `${new Date(time).toISOString().slice(0, 19)}Z`;
			case 'minutes':
				return `${new Date(time).toISOString().slice(0, 16)}:00Z`;
			case 'epochMs':
				return time;
			case 'epochS':
				return Math.floor(time / 1000);
			case 'offset':
				return `${local}${zone < 0 ? '-' : '+'}${twoDigits(Math.abs(zone) / 60)}:${twoDigits(Math.abs(zone) % 60)}`;
			case 'withoutZone':
				return local;
		}
	}
}

function twoDigits(number: number): string {
	return String(Math.floor(number)).padStart(2, '0');
}

function refusal(): ServiceFailure {
	return new ServiceFailure('The service does not accept the parameters.', 'Check them.', {
		kind: 'badRequest',
		statusCode: 400,
	});
}
