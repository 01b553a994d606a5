import { NodeApiError, NodeOperationError, UserError } from 'n8n-workflow';
import {
	ServiceFailure,
	toServiceFailure,
} from '../../../../../nodes/VisitorService/failure/serviceFailure';
import { pollFailure } from '../../../../../nodes/VisitorService/operations/poll';

const NODE = {
	id: '1',
	name: 'Node',
	type: 'node',
	typeVersion: 1,
	position: [0, 0] as [number, number],
	parameters: {},
};

describe('the failure that an error is shown as', () => {
	it('a failure of the package stays as it is', () => {
		const failure = new ServiceFailure('It failed.', 'Try again.', { kind: 'service' });
		expect(toServiceFailure(failure)).toBe(failure);
	});

	it.each([
		[
			'NodeOperationError',
			new NodeOperationError(NODE, 'No credential', { description: 'Set it.' }),
		],
		['UserError', new UserError('No credential', { description: 'Set it.' })],
	] as Array<[string, Error]>)('an error of n8n keeps its texts: %s', (_, error) => {
		expect(toServiceFailure(error)).toMatchObject({
			message: 'No credential',
			remedy: 'Set it.',
			kind: 'configuration',
		});
	});

	it('an error of n8n without a remedy says what to check', () => {
		const { remedy } = toServiceFailure(new UserError('No credential'));
		expect(remedy).toBe('Check the parameters and the credential of the node.');
	});

	it.each([
		[
			'a response that n8n quotes',
			new NodeApiError(NODE, { message: 'secret-0001' }),
			'NodeApiError',
		],
		['any other error', new TypeError('secret-0001'), 'TypeError'],
		['an error of another range', new RangeError('secret-0001'), 'RangeError'],
		['a text', 'secret-0001', 'string'],
		['nothing', undefined, 'undefined'],
	])('an unexpected error shows nothing but its name: %s', (_, error, name) => {
		const failure = toServiceFailure(error);
		const { message, description, kind } = failure;
		expect(kind).toBe('unexpected');
		// n8n polls again: what it does not expect may be over by then.
		expect(pollFailure(failure)).toEqual({ cause: 'temporarily-unavailable' });
		expect(message).toBe(`The node failed unexpectedly (${name}).`);
		expect(description).not.toContain('secret-0001');
	});
});
