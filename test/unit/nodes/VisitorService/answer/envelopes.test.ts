import { findIdentity } from '../../../../../nodes/VisitorService/answer/identity';
import { readPagingMetadata } from '../../../../../nodes/VisitorService/answer/paging';
import { findRecords, type ListReading } from '../../../../../nodes/VisitorService/answer/records';
import { LISTED_RESOURCES } from '../../../../../nodes/VisitorService/answer/resources';
import { findUpdateTimes } from '../../../../../nodes/VisitorService/answer/updateTimes';
import { type Envelope, readEnvelopes } from '../../../../envelopes/read';

type Expectation = Envelope['expected'];

type Verdict = 'right' | 'missed' | 'named' | 'wrong';

const ASPECTS = ['list', 'id', 'updatedAt', 'total', 'totalPages', 'more'] as const;

/** Right also if there is nothing to be found, and nothing was. */
function judge(found: unknown, expected: unknown): Verdict {
	if ((found ?? null) === expected) return 'right';
	return (found ?? null) === null ? 'missed' : 'wrong';
}

function judgeList(reading: ListReading, { itemsPath, records, error }: Expectation): Verdict {
	if (reading.kind === 'records') {
		const isPath = itemsPath === null || reading.path === itemsPath;
		return error !== true && isPath && reading.records.length === records ? 'right' : 'wrong';
	}
	if (reading.kind !== 'fault') return records === 0 && error !== true ? 'right' : 'missed';
	if (error === true) return 'right';
	return reading.failure.message.includes(itemsPath ?? '?') ? 'named' : 'missed';
}

function judgeAnswer({ headers, body, expected }: Envelope): Verdict[] {
	const { keys, name } = LISTED_RESOURCES[expected.resource];
	const reading = findRecords({ statusCode: 200, body }, { keys, itemsPath: '' });
	const records = reading.kind === 'records' ? reading.records : [];
	const identity = findIdentity(records, name);
	const metadata = readPagingMetadata(body, headers);
	return [
		judgeList(reading, expected),
		judge(identity?.field, expected.idField),
		judge(findUpdateTimes(records, name)?.path, expected.updatedAt),
		judge(metadata.total, expected.total),
		judge(metadata.totalPages, expected.totalPages),
		judge(metadata.more, expected.more),
	];
}

function judgeCollection(collection: Parameters<typeof readEnvelopes>[0]) {
	const rows = readEnvelopes(collection).map((envelope) => ({
		name: envelope.name,
		verdicts: judgeAnswer(envelope),
	}));
	const score = (aspect: (typeof ASPECTS)[number], ...verdicts: Verdict[]) =>
		rows.filter((row) => verdicts.includes(row.verdicts[ASPECTS.indexOf(aspect)] ?? 'wrong'))
			.length;
	const table = ASPECTS.map((aspect, at) => {
		const others = rows
			.filter((row) => row.verdicts[at] !== 'right')
			.map((row) => `${row.name} ${row.verdicts[at] ?? ''}`);
		return `${aspect}: ${score(aspect, 'right')} of ${rows.length} right; ${others.join(', ')}`;
	}).join('\n');
	return { rows, score, table };
}

/** How many have to be right; a list may also be named in the error. */
type Least = Record<(typeof ASPECTS)[number], number>;

describe.each<[string, Parameters<typeof readEnvelopes>[0], Least]>([
	[
		'the shapes that were collected',
		'collected',
		{ list: 109, id: 108, updatedAt: 108, total: 102, totalPages: 109, more: 109 },
	],
	[
		'further shapes, written down before the rules were tuned',
		'further',
		{ list: 30, id: 29, updatedAt: 30, total: 28, totalPages: 28, more: 28 },
	],
	[
		'shapes of services that no rule was made for',
		'unseen',
		{ list: 106, id: 92, updatedAt: 100, total: 92, totalPages: 102, more: 101 },
	],
	[
		'shapes that were misread once',
		'mended',
		{ list: 13, id: 13, updatedAt: 13, total: 13, totalPages: 13, more: 13 },
	],
])('%s', (_, collection, least) => {
	const { rows, score, table } = judgeCollection(collection);

	it('judges every answer of the collection', () => {
		expect(rows).toHaveLength(least.list);
	});

	it('takes nothing in any answer for something else', () => {
		const wrong = rows.filter(({ verdicts }) => verdicts.includes('wrong'));
		expect({ wrong: wrong.map(({ name }) => name), table }).toEqual({ wrong: [], table });
	});

	it.each(ASPECTS)('has as many answers right as ever in: %s', (aspect) => {
		const verdicts: Verdict[] = aspect === 'list' ? ['right', 'named'] : ['right'];
		const right = score(aspect, ...verdicts);
		// The table is in the message if a figure is not reached.
		expect({ enough: right >= least[aspect], table }).toEqual({ enough: true, table });
	});
});
