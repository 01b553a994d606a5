import { checkUpdatedSince } from '../../../../../nodes/VisitorService/diagnosis/updatedSince';
import type { HttpAnswer } from '../../../../../nodes/VisitorService/http/message';
import type { JsonObject } from '../../../../../nodes/VisitorService/values/json';
import { answer, askedUsers, listedUsers } from './askedTenant';
import { NOW, usersOf } from './memoryTenant';

type Filter = (asked: string, users: readonly JsonObject[]) => HttpAnswer;

const DAY = 86_400_000;
const MINUTE = 60_000;

const FORMATS: Readonly<Record<string, RegExp>> = {
	iso: /^\d+-.*\.\d+Z$/,
	epochMs: /^\d{12,}$/,
	epochS: /^\d{9,10}$/,
	isoSeconds: /^\d+-.*:\d\dZ$/,
};

const timeOf = (user: JsonObject) => Date.parse(String(user.updatedAt));

function read(asked: string): number {
	if (!/^\d+$/.test(asked)) return Date.parse(asked);
	return asked.length > 11 ? Number(asked) : Number(asked) * 1000;
}

/** Reads one format, and refuses or ignores every other. */
const only =
	(
		format: string,
		other: 'refused' | 'ignored' | 'empty' = 'refused',
		isInclusive = true,
	): Filter =>
	(asked, users) => {
		if (FORMATS[format]?.test(asked) !== true) {
			if (other === 'refused') return answer(400);
			return answer(200, other === 'ignored' ? users : []);
		}
		const since = read(asked);
		return answer(
			200,
			users.filter((user) => (isInclusive ? timeOf(user) >= since : timeOf(user) > since)),
		);
	};

/** What is found of users with update times, and the times asked for. */
async function sinceOf(filter: Filter, users: readonly JsonObject[] = usersOf(30, MINUTE)) {
	const tenant = await askedUsers(({ updatedSince }) =>
		updatedSince === undefined ? answer(200, users) : filter(String(updatedSince), users),
	);
	const [format, inclusive] = await checkUpdatedSince(await listedUsers(tenant.users), NOW);
	return {
		format,
		inclusive,
		asked: tenant.asked.slice(1).map(({ query }) => query?.updatedSince),
	};
}

describe('the format of updatedSince', () => {
	it.each(['iso', 'epochMs', 'epochS', 'isoSeconds'])(
		'finds the one format read: %s',
		async (name) => {
			for (const other of ['refused', 'ignored', 'empty'] as const) {
				const { format } = await sinceOf(only(name, other));
				expect(format).toMatchObject({ observed: name });
				const status = name === 'isoSeconds' ? 'failed' : 'ok';
				expect(format?.status).toBe(status);
			}
		},
	);

	it('asks for nothing that is not needed', async () => {
		const { asked } = await sinceOf(only('iso'));
		const newest = NOW - DAY;
		const iso = (time: number) => new Date(time).toISOString();
		expect(asked).toEqual([iso(newest - 2000), iso(NOW + DAY), iso(newest)]);
	});

	it('recommends a format only if it is not the default', async () => {
		expect((await sinceOf(only('iso'))).format?.setting).toBeNull();
		const values = { updatedSinceFormat: 'epochS' };
		expect((await sinceOf(only('epochS'))).format?.setting).toEqual({
			'List Users': values,
			'Polling Trigger': values,
		});
	});

	it('says that it failed if every format has no effect, or is refused', async () => {
		const ignored = (await sinceOf((_, users) => answer(200, users))).format;
		expect(ignored).toMatchObject({ status: 'failed', observed: null });
		expect(ignored?.meaning).toContain('the Polling Trigger reads all users each time');
		const refused = (await sinceOf(() => answer(400))).format;
		expect(refused).toMatchObject({ status: 'failed', observed: null });
		expect(refused?.meaning).toContain('cannot be used.');
		expect(refused?.meaning).toContain('ISO 8601 is refused, epoch milliseconds is refused');
	});

	it('blames no format if the list is refused without one too, as by an expired token', async () => {
		const { users, asked } = await askedUsers((_, number) =>
			number === 1 ? answer(200, usersOf(30)) : answer(400),
		);
		expect(await checkUpdatedSince(await listedUsers(users), NOW)).toEqual([]);
		expect(asked.at(-1)?.query).toEqual({});
	});

	it('blames no format for a single wrong answer', async () => {
		const wrong = [() => answer(400), () => answer(200, []), () => answer(200, usersOf(30))];
		for (const reply of wrong) {
			for (const accident of [1, 2]) {
				let number = 0;
				const { format } = await sinceOf((asked, users) =>
					++number === accident ? reply() : only('iso')(asked, users),
				);
				expect(['ok', 'unknown', undefined]).toContain(format?.status);
				if (format?.status === 'ok') expect(format.observed).toBe('iso');
			}
		}
	});

	it.each(['epochMs', 'epochS'])(
		'blames no format for a single wrong answer to another one than the first: %s',
		async (name) => {
			const wrong = [() => answer(400), () => answer(200, []), () => answer(200, usersOf(30))];
			for (const reply of wrong) {
				for (const accident of [2, 3, 4]) {
					let number = 0;
					const { format } = await sinceOf((asked, users) =>
						++number === accident ? reply() : only(name)(asked, users),
					);
					expect([accident, format?.status]).not.toEqual([accident, 'failed']);
					expect([accident, format?.status]).not.toEqual([accident, 'warning']);
				}
			}
		},
	);

	it('does not ask again for the future once a format was ignored', async () => {
		const { asked } = await sinceOf((_, users) => answer(200, users));
		expect(asked).toHaveLength(5);
	});

	it('does not judge a service that returns nothing, or does not answer', async () => {
		const nothing = (await sinceOf(() => answer(200, []))).format;
		expect(nothing).toMatchObject({ status: 'unknown' });
		expect(nothing?.meaning).toContain('returns nothing');
		const failing = (await sinceOf(() => answer(500))).format;
		expect(failing).toMatchObject({ status: 'unknown' });
		expect(failing?.meaning).toContain('was not clear');
	});

	it('accepts that a time to come is refused', async () => {
		const { format } = await sinceOf((asked, users) =>
			Date.parse(asked) > NOW ? answer(400) : only('iso')(asked, users),
		);
		expect(format).toMatchObject({ status: 'ok', observed: 'iso' });
	});

	it('warns of a filter that leaves out recent changes', async () => {
		const late: Filter = (asked, users) =>
			answer(
				200,
				users.filter((user) => timeOf(user) >= read(asked) + DAY / 2),
			);
		const { format } = await sinceOf(late);
		expect(format).toMatchObject({ status: 'warning', observed: null });
		expect(format?.meaning).toContain('leaves out recent changes');
	});

	it('does not judge a filter that returns earlier changes too', async () => {
		const coarse: Filter = (asked, users) =>
			answer(
				200,
				users.filter((user) => timeOf(user) >= read(asked) - DAY / 2),
			);
		const { format } = await sinceOf(coarse);
		expect(format).toMatchObject({ status: 'unknown' });
		expect(format?.meaning).toContain('returns earlier changes too');
	});

	it('asks for any time in the past if users show no update times', async () => {
		const users = usersOf(30).map(({ id }) => ({ id }));
		const filter: Filter = (asked) => answer(200, Date.parse(asked) < NOW ? users : []);
		const { format, inclusive, asked } = await sinceOf(filter, users);
		expect(format).toMatchObject({ status: 'ok', observed: 'iso' });
		expect(inclusive).toBeUndefined();
		expect(asked).toEqual(['2000-01-01T00:00:00.000Z', new Date(NOW + DAY).toISOString()]);
	});

	it.each([1, 2])('asks once more whether %i users are still there', async (count) => {
		const users = usersOf(count);
		expect((await sinceOf(only('iso'), users)).format).toMatchObject({ observed: 'iso' });
		let number = 0;
		const { format } = await sinceOf((_, all) => answer(200, number++ % 3 === 0 ? all : []), users);
		expect(format).toMatchObject({ status: 'unknown' });
	});
});

