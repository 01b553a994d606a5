import { readUsers } from '../../../../../nodes/VisitorService/diagnosis/readable';
import type { HttpAnswer } from '../../../../../nodes/VisitorService/http/message';
import { answer, askedTenant } from './askedTenant';

const USERS = [{ id: 1 }, { id: 2 }];

/** What is read from these answers, one after the other. */
async function readOf(answers: readonly HttpAnswer[], setPath = '') {
	const { conversation, asked } = await askedTenant(
		(_, number) => answers[number - 1] ?? answer(500),
	);
	const reply = await conversation.ask('users', {}, { itemsPath: setPath });
	const read = await readUsers(conversation, reply, setPath);
	const [readable, itemsPath] = read.findings;
	return { read, readable, itemsPath, requests: asked.length };
}

describe('the first answer of the users list', () => {
	it('finds that users can be read, and where the list is', async () => {
		const { read, readable, itemsPath, requests } = await readOf([answer(200, { data: USERS })]);
		expect(read).toMatchObject({ kind: 'users', itemsPath: '' });
		expect(readable).toMatchObject({ check: 'usersReadable', status: 'ok', observed: true });
		expect(readable?.meaning).toContain('/api/external/v2/users can be read');
		expect(itemsPath).toMatchObject({ check: 'itemsPath', status: 'ok', observed: 'data' });
		expect(itemsPath?.meaning).toBe('The list is at "data".');
		expect(requests).toBe(1);
	});

	it('finds that the response is the list itself, even if it is empty', async () => {
		for (const body of [USERS, []]) {
			const { itemsPath } = await readOf([answer(200, body)]);
			expect(itemsPath).toMatchObject({ observed: '' });
			expect(itemsPath?.meaning).toBe('The response is the list itself.');
		}
	});

	it('does not know where an empty list is within an answer', async () => {
		const { read, itemsPath } = await readOf([answer(200, { data: [] })]);
		expect(read.kind).toBe('users');
		expect(itemsPath).toBeUndefined();
	});

	it('reads the list at the path that is set, and says whether that is needed', async () => {
		const body = { one: { ones: USERS }, two: { twos: USERS } };
		const { read, itemsPath } = await readOf([answer(200, body)], 'two.twos');
		expect(read).toMatchObject({ kind: 'users', itemsPath: 'two.twos' });
		expect(itemsPath).toMatchObject({ observed: 'two.twos' });
		expect(itemsPath?.meaning).toContain('set Items Path');
		expect((await readOf([answer(200, { data: USERS })], 'data')).read).toMatchObject({
			itemsPath: '',
		});
	});

	it('says at which places lists are if there are several, and asks twice', async () => {
		const several = answer(200, { one: { ones: USERS }, two: { twos: USERS }, three: [1] });
		const { read, readable, requests } = await readOf([several, several]);
		expect(read.kind).toBe('unreadable');
		expect(readable).toMatchObject({ status: 'failed', observed: false });
		expect(readable?.meaning).toContain('Lists are at "one.ones", "two.twos": set Items Path');
		expect(requests).toBe(2);
	});

	it.each([
		['404', answer(404)],
		['a web page', answer(200, '<html>')],
		['another object', answer(200, { hello: 'there' })],
		['a redirect', answer(302, '', { location: 'https://elsewhere.test/' })],
	])('says that users cannot be read after two such answers: %s', async (_, bad) => {
		const { read, readable } = await readOf([bad, bad]);
		expect(read.kind).toBe('unreadable');
		expect(readable).toMatchObject({ check: 'usersReadable', status: 'failed', observed: false });
		expect(readable?.meaning).not.toContain('Lists are at');
	});

	it('believes the second answer if it is a list', async () => {
		const { read } = await readOf([answer(404), answer(200, USERS)]);
		expect(read.kind).toBe('users');
	});

	it('does not judge a list of which one of two answers says nothing', async () => {
		for (const answers of [
			[answer(404), answer(500)],
			[answer(500), answer(404)],
			[answer(500), answer(500)],
		]) {
			expect((await readOf(answers)).read).toEqual({ kind: 'unreadable', findings: [] });
		}
	});
});
