import { requireFailure } from '../../../../../nodes/VisitorService/diagnosis/conversation';
import { ServiceFailure } from '../../../../../nodes/VisitorService/failure/serviceFailure';
import type { HttpAnswer } from '../../../../../nodes/VisitorService/http/message';
import { answer, askedTenant } from './askedTenant';

const LIST = answer(200, [{ id: 1 }]);
const USERS = [{ id: 1 }, { id: 2 }];

describe('a conversation with a tenant', () => {
	it.each([200, 204, 400, 401, 403, 404, 418])(
		'takes an answer that is about the request for an answer: %i',
		async (status) => {
			const { conversation } = await askedTenant(() => answer(status));
			expect(await conversation.ask('users', {})).toMatchObject({
				kind: status < 300 ? 'list' : 'refusal',
				answer: { statusCode: status },
			});
		},
	);

	it.each([302, 399, 429, 500, 503])(
		'takes an answer that says nothing of the request for silence: %i',
		async (status) => {
			const { conversation } = await askedTenant(() => answer(status));
			expect(await conversation.ask('users', {})).toMatchObject({
				kind: 'silence',
				failure: { statusCode: status },
			});
		},
	);

	it('sends the token in use, the path and the query of a question', async () => {
		const { conversation, asked } = await askedTenant(() => LIST);
		await conversation.ask('users', { page: 1 });
		expect(asked).toHaveLength(1);
		expect(asked[0]).toMatchObject({
			method: 'GET',
			url: 'https://tenant.test/api/external/v2/users',
			query: { page: 1 },
			headers: { Authorization: 'Bearer token-1', Accept: 'application/json' },
		});
	});

	it('sends another token as it is, and does not renew it', async () => {
		const { conversation, asked, exchanges } = await askedTenant(() => answer(401));
		expect(await conversation.ask('users', {}, { token: 'another' })).toMatchObject({
			kind: 'refusal',
		});
		expect(asked.map(({ headers }) => headers?.Authorization)).toEqual(['Bearer another']);
		expect(exchanges()).toBe(1);
	});

	it('fails if a page is to be read and the status is not a success', async () => {
		const { conversation } = await askedTenant(() => answer(404));
		await expect(conversation.get('users', {})).rejects.toMatchObject({ kind: 'notFound' });
	});
});

describe('a list in a reply', () => {
	const replyWith = async (reply: HttpAnswer, itemsPath = '') => {
		const { conversation } = await askedTenant(() => reply);
		return await conversation.ask('users', {}, { keys: ['users'], itemsPath });
	};
	const kindOf = async (reply: HttpAnswer, itemsPath = '') =>
		(await replyWith(reply, itemsPath)).kind;

	it('finds a list, and its path', async () => {
		const reply = await replyWith(answer(200, { data: { users: USERS } }));
		expect(reply).toMatchObject({ kind: 'list', path: 'data.users' });
		expect(await kindOf(answer(200, { rows: { one: USERS } }), 'rows.one')).toBe('list');
	});

	it('finds that a list is empty', async () => {
		expect(await kindOf(answer(200, []))).toBe('list');
		expect(await kindOf(answer(204, ''))).toBe('list');
		expect(await kindOf(answer(200, { total: 0 }))).toBe('list');
	});

	it('finds what is there in place of a list', async () => {
		for (const reply of [
			answer(200, { hello: 'there' }),
			answer(200, '<html>'),
			answer(200, { error: 'broken' }),
			answer(404, USERS),
		]) {
			expect(await kindOf(reply)).toBe('refusal');
		}
	});
});

describe('the token of a diagnosis', () => {
	it.each([401, 403])('renews a token that is refused with %i, and counts that', async (status) => {
		const { conversation, exchanges } = await askedTenant((_, __, token) =>
			token === 'token-1' ? answer(status) : LIST,
		);
		expect(await conversation.ask('users', {})).toMatchObject({ answer: { statusCode: 200 } });
		expect([conversation.earlyRefusals, exchanges()]).toEqual([1, 2]);
	});

	it.each([401, 403])(
		'renews the token once for paths that refuse a new one too: %i',
		async (status) => {
			const { conversation, asked, exchanges } = await askedTenant(() => answer(status));
			for (const path of ['one', 'two', 'three']) {
				expect(await conversation.ask(path, {})).toMatchObject({ answer: { statusCode: status } });
			}
			expect([conversation.earlyRefusals, exchanges(), asked.length]).toEqual([0, 2, 4]);
		},
	);

	it('renews the token no second time for a request that refused the new one', async () => {
		const { conversation, exchanges } = await askedTenant((_, __, token) =>
			token === 'token-1' || token === 'token-2' ? answer(401) : LIST,
		);
		await conversation.ask('users', {});
		expect(exchanges()).toBe(2);
		expect(conversation.earlyRefusals).toBe(0);
	});

	it('renews a token before its time is over, and calls no token refused early for it', async () => {
		let now = 0;
		const rules = { lifetime: 60, now: () => now };
		const { conversation, exchanges } = await askedTenant(
			(_, __, token) => (now > 0 && token === 'token-1' ? answer(401) : LIST),
			rules,
		);
		expect(await conversation.ask('users', {})).toMatchObject({ kind: 'list' });
		now = 61_000;
		expect(await conversation.ask('users', {})).toMatchObject({ kind: 'list' });
		expect([conversation.earlyRefusals, exchanges()]).toEqual([0, 2]);
	});

	it('renews a token each time it is refused early', async () => {
		const used = new Set<string>();
		const { conversation, exchanges } = await askedTenant((_, __, token) => {
			if (used.has(token)) return answer(401);
			used.add(token);
			return LIST;
		});
		for (let number = 0; number < 6; number++) {
			expect(await conversation.ask('users', {})).toMatchObject({ kind: 'list' });
		}
		expect([conversation.earlyRefusals, exchanges()]).toEqual([5, 6]);
	});

	it('keeps the client secret and every token it got secret', async () => {
		const { conversation } = await askedTenant(() => LIST);
		await conversation.issue();
		expect(conversation.secrets).toEqual(['b-0001', 'token-1', 'token-2']);
	});
});

describe('an error during a diagnosis', () => {
	it('takes an error for a failure of the service only if it is one', () => {
		const failure = new ServiceFailure('No.', 'Do.', { kind: 'connection' });
		expect(requireFailure(failure)).toBe(failure);
		const cancelled = new ServiceFailure('No.', 'Do.', { kind: 'cancelled' });
		expect(() => requireFailure(cancelled)).toThrow(cancelled);
		const defect = new TypeError('Oh.');
		expect(() => requireFailure(defect)).toThrow(defect);
	});
});
