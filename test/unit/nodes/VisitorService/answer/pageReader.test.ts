import {
	isServerError,
	type PageAnswer,
	PageReader,
} from '../../../../../nodes/VisitorService/answer/pageReader';
import { ServiceFailure } from '../../../../../nodes/VisitorService/failure/serviceFailure';

const ok = (body: unknown, headers = {}): PageAnswer => ({ statusCode: 200, headers, body });
const refused = (statusCode: number) =>
	new ServiceFailure('No.', 'Do.', { kind: 'notFound', statusCode });

/** A reader whose pages are these, in the order they are read. */
function readerOf(answers: Array<PageAnswer | Error>, itemsPath = '') {
	const asked: Array<[number, number]> = [];
	const reader = new PageReader(
		async (page, pageSize) => {
			asked.push([page, pageSize]);
			const answer = answers[asked.length - 1];
			if (answer === undefined) throw new Error('No answer is left.');
			if (answer instanceof Error) throw answer;
			return await Promise.resolve(answer);
		},
		{ keys: ['users'], itemsPath },
	);
	return { reader, asked };
}

describe('PageReader', () => {
	it('reads records and metadata, and knows where the list is', async () => {
		const { reader, asked } = readerOf([
			ok({ rows: [{ id: 1 }], total: 5 }, { 'x-total-pages': '5' }),
		]);
		expect(await reader.read(3, 20)).toEqual({
			kind: 'records',
			records: [{ id: 1 }],
			statedSize: undefined,
			metadata: { total: 5, totalPages: 5, more: undefined },
		});
		expect(asked).toEqual([[3, 20]]);
		expect(reader.itemsPath).toBe('rows');
	});

	it('looks for the list until a page has records, then only there', async () => {
		const { reader } = readerOf([
			ok({ data: [], more: true }),
			ok({ rows: [{ id: 1 }] }),
			ok({ rows: [], users: [{ id: 2 }] }),
		]);
		expect((await reader.read(0, 1)).records).toEqual([]);
		expect(reader.itemsPath).toBeUndefined();
		expect((await reader.read(1, 1)).records).toEqual([{ id: 1 }]);
		expect((await reader.read(2, 1)).records).toEqual([]);
	});

	it('takes an answer without the list for an empty page if an empty one was returned before', async () => {
		const { reader } = readerOf([ok({ data: [], total: 2 }), ok({ total: 2 })]);
		await reader.read(0, 1);
		expect((await reader.read(1, 1)).records).toEqual([]);
	});

	it('takes an answer with other fields for no page at all', async () => {
		const { reader } = readerOf([ok({ data: [], total: 2 }), ok({ total: 2, message: 'Sorry.' })]);
		await reader.read(0, 1);
		expect(await reader.read(1, 1)).toMatchObject({ kind: 'fault', records: [] });
	});

	it('takes 204 for an empty page, but not an empty answer with 200', async () => {
		const { reader } = readerOf([{ statusCode: 204, headers: {}, body: '' }, ok('')]);
		expect(await reader.read(0, 1)).toMatchObject({ kind: 'nothing', records: [] });
		expect(await reader.read(1, 1)).toMatchObject({ kind: 'fault', records: [] });
	});

	it.each([400, 404, 410, 416, 422])(
		'takes %d for a page without records once one was read',
		async (status) => {
			const failure = refused(status);
			const { reader } = readerOf([ok([]), failure]);
			await reader.read(0, 1);
			expect(await reader.read(1, 1)).toEqual({
				kind: 'refused',
				records: [],
				metadata: {},
				failure,
			});
		},
	);

	it('hands over each page it could read, and none that was refused', async () => {
		const arrived: unknown[] = [];
		const answers = [ok([{ id: 1 }]), refused(400), ok([])];
		const reader = new PageReader(
			async () => {
				const answer = answers.shift();
				if (answer instanceof Error) throw answer;
				if (answer === undefined) throw new Error('No answer is left.');
				return await Promise.resolve(answer);
			},
			{ keys: ['users'], itemsPath: '' },
			(page, pageSize, { records }) => {
				arrived.push([page, pageSize, records.length]);
				return 'goOn';
			},
		);
		for (const page of [0, 1, 2]) await reader.read(page, 5);
		expect(arrived).toEqual([
			[0, 5, 1],
			[2, 5, 0],
		]);
	});

	it('asks for nothing from a page on of which nothing is wanted, at whatever size', async () => {
		const asked: unknown[] = [];
		const reader = new PageReader(
			async (page, pageSize) => {
				asked.push([page, pageSize]);
				return await Promise.resolve(ok([{ id: page }]));
			},
			{ keys: ['users'], itemsPath: '' },
			(page) => (page === 2 ? 'stop' : 'goOn'),
		);
		const pages: Array<[number, number]> = [
			[1, 10],
			[2, 10],
			[1, 20],
			[3, 10],
			[3, 5],
		];
		const kinds: string[] = [];
		for (const [page, pageSize] of pages) kinds.push((await reader.read(page, pageSize)).kind);
		expect(kinds).toEqual(['records', 'stopped', 'stopped', 'stopped', 'records']);
		expect(asked).toEqual([
			[1, 10],
			[2, 10],
			[3, 5],
		]);
	});

	it('throws if the very first page is refused', async () => {
		const { reader } = readerOf([refused(404)]);
		await expect(reader.read(0, 1)).rejects.toThrow('No.');
	});

	it.each([401, 403, 429, 500, 503])('throws %d of a later page', async (status) => {
		const { reader } = readerOf([ok([]), refused(status)]);
		await reader.read(0, 1);
		await expect(reader.read(1, 1)).rejects.toThrow('No.');
	});

	it('throws an error that is not a refusal at all', async () => {
		const { reader } = readerOf([ok([]), new Error('bug')]);
		await reader.read(0, 1);
		await expect(reader.read(1, 1)).rejects.toThrow('bug');
	});
});

describe('isServerError', () => {
	it.each([
		[500, true],
		[503, true],
		[499, false],
		[404, false],
	])('tells a failure of the service by status %d: %p', (statusCode, isFailure) => {
		expect(isServerError(refused(statusCode))).toBe(isFailure);
	});

	it('takes no failure without a status, and nothing else, for one of the service', () => {
		expect(isServerError(new ServiceFailure('No.', 'Do.', { kind: 'connection' }))).toBe(false);
		expect(isServerError(Object.assign(new Error('No.'), { statusCode: 500 }))).toBe(false);
	});
});
