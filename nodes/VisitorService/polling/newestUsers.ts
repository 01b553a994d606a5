import type { JsonObject } from '../listing/findRecords';
import { openList } from './openList';
import { FILTER_IGNORED, type PollSettings } from './pollUsers';
import { readUsers } from './readUsers';
import { ServiceTime } from './serviceTime';
import { readVersion } from './userFields';
import { UserList, type UserSource } from './userList';
import type { UserVersion } from './userVersion';

const MOST_SHOWN = 10;
const MOST_PAGES = 10;

const DAY = 86_400_000;
const SPANS = [DAY, 30 * DAY];

/**
 * The users changed last, for a look at what the trigger gives: newest first, ten at most. Where none changed for
 * thirty days, the newest of the first page.
 *
 * @throws ServiceFailure as `pollUsers`
 */
export async function newestUsers(
	source: UserSource,
	settings: PollSettings,
): Promise<{ users: JsonObject[]; notes: string[] }> {
	const clock = new ServiceTime(undefined);
	const list = new UserList(source, clock);
	const opened = await openList(list, clock, settings);
	if (opened === undefined) return { users: [], notes: [] };
	const notes = opened.filter === 'ignored' ? [FILTER_IGNORED] : [];
	const newest = new NewestVersions();

	const { fields, users } = opened;
	// A service that ignores the filter would send the same pages each time.
	for (const span of opened.filter === 'ignored' ? [] : SPANS) {
		let pages = 0;
		await readUsers({
			page: 0,
			pageSize: settings.pageSize,
			fetchPage: async (page, pageSize) => {
				pages++;
				return await list.fetchPage(page, pageSize, Math.max(0, clock.reached - span));
			},
			take: (records) => {
				for (const record of records) newest.add(readVersion(record, fields));
			},
			mayReadOn: () => pages < MOST_PAGES && source.mayReadOn(),
		});
		if (!newest.isEmpty) return { users: newest.take(), notes };
	}
	for (const record of users) newest.add(readVersion(record, fields));
	return { users: newest.take(), notes };
}

class NewestVersions {
	private readonly versions = new Map<string, UserVersion>();

	get isEmpty(): boolean {
		return this.versions.size === 0;
	}

	add(version: UserVersion): void {
		this.versions.set(version.key, version);
	}

	take(): JsonObject[] {
		return [...this.versions.values()]
			.sort((one, other) => other.time - one.time)
			.slice(0, MOST_SHOWN)
			.map(({ record }) => record);
	}
}
