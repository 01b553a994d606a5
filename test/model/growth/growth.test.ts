import path from 'node:path';
import type { INodePropertyOptions } from 'n8n-workflow';
import { VisitorService } from '../../../nodes/VisitorService/VisitorService.node';
import { VisitorServicePollingTrigger } from '../../../nodes/VisitorService/VisitorServicePollingTrigger.node';
import { isNightly } from '../../properties';
import { loadCounted } from './countedPackage';
import type { Content, Row, Way } from './ways';

/*
 * Eight times the size of what comes takes at most twelve times the work, in each way through the
 * package: n8n has one thread, and nothing can stop a node that stands still.
 */
const SIZE = 128;
const TIMES_THE_SIZE = 8;
const TIMES_THE_WORK = 12;

const user = (index: number, more: Row = {}): Row => ({
	id: `user-${index}`,
	name: `User ${index}`,
	at: '2026-03-01T08:00:00Z',
	createdAt: '2026-03-01T08:00:00Z',
	updatedAt: '2026-03-01T08:00:00Z',
	...more,
});
const users = (count: number, more: (index: number) => Row = () => ({})): Row[] =>
	Array.from({ length: count }, (_, index) => user(index, more(index)));
const repeated = (count: number, value: unknown = 1) => new Array<unknown>(count).fill(value);
const nested = (count: number, wrap: (inner: unknown) => unknown) =>
	repeated(count).reduce<unknown>((inner) => wrap(inner), 1);

const madeOf = (count: number, entry: (index: number) => [string, unknown]): Row =>
	Object.fromEntries(repeated(count).map((_, index) => entry(index)));
const numbered = (count: number, name: string, value: (index: number) => unknown = String) =>
	madeOf(count, (index) => [`${name}${index}`, value(index)]);
/** The same name in another spelling for each number, all of one length. */
const spelling = (index: number, name: string) =>
	index.toString(2).padStart(11, '0').replaceAll('0', '_').replaceAll('1', '-') + name;
const spelled = (count: number, name: string) =>
	// An error 0 is none, and would take another way than more of them do.
	madeOf(count, (index) => [spelling(index, name), String(index + 1)]);

const FEW = 4;
const inFew = (more: (index: number) => Row): Content => ({ records: users(FEW, more) });
const inEach = (value: unknown): Content => inFew(() => ({ more: value }));
const beside = (more: Row): Content => ({ records: users(FEW), beside: more });
type Grown = (size: number) => Content;
const forEach = (words: readonly string[], grown: (word: string) => Array<[string, Grown]>) =>
	Object.fromEntries(words.flatMap(grown));

