import type { Finding } from '../../../../../nodes/VisitorService/diagnosis/finding';
import { OTHER_LISTS, Paths } from '../../../../../nodes/VisitorService/diagnosis/paths';
import { checkUnknownPath } from '../../../../../nodes/VisitorService/diagnosis/refusals';
import type { HttpAnswer } from '../../../../../nodes/VisitorService/http/message';
import { answer, askedTenant } from './askedTenant';

type Answers = (segment: string, size: unknown, number: number) => HttpAnswer;

const LIST = answer(200, [{ id: 1 }]);

async function set(answers: Answers, unknownPath = answer(404), size = {}) {
	const tenant = await askedTenant(({ url, query }, number) =>
		answers(url.split('/').at(-1) ?? '', query?.pageSize, number),
	);
	const { conversation } = await askedTenant(() => unknownPath);
	const unknownFinding = await checkUnknownPath(conversation, {});
	const [companies, , tasks] = OTHER_LISTS;
	if (companies === undefined || tasks === undefined) throw new Error('There are three lists.');
	return {
		...tenant,
		companies,
		tasks,
		paths: new Paths(tenant.conversation, unknownFinding, size),
	};
}

async function companiesOf(answers: Answers, unknownPath = answer(404)) {
	const { paths, companies } = await set(answers, unknownPath);
	return await paths.check(companies);
}

describe('the path of a list', () => {
	it('finds a list where the nodes look for it, and asks for no setting', async () => {
		expect(await companiesOf(() => LIST)).toMatchObject({
			check: 'companiesPath',
			status: 'ok',
			observed: 'companies',
			setting: null,
		});
	});

	it('finds a list that the client ID may not read, if unknown paths get another status', async () => {
		const found = await companiesOf(() => answer(403));
		expect(found).toMatchObject({ status: 'warning', observed: 'companies' });
		expect(found?.meaning).toContain('Ask your service provider for the permission.');
		for (const unknownPath of [403, 500]) {
			const found = await companiesOf(() => answer(403), answer(unknownPath));
			expect(found).toMatchObject({ status: 'unknown' });
		}
		expect(await companiesOf(() => answer(404))).toMatchObject({
			status: 'unknown',
			observed: null,
		});
	});

	it('does not say that a path is forbidden after a single answer', async () => {
		expect(
			await companiesOf((_, __, number) => (number <= 2 ? answer(403) : LIST)),
		).toBeUndefined();
	});

	it.each([200, 299])('does not judge paths if unknown ones get %i', async (status) => {
		const found = await companiesOf(() => LIST, answer(status));
		expect(found).toMatchObject({ status: 'unknown', observed: null });
	});

	it('does not judge a path that gets no answer, or something else than a list', async () => {
		expect((await companiesOf(() => answer(500)))?.meaning).toContain('status 500');
		expect((await companiesOf(() => answer(200, { hello: 'there' })))?.meaning).toContain(
			'companies: The answer holds no list',
		);
		expect((await companiesOf(() => answer(404)))?.meaning).toContain('gets status 404');
	});

	it.each([400, 422])('asks again without a page size that gets %i', async (status) => {
		const { paths, companies, asked } = await set(
			(_, size) => (size === undefined ? LIST : answer(status)),
			answer(404),
			{ pageSize: 100 },
		);
		expect(await paths.check(companies)).toMatchObject({ status: 'ok' });
		expect(asked.map(({ query }) => query)).toEqual([{ pageSize: 100 }, {}]);
	});

	it('does not ask again if no page size was asked for, or another status came', async () => {
		const bare = await set(() => answer(400));
		await bare.paths.check(bare.companies);
		expect(bare.asked).toHaveLength(1);
		const missing = await set(() => answer(404), answer(404), { pageSize: 100 });
		await missing.paths.check(missing.companies);
		expect(missing.asked).toHaveLength(1);
	});
});

describe('the other paths of a list', () => {
	it('finds a list by another name, and recommends its path', async () => {
		const { paths, companies } = await set((segment) =>
			segment === 'organizations' ? answer(200, { organizations: [{ id: 1 }] }) : answer(404),
		);
		expect(await paths.checkOthers(companies)).toMatchObject({
			status: 'ok',
			observed: 'organizations',
			setting: { 'List Companies': { pathSegment: 'organizations' } },
		});
	});

	it('accepts a list under a usual name, or without one', async () => {
		for (const body of [[{ id: 1 }], { data: [{ id: 1 }] }, { data: [] }]) {
			const { paths, tasks } = await set((segment) =>
				segment === 'todos' ? answer(200, body) : answer(404),
			);
			expect(await paths.checkOthers(tasks)).toMatchObject({ observed: 'todos' });
		}
	});

	it('does not take a list that belongs to a single record for the one sought', async () => {
		const { paths, companies } = await set((segment) =>
			segment === 'company'
				? answer(200, { data: { name: 'One', addresses: [{ city: 'Here' }] } })
				: answer(404),
		);
		expect(await paths.checkOthers(companies)).toMatchObject({ status: 'unknown' });
	});

	it('names what was tried if there is no list', async () => {
		const { paths, companies, asked } = await set(() => answer(404));
		const found: Finding | undefined = await paths.checkOthers(companies);
		expect(found?.meaning).toContain(
			'No list of companies was found at companies, company, organizations.',
		);
		expect(asked).toHaveLength(2);
	});

	it('asks for no other path once the tenant must not be asked any more', async () => {
		const { paths, companies, asked } = await set(() => answer(429, {}, { 'retry-after': '11' }));
		await paths.check(companies);
		expect(await paths.checkOthers(companies)).toBeUndefined();
		expect(asked).toHaveLength(1);
	});
});
