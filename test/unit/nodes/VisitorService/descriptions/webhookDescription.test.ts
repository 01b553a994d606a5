import type * as HostWorkflow from 'n8n-workflow';
import {
	type INodeParameters,
	resolveWebhookDescriptionField,
	webhookDescriptionIsNativelyResolvable,
} from 'n8n-workflow';

import { webhookDescription } from '../../../../../nodes/VisitorService/descriptions/webhookDescription';

const parameters = (responseCode?: unknown) => ({ options: { responseCode } }) as INodeParameters;

describe('the response code of a delivery', () => {
	it.each([
		[undefined, 200],
		[204, 204],
		['202', 202],
		[410, 200],
		[500, 200],
		[200.5, 200],
		['', 200],
		[null, 200],
		['abc', 200],
	])('%j is answered with %d, without the expression engine', (responseCode, expected) => {
		expect(
			resolveWebhookDescriptionField(
				{ parameters: parameters(responseCode) },
				webhookDescription,
				'responseCode',
			),
		).toEqual({ resolved: true, value: expected });
	});

	it('the response code of a delivery is an expression without a function in it, which n8n can come to evaluate itself', () => {
		for (const field of [webhookDescription.responseCode, webhookDescription.httpMethod]) {
			expect(field).toMatch(/^=\{\{ (?:[\w$"[\]%&*<=>?:,.]+ ?)+ \}\}$/);
			expect(field).not.toMatch(/function|=>|\(/);
		}
	});

	it('needs the engine for no other field either', () => {
		expect(webhookDescriptionIsNativelyResolvable(webhookDescription)).toBe(true);
	});

	it('the response code of a delivery is an expression on a host that knows no other way', () => {
		jest.isolateModules(() => {
			jest.doMock('n8n-workflow', () => {
				const { fromFunction, webhookDescriptionFields, ...older } =
					jest.requireActual<typeof HostWorkflow>('n8n-workflow');
				expect([typeof fromFunction, typeof webhookDescriptionFields]).toEqual([
					'function',
					'function',
				]);
				return older;
			});
			const older = jest.requireActual<{ webhookDescription: typeof webhookDescription }>(
				'../../../../../nodes/VisitorService/descriptions/webhookDescription',
			);
			expect(Object.getOwnPropertySymbols(older.webhookDescription)).toEqual([]);
			expect(older.webhookDescription.responseCode).toMatch(/^=\{\{ \$parameter/);
			expect(older.webhookDescription.httpMethod).toMatch(/^=\{\{ \$parameter/);
		});
		jest.dontMock('n8n-workflow');
	});
});

describe('the methods of the webhook', () => {
	it.each([
		[undefined, 'POST'],
		['off', 'POST'],
		['answer', 'POST,GET'],
	])(
		'allows the methods that Verification Requests needs: %j means %s',
		(verificationRequests, expected) => {
			const options = verificationRequests === undefined ? {} : { verificationRequests };
			const node = { parameters: { options } };
			expect(resolveWebhookDescriptionField(node, webhookDescription, 'httpMethod')).toEqual({
				resolved: true,
				value: expected,
			});
		},
	);
});
