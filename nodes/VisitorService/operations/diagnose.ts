import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { readApiAddress, readClient } from '../../../credentials/authorization/credentialFields';
import { tokenCoordination } from '../../../credentials/authorization/tokenCoordination';
import type { Client } from '../../../credentials/authorization/tokenExchange';
import { diagnoseTenant } from '../diagnosis/diagnoseTenant';
import type { Finding } from '../diagnosis/finding';
import { describeSetting } from '../diagnosis/summary';
import { credentialTransport } from '../transport/credentialTransport';
import { connectToTenant } from '../transport/tenantConnection';
import { addHint } from './executionHint';

/** What was found for one execution, by client and tenant: many input items are no reason to ask a tenant again. */
export type Diagnoses = Map<string, Finding[]>;

/** Diagnoses the connection of one input item: an item per finding, the summary last. */
export async function diagnose(
	context: IExecuteFunctions,
	itemIndex: number,
	diagnoses: Diagnoses,
): Promise<INodeExecutionData[]> {
	const fields = await context.getCredentials('visitorServiceApi', itemIndex);
	const client = readClient(fields);
	const address = readApiAddress(fields);
	const key = JSON.stringify([client, address]);
	const findings = diagnoses.get(key) ?? (await askTenant(context, itemIndex, client, address));
	diagnoses.set(key, findings);
	return findings.map((finding) => ({
		json: { ...finding },
		pairedItem: { item: itemIndex },
	}));
}

/**
 * Asks, and says in a hint what was found.
 *
 * The questions go past the connection's own token renewal, which would answer those with a bad token by itself and
 * send requests the budget does not know of.
 */
async function askTenant(
	context: IExecuteFunctions,
	itemIndex: number,
	client: Client,
	address: string,
): Promise<Finding[]> {
	const { clock } = await connectToTenant(context, itemIndex);
	const findings = await diagnoseTenant({
		client,
		address,
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
	return findings;
}
