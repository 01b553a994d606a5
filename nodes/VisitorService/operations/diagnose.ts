import type { IExecuteFunctions } from 'n8n-workflow';

import { readApiUrl, readClient } from '../authorization/client';
import { tokenSingleFlight } from '../authorization/tokenSingleFlight';
import { itemsPath } from '../descriptions/sharedParameters';
import { diagnoseTenant } from '../diagnosis/diagnoseTenant';
import type { DiagnosedTenant } from '../diagnosis/diagnosisSession';
import type { Finding } from '../diagnosis/finding';
import { CREDENTIAL, credentialTransport } from '../http/hostTransports';
import * as read from '../values/parameters';
import type { Execution } from './execution';
import { addHint, clock, createCancellation, random, type Work } from './host';

/** Diagnoses the connection of one input item: the summary, then an item for each finding. */
export function diagnose(
	context: IExecuteFunctions,
	itemIndex: number,
	{ diagnoses }: Execution,
): Work {
	const set = context.getNodeParameter('options', itemIndex, null);
	const options = read.collection(set, { displayName: 'Options' });
	const path = read.text(options('itemsPath', ''), itemsPath);
	return async () => {
		const fields = await context.getCredentials(CREDENTIAL, itemIndex);
		const tenant = { client: readClient(fields), apiUrl: readApiUrl(fields), itemsPath: path };
		const key = JSON.stringify(tenant);
		const findings = diagnoses.get(key) ?? (await runChecks(context, tenant));
		diagnoses.set(key, findings);
		return findings.map((finding) => ({
			json: { ...finding },
			pairedItem: { item: itemIndex },
		}));
	};
}

/**
 * Runs the checks and shows the summary as a hint. The checks do not use a `TokenSession`, whose
 * retries and renewals would exceed the budget of requests.
 */
async function runChecks(
	context: IExecuteFunctions,
	tenant: Pick<DiagnosedTenant, 'client' | 'apiUrl' | 'itemsPath'>,
): Promise<Finding[]> {
	const cancellation = createCancellation(context);
	const send = credentialTransport(context.helpers, tenant.client.allowUnauthorizedCerts);
	const findings = await diagnoseTenant({
		...tenant,
		transport: cancellation.wrapTransport(send),
		clock: cancellation.wrapClock(clock),
		random,
		// The service may have revoked the previous token when it issued this one, so running workflows
		// need the new one.
		onIssued: (token) => tokenSingleFlight.remember(tenant.client, token),
	});
	const [summary] = findings;
	if (summary !== undefined) {
		addHint(context, summary.meaning, summary.status === 'ok' ? 'info' : 'warning');
	}
	return findings;
}
