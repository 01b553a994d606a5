import { answer, diagnosedFunction, slice, usersOf } from '../../boundary/diagnose/diagnosed';

describe('Diagnose', () => {
	// More than a function takes as arguments.
	it.each([true, false])(
		'accepts a list of 150,000 users, page size respected: %s',
		async (honoured) => {
			const { finding } = await diagnosedFunction({
				name: 'a long list',
				users: usersOf(150_000),
				list: ({ page = 0, pageSize, updatedSince }, users) => {
					const since = Date.parse(updatedSince ?? '');
					const all =
						updatedSince === undefined
							? users
							: users.filter((user) => Date.parse(String(user.updatedAt)) >= since);
					return answer(200, honoured ? slice(all, page, pageSize ?? all.length) : all);
				},
			});
			expect(finding('usersReadable').status).toBe('ok');
			expect(finding('updatedAtField').observed).toBe('updatedAt');
		},
	);
});
