import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { readApiAddress, readClient } from '../../../credentials/authorization/credentialFields';
import { tokenCoordination } from '../../../credentials/authorization/tokenCoordination';
import { diagnoseTenant } from '../diagnosis/diagnoseTenant';
import { describeSetting } from '../diagnosis/summary';
import { credentialTransport } from '../transport/credentialTransport';
import { connectToTenant } from '../transport/tenantConnection';
import { addHint } from './executionHint';

/**
 * Diagnoses the connection of one input item: an item per finding, the summary last, and a hint.
 *
 * The questions go past the connection's own token renewal, which would answer those with a bad token by itself and
 * send requests the budget does not know of.
 */
export async function diagnose(
	context: IExecuteFunctions,
	itemIndex: number,
): Promise<INodeExecutionData[]> {
	const fields = await context.getCredentials('visitorServiceApi', itemIndex);
	const client = readClient(fields);
	const { clock } = await connectToTenant(context, itemIndex);
	const findings = await diagnoseTenant({
		client,
		address: readApiAddress(fields),
		transport: credentialTransport(context.helpers),
		clock,
		random: Math.random,
		// The service may have revoked the former token by issuing this one; running workflows take it over.
		onIssued: (token) => tokenCoordination.remember(client, token),
	});
	const summary = findings.at(-1);
	if (summary !== undefined) {
		addHint(
			context,
			`Diagnosis: ${summary.meaning} Settings: ${describeSetting(summary.setting ?? {})}.`,
			summary.status === 'ok' ? 'info' : 'warning',
		);
	}
	return findings.map((finding) => ({
		json: { ...finding },
		pairedItem: { item: itemIndex },
	}));
}
