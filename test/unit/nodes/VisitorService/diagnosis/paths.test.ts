import { findPath, OTHER_LISTS } from '../../../../../nodes/VisitorService/diagnosis/paths';
import type { HttpAnswer } from '../../../../../nodes/VisitorService/http/message';
import { answer, askedTenant } from './askedTenant';

type Answers = (segment: string, number: number) => HttpAnswer;

const LIST = answer(200, [{ id: 1 }]);
const [COMPANIES, , TASKS] = OTHER_LISTS;

/** What is found of the list, and what was asked for. */
async function pathOf(
	answers: Answers,
	{
		list = COMPANIES,
		names = 'usual',
		unknownStatus = 404,
	}: {
		list?: typeof COMPANIES | typeof TASKS;
		names?: 'usual' | 'others';
		unknownStatus?: number | null;
	} = {},
) {
	const { conversation, asked } = await askedTenant(({ url }, number) =>
		answers(url.split('/').at(-1) ?? '', number),
	);
	return { found: await findPath(conversation, list, names, unknownStatus), asked };
}

describe('the path of a list', () => {
	it('finds a list where the nodes look for it, and asks for no setting', async () => {
		const { found, asked } = await pathOf(() => LIST);
		expect(found).toMatchObject({
			check: 'companiesPath',
			status: 'ok',
			observed: 'companies',
			setting: null,
		});
		expect(asked).toHaveLength(1);
	});

	it('finds a list that the client ID may not read, if unknown paths get another status', async () => {
		const { found } = await pathOf(() => answer(403));
		expect(found).toMatchObject({ status: 'warning', observed: 'companies' });
		expect(found?.meaning).toContain('Ask your service provider for the permission.');
		for (const unknownStatus of [403, null]) {
			const { found } = await pathOf(() => answer(403), { unknownStatus });
			expect(found).toMatchObject({ status: 'unknown', observed: null });
		}
	});

	it('does not say that a path is forbidden after a single answer', async () => {
		const { found } = await pathOf((_, number) => (number <= 2 ? answer(403) : LIST));
		expect(found).toBeUndefined();
	});

	it.each([200, 299])('does not judge paths if unknown ones get %i', async (unknownStatus) => {
		const { found, asked } = await pathOf(() => LIST, { unknownStatus });
		expect(found).toMatchObject({ status: 'unknown', observed: null });
		expect(asked).toHaveLength(0);
	});

	it.each([
		['no answer', answer(500)],
		['something else than a list', answer(200, { hello: 'there' })],
		['404', answer(404)],
	])('does not judge paths that all get %s', async (_, reply) => {
		expect((await pathOf(() => reply)).found).toMatchObject({ status: 'unknown', observed: null });
	});
});

describe('the other paths of a list', () => {
	it('finds a list by another name, and recommends its path', async () => {
		const { found } = await pathOf(
			(segment) =>
				segment === 'organizations' ? answer(200, { organizations: [{ id: 1 }] }) : answer(404),
			{ names: 'others' },
		);
		expect(found).toMatchObject({
			status: 'ok',
			observed: 'organizations',
			setting: { 'List Companies': { pathSegment: 'organizations' } },
		});
	});

	it('accepts a list under a usual name, or without one', async () => {
		for (const body of [[{ id: 1 }], { data: [{ id: 1 }] }, { data: [] }]) {
			const { found } = await pathOf(
				(segment) => (segment === 'task' ? answer(200, body) : answer(404)),
				{ list: TASKS, names: 'others' },
			);
			expect(found).toMatchObject({ observed: 'task' });
		}
	});

	it('does not take a list that belongs to a single record for the one sought', async () => {
		const { found } = await pathOf(
			(segment) =>
				segment === 'company'
					? answer(200, { data: { name: 'One', addresses: [{ city: 'Here' }] } })
					: answer(404),
			{ names: 'others' },
		);
		expect(found).toMatchObject({ status: 'unknown' });
	});

	it('names what was tried if there is no list', async () => {
		const { found, asked } = await pathOf(() => answer(404), { names: 'others' });
		expect(found?.meaning).toContain(
			'No list of companies was found at companies, company, organizations, organisations.',
		);
		expect(asked).toHaveLength(3);
	});

	it('asks for no other path once the tenant must not be asked any more', async () => {
		const limited = answer(429, {}, { 'retry-after': '11' });
		const { found, asked } = await pathOf(() => limited, { names: 'others' });
		expect(found).toBeUndefined();
		expect(asked).toHaveLength(1);
	});
});
