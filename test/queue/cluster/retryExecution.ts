import { TEST_OWNER } from '../../n8n/n8nClient';
import { N8nSession } from '../../n8n/n8nSession';

/**
 * Starts an ended execution anew from the data it began with, as the Retry button in the list of
 * executions does.
 */
export async function retryExecution(n8nUrl: string, executionId: string): Promise<unknown> {
	const session = new N8nSession(n8nUrl);
	try {
		const { email, password } = TEST_OWNER;
		await session.send('POST', '/login', { emailOrLdapLoginId: email, password });
		return await session.send('POST', `/executions/${executionId}/retry`, { loadWorkflow: false });
	} finally {
		await session.close();
	}
}
