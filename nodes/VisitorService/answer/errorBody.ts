import { cleanServerText } from '../failure/serverText';
import { ServiceFailure } from '../failure/serviceFailure';
import { readDecimal } from '../values/decimal';
import { type Fields, fieldsOf, findField, hasField, readField } from '../values/fieldName';
import { readSaidFlag } from '../values/flag';
import { isRecord, type JsonObject } from '../values/json';
import { isFaultName } from './envelope';
import { localName } from './fieldNames';
import { meaningOf } from './outcomeText';

/** What the body of an answer with a status of success says of the request. */
export type BodyVerdict =
	| { kind: 'success' }
	/** There is no data, as a status of 404 says it. */
	| {
			kind: 'noData';
			failure: ServiceFailure;
			/**
			 * Whether it may be believed of a first page: a text says so, or an empty list and no text.
			 */
			meansEmpty: boolean;
	  }
	/** No JSON object or array, or one that says that the request failed. */
	| { kind: 'fault'; failure: ServiceFailure };

/** All names as `fieldName` writes them. */
const ERROR_FIELDS = ['error', 'errors', 'err', 'exception', 'fault', 'errorcode', 'errcode'];
const ERROR_TEXT_FIELDS = ['errormessage', 'errormsg', 'errmsg', 'errordescription'];
const ERROR_FLAGS = ['iserror', 'haserror', 'haserrors', 'failed'];
const SUCCESS_FLAGS = ['success', 'ok', 'issuccess', 'succeeded', 'successful'];
const CODE_FIELDS = [
	'status',
	'statuscode',
	'code',
	'httpstatus',
	'errorcode',
	'errcode',
	'resultcode',
	'returncode',
	'retcode',
	'responsecode',
];
/**
 * What explains an outcome; beside records it may explain anything. Not `title` and `description`,
 * which are mostly those of the list.
 */
export const EXPLANATION_FIELDS = [
	'message',
	'msg',
	'detail',
	'reason',
	'statusmessage',
	'returnmsg',
	'resultmsg',
	'retmsg',
];

/** Objects of an answer that may say that the request failed, instead of the answer itself. */
const PARTS = [
	...['status', 'meta', 'data', 'result', 'response', 'payload', 'header'],
	...['error', 'fault', 'exception'],
];

/** 0, and 200 with what services make of it that have codes of more digits. */
const SUCCESS_CODE = /^(0+|20\d0*)$/;

const FAILED_STATUS = /^(err(or)?|fail(ed|ure)?|ko|nok|not ok)$/i;

/** Services answer errors with a status of success, and so do proxies and login pages. */
export function judgeBody(body: unknown): BodyVerdict {
	if (Array.isArray(body)) return { kind: 'success' };
	if (!isRecord(body)) {
		const failure = new ServiceFailure(
			`The service answered with ${describe(body)} instead of a list.`,
			'Check the Tenant API URL and the API Version in the credential; a proxy or a login page may answer instead.',
			{ kind: 'answer' },
		);
		return { kind: 'fault', failure };
	}
	const lists = listsHeld(body);
	const fields = fieldsOf(body);
	const inner = PARTS.map((name) => findField(fields, [name], isRecord)?.value);
	const errors = [readField(fields, ['errors'])].flat().filter(isRecord);
	const parts = [body, ...inner.filter((part) => part !== undefined), ...errors];
	const failed = parts.find((part) => saysFailed(part, lists));
	const noData = findNoData(body, parts, failed, lists);
	if (noData !== undefined) return noData;
	if (failed === undefined) return { kind: 'success' };
	return { kind: 'fault', failure: refusal(failed) };
}

/** @param part of the body, with what it says */
export function refusal(part: unknown, statusCode?: number): ServiceFailure {
	const [code] = isRecord(part) ? outcomesIn(part) : [];
	return new ServiceFailure(
		'The service refused the request, but answered with a success status.',
		'Check the options of the node, then ask your service provider.',
		{ kind: 'answer', statusCode, serverText: cleanServerText(part) ?? cleanServerText(code) },
	);
}

function describe(body: unknown): string {
	if (typeof body !== 'string') return `a ${typeof body}`;
	if (body.trim() === '') return 'nothing';
	return /^\s*<(!doctype|\?xml|[a-z])/i.test(body)
		? 'a web page'
		: 'text that is not complete JSON';
}

function findNoData(
	body: JsonObject,
	parts: readonly JsonObject[],
	failed: JsonObject | undefined,
	lists: Lists,
): BodyVerdict | undefined {
	if (lists === 'records') return undefined;
	const said = failed ?? body;
	const text = cleanServerText(said) ?? '';
	const meaning = text === '' ? 'unclear' : meaningOf(text);
	const codes = parts.flatMap((part) => codesIn(fieldsOf(part)));
	const code = codes.find((one) => one === 404 || one === 410);
	const isSilent = failed !== undefined && lists === 'empty' && text === '' && !parts.some(saysWhy);
	const meansEmpty =
		meaning === 'noRecords' || (meaning === 'noPage' && lists === 'empty') || isSilent;
	if (!meansEmpty && meaning !== 'noPage' && code === undefined) return undefined;
	return { kind: 'noData', failure: refusal(said, code), meansEmpty };
}

