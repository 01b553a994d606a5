import { diagnosedFunction, NOW, response, slice, usersOf } from '../boundary/diagnose/diagnosed';
import { MemoryHost } from '../host/memoryHost';
import { PublishedWorkflow } from '../host/publishedWorkflow';
import type { ListRequest } from '../reference-service';

// More than a function takes as arguments.
const USERS = usersOf(150_000);

describe('A list of 150,000 users', () => {
	it.each([true, false])('can be diagnosed, page size respected: %s', async (honoured) => {
		const { finding } = await diagnosedFunction({
			name: 'a long list',
			users: USERS,
			list: ({ page = 0, pageSize, updatedSince }, users) => {
				const since = Date.parse(updatedSince ?? '');
				const all =
					updatedSince === undefined
						? users
						: users.filter((user) => Date.parse(String(user.updatedAt)) >= since);
				return response(200, honoured ? slice(all, page, pageSize ?? all.length) : all);
			},
		});
		expect(finding('usersReadable').status).toBe('ok');
		expect(finding('updatedAtField').observed).toBe('updatedAt');
	});

	it('can be polled, even if it comes in one response', async () => {
		const respondWith = ({ query: { page, updatedSince } }: ListRequest) =>
			response(200, page !== '0' ? [] : updatedSince ? USERS.slice(-1) : USERS);
		const host = new MemoryHost({ startsAt: NOW, switches: { list: { respondWith } } });
		expect(await new PublishedWorkflow(host, [{ node: 'polling' }]).publish()).toEqual([]);
	});
});
