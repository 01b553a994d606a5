import { diagnosedPlain, NOW, response, usersOf } from '../boundary/diagnose/diagnosed';
import { MemoryHost } from '../host/memoryHost';
import { PublishedWorkflow } from '../host/publishedWorkflow';
import type { ListRequest } from '../reference-service';

// More than a function takes as arguments.
const USERS = usersOf(150_000);

describe('A list of 150,000 users', () => {
	it.each([false, true])('can be diagnosed, page size ignored: %s', async (pageSizeIgnored) => {
		const switches = {
			list: {
				pageSizeIgnored,
				pageIgnored: pageSizeIgnored,
				maxPageSize: 1e6,
				defaultPageSize: 1e6,
			},
		};
		const { finding } = await diagnosedPlain({ users: USERS, switches });
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