/** Whether anything but a flag, or what stands for one, says that the request failed. */
function saysWhy(part: JsonObject): boolean {
	const names = [...CODE_FIELDS, ...ERROR_FIELDS, ...ERROR_TEXT_FIELDS, ...EXPLANATION_FIELDS];
	const isFlag = (value: unknown) =>
		typeof value === 'boolean' || (typeof value === 'string' && FAILED_STATUS.test(value));
	return hasField(fieldsOf(part), names, (value) => !isFlag(value) && saysAnError(value));
}

function saysFailed(part: JsonObject, lists: Lists): boolean {
	const fields = fieldsOf(part);
	const succeeded = saysSuccess(fields);
	// A code that says success is believed more than a text beside it, if there is a list to show for
	// it.
	const isBelieved = (error: unknown) =>
		!(succeeded && lists !== 'none' && typeof error === 'string');
	if (hasField(fields, ERROR_FIELDS, (error) => saysAnError(error) && isBelieved(error)))
		return true;
	if (!succeeded && hasField(fields, ERROR_TEXT_FIELDS, saysAnError)) return true;
	if (hasField(fields, ERROR_FLAGS, (flag) => flag === true)) return true;
	if (hasField(fields, SUCCESS_FLAGS, (flag) => readSaidFlag(flag) === false)) return true;
	const saysFailure = (status: unknown) => typeof status === 'string' && FAILED_STATUS.test(status);
	if (hasField(fields, ['status', 'result', 'returncode', 'resultcode'], saysFailure)) return true;
	if (lists !== 'records' && !succeeded) {
		const means = (text: unknown) => typeof text === 'string' && meaningOf(text) === 'failure';
		if (hasField(fields, [...CODE_FIELDS, ...EXPLANATION_FIELDS], means)) return true;
	}
	return codesIn(fields).some((code) => {
		if (code >= 400 && code < 600) return true;
		// Codes of the service's own, such as 1001 or -1, say so if no list came; beside one they may
		// mean anything.
		return (code < 0 || code >= 600) && lists === 'none';
	});
}

function saysSuccess(fields: Fields): boolean {
	// A number under `succeeded` may be a count.
	const isSaid = (flag: unknown) => typeof flag !== 'number' && readSaidFlag(flag) === true;
	if (hasField(fields, SUCCESS_FLAGS, isSaid)) return true;
	return hasField(
		fields,
		CODE_FIELDS,
		(code) =>
			(typeof code === 'number' || typeof code === 'string') &&
			(SUCCESS_CODE.test(String(code)) || /^(ok|success)$/i.test(String(code))),
	);
}

/** The codes an answer names for its outcome, without 200 and the like. */
export function outcomeCodes(body: unknown): number[] {
	return isRecord(body) ? codesIn(fieldsOf(body)) : [];
}

function codesIn(fields: Fields): number[] {
	return CODE_FIELDS.map((name) => toCode(readField(fields, [name])))
		.filter((code) => code !== undefined)
		.filter((code) => !SUCCESS_CODE.test(String(code)));
}

/**
 * What an object of an answer says of its outcome other than success, without the numbers that
 * differ from page to page.
 *
 * @returns texts such as `status: timeout`
 */
export function outcomesIn(part: JsonObject): string[] {
	const fields = fieldsOf(part);
	return CODE_FIELDS.flatMap((name) => {
		const value = readField(fields, [name]);
		if (typeof value !== 'string' && typeof value !== 'number') return [];
		return saysAnError(value) ? [`${name}: ${value}`] : [];
	});
}

/** Longer numbers are IDs and times. */
function toCode(value: unknown): number | undefined {
	const code = readDecimal(value);
	return Number.isInteger(code) && Math.abs(code ?? 0) < 1_000_000_000 ? code : undefined;
}

type Lists = 'none' | 'empty' | 'records';

function listsHeld(value: unknown): Lists {
	if (Array.isArray(value)) return value.length > 0 ? 'records' : 'empty';
	if (!isRecord(value)) return 'none';
	const found = Object.entries(value)
		.filter(([key]) => !isFaultName(localName(key)))
		.map(([, inner]) => listsHeld(inner));
	return (['records', 'empty'] as const).find((kind) => found.includes(kind)) ?? 'none';
}

/**
 * Whether an error field says something. An object or a list does if something in it does, but not
 * beside a code that says success.
 */
export function saysAnError(value: unknown): boolean {
	if (Array.isArray(value)) return value.some(saysAnError);
	if (isRecord(value))
		return !saysSuccess(fieldsOf(value)) && Object.values(value).some(saysAnError);
	if (typeof value === 'number') return !SUCCESS_CODE.test(String(value));
	return typeof value === 'string' ? meaningOf(value) !== 'success' : value === true;
}