/** What may grow if somebody names a field, writes a text or makes a list longer. */
const GROWTHS: Record<string, Grown> = {
	records: (size) => ({ records: users(size) }),
	'records on one page': (size) => ({ records: users(size), isWhole: true }),
	'fields of one record': (size) => ({
		records: users(100, (index) => (index === 7 ? numbered(size, 'field') : {})),
	}),
	'fields of each record': (size) => inFew(() => numbered(size, 'field')),
	'fields of their own': (size) => ({
		records: users(size, (index) => ({ [`own${index}`]: 'x' })),
		isWhole: true,
	}),
	'objects in a record': (size) =>
		inFew(() => numbered(size, 'thing', (value) => ({ value, id: value }))),
	...forEach(
		['DateTime_', 'last', 'total', 'next', 'page', 'items', 'id', 'error', 'a.', 'x', ' ', 'ä'],
		(word) => [
			[
				`the length of a name: ${word}`,
				(size) => {
					const name = `${word.repeat(size)}!`;
					const more = { [name]: 1, inner: { [name]: [] } };
					const around = { [`${word.repeat(size)}:id`]: 1 };
					return { ...inFew(() => ({ [name]: '2026-03-01', around })), beside: more };
				},
			],
		],
	),
	...forEach(
		[...Array.from('x "\\\n1<-./{ä'), 'a@', '%40', 'not ', 'record ', '\u0301\u0316'],
		(sign) => [
			[
				`the length of a text: ${JSON.stringify(sign)}`,
				(size) => inFew(() => ({ name: sign.repeat(size), at: sign.repeat(size) })),
			],
			// An error beside the records is shown instead of them.
			[
				`the length of a text beside: ${JSON.stringify(sign)}`,
				(size) => {
					const text = sign.repeat(size);
					return beside({ message: text, error: text, next: text });
				},
			],
		],
	),
	'lists in lists': (size) => inEach(nested(size, (inner) => [inner])),
	'objects in objects': (size) => inEach(nested(size, (inner) => ({ inner }))),
	'objects with texts in objects': (size) =>
		inEach(nested(size, (inner) => ({ inner, text: '"' }))),
	'items in lists in items': (size) =>
		inEach(nested(size, (inner) => ({ content: [{ type: 'x', inner }] }))),
	'lists in lists beside': (size) => beside({ more: nested(size, (inner) => [inner, {}]) }),
	'objects in objects beside': (size) =>
		beside({ more: nested(size, (inner) => ({ data: inner, a: {} })) }),
	'plain values in a list': (size) => inEach(repeated(size, 7)),
	'different values in a list': (size) => inEach(repeated(size).map((_, index) => index)),
	'objects in a list': (size) => inEach(repeated(size, { id: 1, name: 'x' })),
	...forEach(['id', 'updatedAt', 'createdAt', 'userNumber', 'email'], (name) => [
		[
			`spellings of ${name} in one record`,
			(size) => ({ records: [user(0, spelled(size, name)), ...users(30)] }),
		],
		[
			`spellings of ${name}, one in each record`,
			(size) => ({
				records: users(size, (index) => ({ [spelling(index, name)]: 'x' })),
				isWhole: true,
			}),
		],
	]),
	...forEach(
		`status code error errors success message total next page lastPage access_token expires_in type
		eventId hasMore pageSize cursor`.split(/\s+/),
		(name) => [[`spellings of ${name} beside`, (size) => beside(spelled(size, name))]],
	),
	'lists as spellings of status beside': (size) =>
		beside(madeOf(size, (index) => [spelling(index, 'status'), ['error']])),
	'objects beside the list': (size) => beside(numbered(size, 'thing', (id) => ({ id }))),
	'objects of their own beside the list': (size) =>
		beside(numbered(size, 'thing', (index) => ({ [`f${index}`]: index }))),
	'objects beside the list that share the last field': (size) => {
		const last = numbered(size, 'k', () => ({ [`f${size - 1}`]: 1 }));
		return beside({ map: { a: numbered(size, 'f'), ...last } });
	},
	'lists beside the list': (size) => beside(numbered(size, 'things', () => [])),
	'lists of records beside the list': (size) => beside(numbered(size, 'things', (id) => [{ id }])),
	'lists in objects beside the list': (size) =>
		beside(numbered(size, 'thing', (at) => ({ things: [{ at }] }))),
	'errors beside the list': (size) => beside({ errors: repeated(size, { code: 'x' }) }),
	'links beside the list': (size) => beside({ links: repeated(size, { rel: 'self', href: 'x' }) }),
};

const counted = loadCounted<{ ways: Record<string, Way> }>(path.join(__dirname, 'ways.ts'));

// All of them take many minutes, which is for the night.
const DRAWN_EVERY = isNightly ? 1 : 13;
const growths = Object.entries(GROWTHS).filter((_growth, index) => index % DRAWN_EVERY === 0);

it('is watched for each operation and each Trigger On', async () => {
	const { ways } = await counted;
	const names = Object.keys(ways.ways).map((name) => name.toLowerCase().replaceAll(' ', ''));
	const choices = [new VisitorService(), new VisitorServicePollingTrigger()]
		.flatMap(({ description }) => description.properties)
		.filter(({ name }) => name === 'operation' || name === 'triggerOn')
		.flatMap(({ options = [] }) => options as INodePropertyOptions[])
		.map(({ value }) => String(value).toLowerCase());
	const unwatched = choices.filter((choice) => !names.some((name) => name.endsWith(choice)));
	expect(choices.length).toBeGreaterThan(7);
	expect(unwatched).toEqual([]);
});

it.each(growths)('takes work in line with %s', async (_what, grown) => {
	const { ways, steps } = await counted;
	const tooMuch: string[] = [];
	for (const [name, way] of Object.entries(ways.ways)) {
		const work = async (size: number) => {
			steps();
			await way(grown(size));
			return steps();
		};
		// What comes first reads modules and makes patterns.
		await work(1);
		const [least, some, more] = [
			await work(1),
			await work(SIZE),
			await work(SIZE * TIMES_THE_SIZE),
		];
		const growth = (more - least) / Math.max(some - least, 1);
		if (growth > TIMES_THE_WORK) tooMuch.push(`${name}: ${growth.toFixed(1)} times the work`);
	}
	expect(tooMuch).toEqual([]);
});
