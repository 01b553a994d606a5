import { isRecord } from '../json/isRecord';
import { cleanServerText } from './cleanServerText';
import { ServiceFailure } from './serviceFailure';

/** In lower case: names of fields are compared without case, as those of lists are. */
const ERROR_FIELDS = [
	'error',
	'errors',
	'errorcode',
	'error_code',
	'errormessage',
	'error_message',
	'exception',
	'fault',
];
const SUCCESS_FIELDS = ['success', 'ok', 'issuccess', 'is_success', 'succeeded', 'successful'];
const STATUS_FIELDS = ['status', 'statuscode', 'status_code', 'code', 'httpstatus'];

/** Objects of an answer that may say that the request failed, instead of the answer itself. */
const PART_FIELDS = ['status', 'meta', 'data', 'result', 'response', 'payload'];

/** 200, and what services make of it that have codes of more digits. */
const SUCCESS_CODE = /^20\d0*$/;

/**
 * Services answer errors with a status of success, and so do proxies and login pages.
 *
 * @throws ServiceFailure where the body of a successful answer is no JSON object or array, or says that the
 * request failed
 */
export function refuseErrorBody(body: unknown): void {
	if (Array.isArray(body)) return;
	if (isRecord(body)) {
		const hasList = holdsList(body);
		const parts = [body, ...PART_FIELDS.map((name) => body[name])].filter(isRecord);
		const failed = parts.find((part) => saysFailed(part, hasList));
		if (failed === undefined) return;
		throw new ServiceFailure(
			'The service refused the request, although with a status of success.',
			'Check the options of the node, then ask the operator of the service.',
			{ kind: 'answer', serverText: cleanServerText(failed) },
		);
	}
	throw new ServiceFailure(
		`The service answered with ${describe(body)} instead of a list.`,
		'Check the Tenant API URL and the API Version in the credential; a proxy or a login page may answer instead.',
		{ kind: 'answer' },
	);
}

function describe(body: unknown): string {
	if (typeof body !== 'string') return `a ${typeof body}`;
	if (body.trim() === '') return 'nothing';
	return /^\s*<(!doctype|\?xml|[a-z])/i.test(body) ? 'a web page' : 'text that is no complete JSON';
}

function saysFailed(part: Record<string, unknown>, hasList: boolean): boolean {
	const fields = fieldsOf(part);
	if (ERROR_FIELDS.some((field) => isTelling(fields.get(field)))) return true;
	if (SUCCESS_FIELDS.some((field) => /^false$/i.test(String(fields.get(field))))) return true;
	const status = fields.get('status');
	if (typeof status === 'string' && /^(error|fail(ed|ure)?)$/i.test(status)) return true;
	return codesIn(fields).some((code) => {
		if (code >= 400 && code < 600) return true;
		// Codes of the service's own, such as 1001 or -1, say so where no list came; beside one they may mean anything.
		return (code < 0 || code >= 600) && !hasList;
	});
}

/** The codes an answer gives for its outcome, as one text; '' where it gives none but 200 and the like. */
export function outcomeCodes(body: unknown): string {
	return isRecord(body) ? codesIn(fieldsOf(body)).join() : '';
}

function codesIn(fields: ReadonlyMap<string, unknown>): number[] {
	return STATUS_FIELDS.map((name) => toCode(fields.get(name)))
		.filter((code) => code !== undefined)
		.filter((code) => !SUCCESS_CODE.test(String(code)));
}

function toCode(value: unknown): number | undefined {
	if (typeof value === 'string' && /^-?\d{1,9}$/.test(value)) return Number(value);
	return typeof value === 'number' ? value : undefined;
}

function fieldsOf(value: Record<string, unknown>): ReadonlyMap<string, unknown> {
	return new Map(Object.entries(value).map(([name, inner]) => [name.toLowerCase(), inner]));
}

function holdsList(value: unknown): boolean {
	return Array.isArray(value) || (isRecord(value) && Object.values(value).some(holdsList));
}

/** Whether an error field says something: not null, false, 0, "", "none", [] or {}. */
export function isTelling(value: unknown): boolean {
	if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
	if (typeof value === 'string')
		return !/^\s*(0*|none|null|false|ok|success|no error)\s*$/i.test(value);
	return Boolean(value);
}
