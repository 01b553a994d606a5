import { isRecord } from '../json/isRecord';
import { cleanServerText } from '../transport/cleanServerText';
import { ServiceFailure } from '../transport/serviceFailure';

const ERROR_FIELDS = [
	'error',
	'errors',
	'errorCode',
	'error_code',
	'errorMessage',
	'error_message',
	'exception',
	'fault',
];
const STATUS_FIELDS = ['status', 'statusCode', 'status_code', 'code', 'httpStatus'];

/**
 * Services answer errors with a status of success, and so do proxies and login pages.
 *
 * @throws ServiceFailure where the body of a successful answer is no JSON object or array, or says that the
 * request failed
 */
export function refuseErrorBody(body: unknown): void {
	if (Array.isArray(body)) return;
	if (isRecord(body)) {
		if (!saysFailed(body)) return;
		throw new ServiceFailure(
			'The service refused the request, although with a status of success.',
			'Check the options of the node, then ask the operator of the service.',
			{ kind: 'answer', serverText: cleanServerText(body) },
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

function saysFailed(body: Record<string, unknown>): boolean {
	if (ERROR_FIELDS.some((field) => isTelling(body[field]))) return true;
	if (body.success === false || body.ok === false) return true;
	if (typeof body.status === 'string' && /^(error|fail(ed|ure)?)$/i.test(body.status)) return true;
	return STATUS_FIELDS.some((field) => {
		const value = body[field];
		const isCode = typeof value === 'number' || (typeof value === 'string' && /^\d{3}$/.test(value));
		return isCode && Number(value) >= 400 && Number(value) < 600;
	});
}

/** Whether an error field says something: not null, false, 0, "", "none", [] or {}. */
function isTelling(value: unknown): boolean {
	if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
	if (typeof value === 'string') return !/^\s*(0*|none|null|false|ok|success|no error)\s*$/i.test(value);
	return Boolean(value);
}
