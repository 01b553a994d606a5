import { stringify } from 'flatted';
import { UnexpectedAnswer } from '../../n8n/answerShape';
import { hasEnded, itemsOf, readExecution, readExecutionSummary } from '../../n8n/execution';

const summary = { id: '7', workflowId: 'w', status: 'success', mode: 'manual' };

function stored(resultData: unknown): Record<string, unknown> {
	return { ...summary, data: stringify({ resultData }) };
}

describe('readExecution', () => {
	it('reads items, hints and times of every run', () => {
		const execution = readExecution({
			...stored({
				lastNodeExecuted: 'List',
				runData: {
					List: [
						{
							executionStatus: 'success',
							executionTime: 12,
							hints: [{ message: 'Look here', type: 'warning' }],
							data: { main: [[{ json: { id: 1 } }, { json: { id: 2 } }], null] },
						},
					],
				},
			}),
			startedAt: '2026-01-01T00:00:00.000Z',
			stoppedAt: '2026-01-01T00:00:01.500Z',
		});
		expect(execution.nodes.List?.[0]).toEqual({
			status: 'success',
			executionTime: 12,
			outputs: [[{ json: { id: 1 } }, { json: { id: 2 } }], []],
			hints: [{ message: 'Look here', type: 'warning' }],
			error: null,
		});
		expect(itemsOf(execution, 'List')).toEqual([{ id: 1 }, { id: 2 }]);
		expect(execution).toMatchObject({ ...summary, lastNode: 'List', duration: 1500, error: null });
	});

	it('reads the error with the item it belongs to', () => {
		const error = {
			name: 'NodeApiError',
			message: 'What happened.',
			description: 'What to do.',
			httpCode: '403',
			context: { itemIndex: 3 },
		};
		const execution = readExecution(
			stored({ error, runData: { List: [{ executionStatus: 'error', executionTime: 1, error }] } }),
		);
		const read = {
			name: 'NodeApiError',
			message: 'What happened.',
			description: 'What to do.',
			httpCode: '403',
			itemIndex: 3,
		};
		expect(execution.error).toEqual(read);
		expect(execution.nodes.List?.[0]?.error).toEqual(read);
	});

	it('returns no items for a node that did not run', () => {
		expect(itemsOf(readExecution(stored({ runData: {} })), 'List')).toEqual([]);
	});

	it.each([null, 42, 'text', [], {}, { ...summary, id: 7 }, { ...summary, status: null }])(
		'refuses a summary that is %j',
		(answer) => {
			expect(() => readExecutionSummary(answer)).toThrow(UnexpectedAnswer);
		},
	);

	it('refuses an execution without data', () => {
		expect(() => readExecution(summary)).toThrow('The data of execution 7: expected a text');
	});
});

describe('hasEnded', () => {
	it.each([
		['success', true],
		['error', true],
		['crashed', true],
		['canceled', true],
		['new', false],
		['running', false],
		['waiting', false],
	])('takes the status %s for the end: %s', (status, ended) => {
		expect(hasEnded({ ...summary, status })).toBe(ended);
	});
});
