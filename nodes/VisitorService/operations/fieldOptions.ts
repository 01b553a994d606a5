import {
	type ILoadOptionsFunctions,
	type INodePropertyOptions,
	NodeOperationError,
} from 'n8n-workflow';
import { PageReader } from '../answer/pageReader';
import { listOptions } from '../descriptions/listParameters';
import { readCollection, readParameters, readText } from '../failure/parameters';
import { failureOf } from '../failure/serviceFailure';
import { connectToTenant } from '../tenant/connection';
import { isRecord, type JsonObject } from '../values/json';
import { tenantHost } from './host';
import { readQueryParameters, readResource } from './listParameters';

/** Records that are looked at: fields may be missing on some of them. */
const MAX_RECORDS_ASKED = 20;
/** A person waits for it in the editor. Milliseconds. */
const FIELDS_TIMEOUT = 10_000;
/**
 * Objects in objects whose fields are offered: deeper ones make the menu too long to choose from.
 */
const MAX_OFFERED_DEPTH = 3;
const MAX_FIELDS = 300;

/**
 * The names and dot paths of the fields the service sends, from one page of the list that is set up
 * in the editor.
 *
 * @throws NodeOperationError if the list cannot be read
 */
export async function getFields(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	try {
		return await readFields(this);
	} catch (error) {
		const { message, description } = failureOf(error);
		throw new NodeOperationError(this.getNode(), message, { description });
	}
}

async function readFields(context: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const valueOf = (name: string) => context.getCurrentNodeParameter(name);
	const { keys, segment } = readResource(valueOf);
	const options = readCollection(valueOf('options'), { displayName: 'Options' });
	const { itemsPath, queryParameters } = readParameters(listOptions, (name) => options[name], {
		itemsPath: readText,
		queryParameters: readQueryParameters,
	});
	const sought = { keys, itemsPath };
	const tenant = await connectToTenant(tenantHost(context), sought);
	const reader = new PageReader(
		async (page, pageSize) =>
			await tenant.get(
				{ segment, query: { page, pageSize, ...queryParameters } },
				{ timeout: FIELDS_TIMEOUT, maxRetries: 1 },
			),
		sought,
	);
	const { records } = await tenant.concealing(reader.read(0, MAX_RECORDS_ASKED));
	return pathsOf(records).map((path) => ({ name: path, value: path }));
}

/**
 * Dot paths of all fields, through objects and lists of objects, each once, in the order they first
 * come.
 */
function pathsOf(records: readonly JsonObject[]): string[] {
	const paths = new Set<string>();
	for (const record of records) collect(record, '', 1);
	return [...paths].slice(0, MAX_FIELDS);

	function collect(value: JsonObject, prefix: string, depth: number): void {
		for (const [key, inner] of Object.entries(value)) {
			const path = `${prefix}${key}`;
			paths.add(path);
			if (depth === MAX_OFFERED_DEPTH) continue;
			const parts: unknown[] = Array.isArray(inner) ? inner.slice(0, MAX_RECORDS_ASKED) : [inner];
			for (const part of parts) if (isRecord(part)) collect(part, `${path}.`, depth + 1);
		}
	}
}
