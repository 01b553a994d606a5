import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Ajv, type AnySchemaObject, type ValidateFunction } from 'ajv';
import { parse } from 'yaml';

/** A request as it was received: the fields of a form parsed, everything else as sent. */
export interface ReceivedRequest {
	method: string;
	/** Path and query. */
	url: string;
	headers: Record<string, string | string[] | undefined>;
	body?: unknown;
}

interface Operation {
	parameters?: Array<{ $ref?: string; in?: string; name?: string; schema?: AnySchemaObject }>;
	requestBody?: { content: Record<string, { schema: AnySchemaObject }> };
	security?: unknown[];
}

interface OpenApi {
	paths: Record<string, Record<string, Operation>>;
	components: { parameters: Record<string, NonNullable<Operation['parameters']>[number]> };
}

/** One operation of the document, ready to judge requests to its paths. */
interface Judge {
	method: string;
	path: RegExp;
	needsToken: boolean;
	query: ValidateFunction;
	/** By media type. */
	bodies: Map<string, ValidateFunction>;
}

const OPENAPI = join(__dirname, 'openapi.yaml');

/** The published interface, as a judge of requests. */
export class PublishedInterface {
	private readonly judges = judgesOf(parse(readFileSync(OPENAPI, 'utf8')) as OpenApi);

	/** What is wrong with a request by the published interface; undefined where nothing is. */
	violation({ method, url, headers, body }: ReceivedRequest): string | undefined {
		const [path = '', search = ''] = url.split('?');
		const wrong = (reason: string) => `${method} ${path}: ${reason}`;
		// The paths of the document that name a list come before the one that names none.
		const judge = this.judges.find((one) => one.path.test(path));
		if (judge === undefined) return wrong('There is no such path.');
		if (judge.method !== method.toLowerCase())
			return wrong('The path does not accept this method.');
		if (judge.needsToken && !/^Bearer \S/.test(String(headers.authorization)))
			return wrong('The header Authorization with the scheme Bearer is missing.');
		if (!judge.query(queryOf(search))) return wrong(reasonsOf(judge.query));
		if (judge.bodies.size === 0) return undefined;
		const [mediaType = ''] = String(headers['content-type']).split(';');
		const validate = judge.bodies.get(mediaType.trim().toLowerCase());
		if (validate === undefined)
			return wrong(`The media type of the body is not ${[...judge.bodies.keys()].join(' or ')}.`);
		return validate(body) ? undefined : wrong(reasonsOf(validate));
	}
}

function judgesOf({ paths, components }: OpenApi): Judge[] {
	// Query parameters are texts; what is no number stays one, and fails.
	const ofQuery = new Ajv({ strict: false, coerceTypes: true });
	const ofBody = new Ajv({ strict: false });
	const resolved = (parameter: NonNullable<Operation['parameters']>[number]) => {
		const name = parameter.$ref?.split('/').at(-1);
		return name === undefined ? parameter : components.parameters[name];
	};
	return Object.entries(paths).flatMap(([path, operations]) =>
		Object.entries(operations)
			.filter(([method]) => method === 'get' || method === 'post')
			.map(([method, { parameters = [], requestBody, security }]) => ({
				method,
				path: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
				needsToken: security === undefined,
				query: ofQuery.compile({
					type: 'object',
					additionalProperties: false,
					properties: Object.fromEntries(
						parameters
							.map(resolved)
							.filter((parameter) => parameter?.in === 'query')
							.map((parameter) => [parameter?.name, parameter?.schema]),
					),
				}),
				bodies: new Map(
					Object.entries(requestBody?.content ?? {}).map(([mediaType, { schema }]) => [
						mediaType,
						ofBody.compile(schema),
					]),
				),
			})),
	);
}

/** A repeated parameter is a list, which no parameter may be. */
function queryOf(search: string): Record<string, string | string[]> {
	const query: Record<string, string | string[]> = {};
	for (const [name, value] of new URLSearchParams(search))
		query[name] = query[name] === undefined ? value : [query[name], value].flat();
	return query;
}

function reasonsOf({ errors }: ValidateFunction): string {
	return (errors ?? [])
		.map(({ instancePath, message, params }) =>
			`${instancePath} ${message ?? ''} ${JSON.stringify(params)}`.trim(),
		)
		.join('; ');
}
