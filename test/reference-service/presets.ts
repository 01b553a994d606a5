import type { ForcedResponse } from './bodies';
import type { JsonValue } from './json';

// What the names of the switches stand for: nothing but data. In templates `{name}` is filled in.

const webPage = (title: string, text: string) =>
	`<!doctype html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1><p>${text}</p></body></html>\n`;

/** Bodies of errors. */
export const ERROR_BODIES = {
	json: { error: '{code}', message: '{message}' },
	text: '{message}',
	html: webPage('{status} {code}', '{message}'),
	empty: '',
	echoAuthorization: {
		...{ error: '{code}', message: '{message}' },
		request: { authorization: '{authorization}' },
	},
} satisfies Record<string, JsonValue>;

/** What comes with 200 instead of the plain response. */
export const FAULTS = {
	empty: { status: 200, body: '' },
	html: { status: 200, body: webPage('Maintenance', 'Please come back later.') },
	string: { status: 200, body: '"not what you asked for"', contentType: 'application/json' },
	number: { status: 200, body: 42 },
	null: { status: 200, body: null },
	boolean: { status: 200, body: true },
	errorObject200: {
		status: 200,
		body: { error: 'internal_error', message: 'Something went wrong.' },
	},
} satisfies Record<string, ForcedResponse>;

/** Bodies with a token: its fields by RFC 6749, and elsewhere, or beside the form that was sent. */
export const TOKEN_RESPONSES = {
	rfc6749: '{fields}',
	camelCase: '{camelCaseFields}',
	data: { data: '{fields}' },
	deep: { data: { type: 'token', attributes: '{fields}' } },
	array: ['{fields}'],
	bareString: '{token}',
	html: webPage('Sign in', 'Please sign in to continue.'),
	echo: { request: '{form}' },
	echoWithToken: { access_token: '{token}', expires_in: '{expiresIn}', request: '{form}' },
} satisfies Record<string, JsonValue>;

export type MetadataField =
	| 'total'
	| 'totalPages'
	| 'page'
	| 'pageSize'
	| 'last'
	| 'hasMore'
	| 'next';

export interface Envelope {
	/** In which `{records}` stands for the list. */
	template: JsonValue;
	/** If there is no list. */
	templateWithoutList?: JsonValue;
	/** Key under which the paging facts are; default: top level. */
	metadataUnder?: string;
	/** Default: page, pageSize, total and totalPages. */
	metadata?: MetadataField[];
	names?: Partial<Record<MetadataField, string>>;
}

const OF_SPRING = { page: 'number', pageSize: 'size', total: 'totalElements' };
const included: JsonValue = [
	{ id: 'site-000001', type: 'site', name: 'Site 000001' },
	{ id: 'site-000002', type: 'site', name: 'Site 000002' },
];

export const STANDARD_METADATA: MetadataField[] = ['page', 'pageSize', 'total', 'totalPages'];

/** Where the records are. */
export const ENVELOPES = {
	array: { template: '{records}', metadata: [] },
	data: { template: { data: '{records}' } },
	items: { template: { items: '{records}' } },
	results: { template: { results: '{records}' } },
	/** The JSON array as text. */
	string: { template: { data: '{records}' } },
	/** The resource's own name. */
	named: { template: { '{resource}': '{records}' } },
	/** OData. */
	value: {
		template: { '@odata.context': '$metadata#{resource}', value: '{records}' },
		metadata: ['total', 'next'],
		names: { total: '@odata.count', next: '@odata.nextLink' },
	},
	/** Spring Data. */
	content: {
		template: { content: '{records}', first: '{first}' },
		metadata: [...STANDARD_METADATA, 'last'],
		names: OF_SPRING,
	},
	/** HAL, of Spring HATEOAS. */
	embedded: {
		template: { _embedded: { '{resource}': '{records}' } },
		templateWithoutList: {},
		...{ metadataUnder: 'page', names: OF_SPRING },
	},
	resultList: { template: { result: { list: '{records}' } }, metadataUnder: 'result' },
	dataItems: { template: { data: { items: '{records}' } }, metadataUnder: 'data' },
	/** Another array of objects first. */
	twoArrays: { template: { included, '{resource}': '{records}' } },
	twoArraysUnnamed: { template: { included, list: '{records}' } },
} satisfies Record<string, Envelope>;