describe('whether updatedSince includes the time itself', () => {
	it('finds that the time itself is included, or left out', async () => {
		const exact = usersOf(30, MINUTE, NOW - DAY + 5);
		const inclusive = (await sinceOf(only('iso'), exact)).inclusive;
		expect(inclusive).toMatchObject({ status: 'ok', observed: true });
		const exclusive = (await sinceOf(only('iso', 'refused', false))).inclusive;
		expect(exclusive).toMatchObject({ status: 'ok', observed: false });
		expect(exclusive?.meaning).toContain('misses none');
	});

	it('does not take a single empty answer for one that leaves the time out', async () => {
		let number = 0;
		const { inclusive } = await sinceOf((asked, users) =>
			++number === 3 ? answer(200, []) : only('iso')(asked, users),
		);
		expect(inclusive).toBeUndefined();
	});

	it('does not tell it of times in seconds, in which the change may have been later', async () => {
		const users = usersOf(30).map((user) => ({
			...user,
			updatedAt: String(user.updatedAt).replace('.000Z', 'Z'),
		}));
		expect((await sinceOf(only('iso'), users)).inclusive).toBeUndefined();
	});

	it('does not tell it of a format in seconds for a time between them', async () => {
		const users = usersOf(30, MINUTE, NOW - DAY + 5);
		expect((await sinceOf(only('epochS'), users)).inclusive).toBeUndefined();
		expect((await sinceOf(only('iso'), users)).inclusive).toMatchObject({ observed: true });
	});

	it('does not tell it of times without a zone, or finer than milliseconds', async () => {
		const written = (write: (text: string) => string) =>
			usersOf(30, MINUTE, NOW - 5 * DAY + 5).map((user) => ({
				...user,
				updatedAt: write(String(user.updatedAt)),
			}));
		const local = written((text) => text.replace('Z', ''));
		expect((await sinceOf(only('iso'), local)).inclusive).toBeUndefined();
		const finer = written((text) => text.replace('Z', '123Z'));
		expect((await sinceOf(only('iso'), finer)).inclusive).toBeUndefined();
	});

	it('does not tell it if the user is not found at an earlier time either', async () => {
		const all = usersOf(30);
		const newest = NOW - DAY;
		let number = 0;
		const { inclusive } = await sinceOf((asked, users) => {
			number++;
			const list = number > 2 ? users.filter((user) => timeOf(user) < newest) : users;
			return only('iso')(asked, list);
		}, all);
		expect(inclusive).toBeUndefined();
	});
});
