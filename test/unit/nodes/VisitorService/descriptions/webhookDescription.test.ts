import type * as HostWorkflow from 'n8n-workflow';
import {
	type INodeParameters,
	resolveWebhookDescriptionField,
	webhookDescriptionIsNativelyResolvable,
} from 'n8n-workflow';

import { webhookDescription } from '../../../../../nodes/VisitorService/descriptions/webhookDescription';

it.each([
	['responseCode', undefined, 200],
	['responseCode', 204, 204],
	['responseCode', 410, 200],
	['httpMethod', undefined, 'POST'],
	['httpMethod', 'off', 'POST'],
	['httpMethod', 'answer', 'POST,GET,HEAD'],
] as const)('%s follows the option %j: %s, without the expression engine', (field, set, value) => {
	const name = field === 'responseCode' ? field : 'verificationRequests';
	const parameters = { options: { [name]: set } } as INodeParameters;
	const resolved = resolveWebhookDescriptionField({ parameters }, webhookDescription, field);
	expect(resolved).toEqual({ resolved: true, value });
	expect(webhookDescriptionIsNativelyResolvable(webhookDescription)).toBe(true);
});

it('each is an expression without a function in it, which n8n can come to evaluate itself', () => {
	for (const field of [webhookDescription.responseCode, webhookDescription.httpMethod]) {
		expect(field).toMatch(/^=\{\{ (?:[\w$"[\]%&*<=>?:,.]+ ?)+ \}\}$/);
		expect(field).not.toMatch(/function|=>|\(/);
	}
});

it('each is an expression on a host that knows no other way', () => {
	jest.isolateModules(() => {
		jest.doMock('n8n-workflow', () => {
			const { fromFunction, webhookDescriptionFields, ...older } =
				jest.requireActual<typeof HostWorkflow>('n8n-workflow');
			expect([fromFunction, webhookDescriptionFields]).not.toContain(undefined);
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
