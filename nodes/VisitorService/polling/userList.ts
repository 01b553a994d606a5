import { findRecords, type JsonObject } from '../listing/findRecords';
import type { PageAnswer } from '../listing/pageReader';
import { LISTED_RESOURCES } from '../listing/resources';
import type { ServiceTime } from './serviceTime';

/** The list of users of one tenant, as the trigger reaches it. */
export interface UserSource {
	/** Tells tenants, clients and ways to read a list apart. */
	service: string;
	/** @param updatedSince milliseconds since 1970. @throws ServiceFailure for everything but status 2xx */
	fetchPage(page: number, pageSize: number, updatedSince?: number): Promise<PageAnswer>;
	/** Our time. */
	now(): number;
	/** Whether there is time for another page. */
	mayReadOn(): boolean;
}

/** Asks for pages of users, and notes the service's time on each answer. */
export class UserList {
	constructor(
		readonly source: UserSource,
		private readonly clock: ServiceTime,
	) {}

	async fetchPage(page: number, pageSize: number, updatedSince?: number): Promise<PageAnswer> {
		const { source } = this;
		const sentAt = source.now();
		const answer = await source.fetchPage(page, pageSize, updatedSince);
		this.clock.observe(answer.headers, sentAt, source.now());
		return answer;
	}

	/** The users of the first page. */
	async readFirst(pageSize: number, updatedSince?: number): Promise<JsonObject[]> {
		const { statusCode, body } = await this.fetchPage(0, pageSize, updatedSince);
		if (statusCode === 204) return [];
		return findRecords(body, { keys: LISTED_RESOURCES.user.keys, itemsPath: '' }).records;
	}
}
