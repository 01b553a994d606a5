import {
	type ICredentialsDecrypted,
	type ICredentialTestFunctions,
	type ILoadOptionsFunctions,
	type INodeCredentialTestResult,
	type INodeListSearchResult,
	type INodePropertyOptions,
	NodeOperationError,
} from 'n8n-workflow';
import { allowsUnauthorizedCerts, readWebhookSecrets } from '../authorization/client';
import { listOptions } from '../descriptions/actionParameters';
import { toServiceFailure } from '../failure/serviceFailure';
import { credentialTestTransport } from '../http/hostTransports';
import { readFirstPage } from '../listing/firstPage';
import { PageReader } from '../response/pageReader';
import { connectToTenant, testCredential } from '../tenant/connection';
import { isJsonObject, isNonBlank, type JsonObject } from '../values/json';
import * as read from '../values/parameters';
import { findShortSecrets } from '../webhook/settingsProblem';
import { Execution } from './execution';
import { clock, random } from './host';
import { readQueryParameters, readResource } from './listSettings';

/** More than one record, because some may lack fields. */
const MAX_SAMPLED_RECORDS = 20;
/** A name that n8n would run as an expression if it is chosen or edited. */
const EXPRESSION = /^=|\{\{/;
/** Short, because a person waits in the editor. */
const FIELDS_OPTIONS = { timeoutMs: 10_000, maxRetries: 1 };
/** Deeper fields would make the menu too long. */
const MAX_OFFERED_DEPTH = 3;

/** The names and dot paths of the fields in one page of the list that is set up in the editor. */
export async function getFields(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	try {
		return await readFields(this);
	} catch (error) {
		const { message, description } = toServiceFailure(error);
		// The editor shows the message alone (2.41.1).
		const whole = `${message} ${description} To type the name of a field, choose By Name or Expression.`;
		throw new NodeOperationError(this.getNode(), whole);
	}
}

/** The same for a list that can be searched. */
export async function searchFields(
	this: ILoadOptionsFunctions,
	wanted = '',
): Promise<INodeListSearchResult> {
	const fields = await getFields.call(this);
	const isMeant = ({ name }: INodePropertyOptions) =>
		name.toLowerCase().includes(wanted.toLowerCase());
	return { results: fields.filter(isMeant) };
}

async function readFields(context: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const valueOf = (name: string) => context.getCurrentNodeParameter(name);
	const resource = readResource(valueOf);
	const options = read.collection(valueOf('options'), { displayName: 'Options' });
	const { itemsPath, queryParameters } = read.readParameters(listOptions, options, {
		itemsPath: read.text,
		queryParameters: readQueryParameters,
	});
	const list = { ...resource, itemsPath };
	const tenant = await connectToTenant(new Execution().tenantHost(context), list);
	const reader = new PageReader(
		async (page, pageSize) =>
			await tenant.get({ page, pageSize, ...queryParameters }, FIELDS_OPTIONS),
		list,
	);
	const reading = readFirstPage(reader, { pageSize: MAX_SAMPLED_RECORDS });
	const { page } = await tenant.outcomeOf(reading);
	const paths = new Set(page.records.flatMap((record) => [...pathsIn(record)]));
	const offered = [...paths].filter((path) => tenant.redact(path) === path);
	return offered.map((path) => ({ name: path, value: path }));
}

/** Dot paths of all fields, through objects and lists of objects, in their order. */
function* pathsIn(value: JsonObject, prefix = '', depth = 1): Generator<string> {
	for (const [key, inner] of Object.entries(value)) {
		const path = `${prefix}${key}`;
		if (EXPRESSION.test(path)) continue;
		yield path;
		if (depth === MAX_OFFERED_DEPTH) continue;
		const parts = [inner].flat().slice(0, MAX_SAMPLED_RECORDS);
		for (const part of parts) if (isJsonObject(part)) yield* pathsIn(part, `${path}.`, depth + 1);
	}
}

/**
 * Tests the credential. Not a declarative request, of whose failure n8n shows only a code such as
 * ENOTFOUND.
 */
export async function testConnection(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const { authUrl, baseUrl, clientId, clientSecret, webhookSecret } = data;
	// A credential that is only for webhooks needs no values for the API.
	const isForWebhooks =
		isNonBlank(webhookSecret) && ![authUrl, baseUrl, clientId, clientSecret].some(isNonBlank);
	try {
		if (!isForWebhooks) {
			const transport = credentialTestTransport(this.helpers, allowsUnauthorizedCerts(data));
			await testCredential(data, { transport, clock, random });
		}
		const passed = isForWebhooks
			? 'The webhook secret is set. Webhooks show whether it is right.'
			: 'Connection successful: a token was issued and users can be read.';
		const short = findShortSecrets(readWebhookSecrets(data));
		if (short.length === 0) return { status: 'OK', message: passed };
		// The editor shows the message of an error only.
		return { status: 'Error', message: [passed, ...short].join(' ') };
	} catch (error) {
		const { message, description } = toServiceFailure(error);
		return { status: 'Error', message: `${message} ${description}` };
	}
}
