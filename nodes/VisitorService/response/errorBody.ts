import { ServiceFailure } from '../failure/serviceFailure';
import { isJsonObject, type JsonObject, normalizedFieldName } from '../values/json';
import { readBoolean, readDecimal } from '../values/scalar';
import { sanitizeServerText } from '../values/serverText';
import { isFaultName } from './envelope';
import { normalizedLocalName } from './fieldNames';
import { classifyText } from './outcomeText';

/** What a body with a status of success may hold instead of a list. */
export type BodyError =
	/** It states that there is no data, like a status of 404. It may mean that the list is empty. */
	| { kind: 'noData'; failure: ServiceFailure; mayMeanEmptyList: boolean }
	/** It is not a page but an error, or not JSON. */
	| { kind: 'invalid'; failure: ServiceFailure };

/* All names as `normalizedFieldName` writes them. */
const ERROR = /^(?:errors?|err|exception|fault|err(?:or)?code)$/;
const ERROR_TEXT = /^err(?:or)?(?:message|msg)$|^errordescription$/;
const FAILURE_FLAG = /^(?:iserror|haserrors?|failed)$/;
const SUCCESS_FLAG = /^(?:(?:is)?success|ok|succeeded|successful)$/;
const CODE = /^(?:status(?:code)?|httpstatus|(?:err(?:or)?|result|ret(?:urn)?|response)?code)$/;
const STATUS = /^(?:status|result|(?:return|result)code)$/;
/**
 * Explains an outcome. `title` and `description` are left out, as they mostly belong to the list.
 */
const EXPLANATION = /^(?:message|msg|detail|reason|statusmessage|(?:return|result|ret)msg)$/;
/** Objects in a body that may state its outcome. */
const PART = /^(?:status|meta|data|result|response|payload|header|error|fault|exception)$/;

/** 0, and 200 with any number of zeros, as some services have codes of more digits. */
const SUCCESS_CODE = /^(0+|20\d0*)$/;
const SUCCESS_STATUS = /^(ok|success)$/i;
const FAILED_STATUS = /^(err(or)?|fail(ed|ure)?|ko|nok|not ok)$/i;

/** Services send errors with a status of success, and so do proxies and login pages. */
export function findBodyError(body: unknown): BodyError | { kind: 'noList' } | undefined {
	if (Array.isArray(body)) return undefined;
	if (!isJsonObject(body)) return { kind: 'invalid', failure: notJsonFailure(body) };
	const lists = listContentOf(body);
	const whole = partOf(body);
	const errors = valuesIn(whole, /^errors$/).flat();
	const inner = [...valuesIn(whole, PART), ...errors].filter(isJsonObject);
	const parts = [whole, ...inner.map(partOf)] as const;
	const failed = parts.find((part) => hasErrorDetail(part, lists) || hasFailureFlag(part));
	const noData = lists === 'records' ? undefined : findNoData(parts, failed, lists);
	return noData ?? (failed && { kind: 'invalid', failure: bodyErrorFailure(failed.object) });
}

/** An object that may state an outcome, and its fields that are not null, by normalized names. */
interface Part {
	object: JsonObject;
	fields: ReadonlyArray<readonly [name: string, value: unknown]>;
}

function partOf(object: JsonObject): Part {
	const given = Object.entries(object).filter(([, value]) => (value ?? null) !== null);
	return { object, fields: given.map(([key, value]) => [normalizedFieldName(key), value]) };
}

type NoRecords = { kind: 'noList' } | Extract<BodyError, { kind: 'noData' }>;

/** Undefined if the body states neither that there are no records, nor that there is no page. */
function findNoData(
	parts: readonly [whole: Part, ...inner: Part[]],
	failed: Part | undefined,
	lists: 'none' | 'empty',
): NoRecords | undefined {
	const { object } = failed ?? parts[0];
	const meaning = classifyText(sanitizeServerText(object) ?? 'unclear');
	const codes = parts.flatMap(outcomeCodes);
	const isSilent =
		failed !== undefined &&
		codes.length === 0 &&
		![failed, parts[0]].some((one) => sanitizeServerText(one.object)) &&
		!parts.some((one) => hasErrorDetail(one, lists));
	// It may be an empty list or any error: nothing in it shows which.
	if (isSilent && lists === 'empty') return { kind: 'noList' };
	const mayMeanEmptyList = meaning === 'noRecords' || (meaning === 'noPage' && lists === 'empty');
	// A text without a code means what the status 404 would.
	const code = codes.find((one) => one === 404 || one === 410);
	const status = code ?? (meaning === 'noPage' ? 404 : undefined);
	if (!mayMeanEmptyList && status === undefined) return undefined;
	const failure = bodyErrorFailure(object, status);
	return { kind: 'noData', failure, mayMeanEmptyList };
}

export function isBodyError(result: { kind: string }): result is BodyError {
	return result.kind === 'noData' || result.kind === 'invalid';
}

/** @param part of the body, with the text and code to report */
export function bodyErrorFailure(part: unknown, statusCode?: number): ServiceFailure {
	const [code] = isJsonObject(part) ? findOutcomes(part) : [];
	return new ServiceFailure(
		'The service rejected the request, but responded with a success status.',
		'Check the options of the node, then ask your service provider.',
		{
			kind: 'response',
			statusCode,
			serverText: sanitizeServerText(part) ?? sanitizeServerText(code),
		},
	);
}

function notJsonFailure(body: unknown): ServiceFailure {
	const text = typeof body === 'string' ? body.trim() : undefined;
	const isPage = /^<(!doctype|\?xml|[a-z])/i.test(text ?? '');
	const what = isPage ? 'a web page' : text === '' ? 'nothing' : 'text that is not complete JSON';
	return new ServiceFailure(
		`The service responded with ${text === undefined ? `a ${typeof body}` : what} instead of a list.`,
		'Check the Tenant API URL and the API Version in the credential; a proxy or a login page may answer instead.',
		{ kind: 'response' },
	);
}

/** Whether it has a field that explains an outcome. */
export function hasExplanation(part: unknown): boolean {
	return isJsonObject(part) && valuesIn(partOf(part), EXPLANATION).length > 0;
}

/** Whether a flag says that the request failed. */
function hasFailureFlag(part: Part): boolean {
	return (
		valuesIn(part, FAILURE_FLAG).includes(true) ||
		valuesIn(part, SUCCESS_FLAG).some((flag) => readBoolean(flag) === false) ||
		valuesIn(part, STATUS).some((status) => FAILED_STATUS.test(String(status)))
	);
}

/** Whether an error, a text or a code says that the request failed. */
function hasErrorDetail(part: Part, lists: ListContent): boolean {
	const isFailure = (text: unknown) => typeof text === 'string' && classifyText(text) === 'failure';
	const succeeded = indicatesSuccess(part);
	// If there is a list, a success code counts more than a text beside it.
	const counts = (error: unknown) => !succeeded || lists === 'none' || typeof error !== 'string';
	if (valuesIn(part, ERROR).some((error) => indicatesError(error) && counts(error))) return true;
	if (!succeeded && valuesIn(part, ERROR_TEXT).some(indicatesError)) return true;
	if (!succeeded && lists !== 'records' && explanationsIn(part).some(isFailure)) return true;
	// Codes of the service's own, such as 1001 or -1, are errors only without a list.
	return outcomeCodes(part).some(
		(code) => (code >= 400 && code < 600) || ((code < 0 || code >= 600) && lists === 'none'),
	);
}

function explanationsIn(part: Part): unknown[] {
	const statuses = new Set(valuesIn(part, STATUS));
	// Such a word in a status field is a flag and does not explain the failure.
	const isFlag = (code: unknown) => FAILED_STATUS.test(String(code)) && statuses.has(code);
	const codes = valuesIn(part, CODE).filter((code) => !isFlag(code));
	return [...codes, ...valuesIn(part, EXPLANATION)];
}

function indicatesSuccess(part: Part): boolean {
	// A number under `succeeded` may be a count.
	const isTrue = (flag: unknown) => typeof flag !== 'number' && readBoolean(flag) === true;
	const isCode = (code: unknown) =>
		SUCCESS_CODE.test(String(code)) || SUCCESS_STATUS.test(String(code));
	return valuesIn(part, SUCCESS_FLAG).some(isTrue) || valuesIn(part, CODE).some(isCode);
}

/** The codes of the outcome, without those of success and without longer numbers. */
function outcomeCodes(part: Part): number[] {
	return valuesIn(part, CODE)
		.map((value) => readDecimal(value) ?? NaN)
		.filter((code) => Number.isInteger(code) && Math.abs(code) < 1_000_000_000)
		.filter((code) => !SUCCESS_CODE.test(String(code)));
}

/** Outcomes other than success that an object states, such as `status: timeout`. */
export function findOutcomes(part: JsonObject): string[] {
	return partOf(part).fields.flatMap(([name, value]) => {
		if (!CODE.test(name) || (typeof value !== 'string' && typeof value !== 'number')) return [];
		return indicatesError(value) ? [`${name}: ${value}`] : [];
	});
}

type ListContent = 'none' | 'empty' | 'records';

function listContentOf(value: unknown): ListContent {
	if (Array.isArray(value)) return value.length > 0 ? 'records' : 'empty';
	if (!isJsonObject(value)) return 'none';
	const found = Object.entries(value)
		.filter(([key]) => !isFaultName(normalizedLocalName(key)))
		.map(([, inner]) => listContentOf(inner));
	return (['records', 'empty'] as const).find((kind) => found.includes(kind)) ?? 'none';
}

/** Whether an error field, or something in it, states anything but success. */
export function indicatesError(value: unknown): boolean {
	if (Array.isArray(value)) return value.some(indicatesError);
	if (isJsonObject(value))
		return !indicatesSuccess(partOf(value)) && Object.values(value).some(indicatesError);
	if (typeof value === 'number') return !SUCCESS_CODE.test(String(value));
	return typeof value === 'string' ? classifyText(value) !== 'success' : value === true;
}

function valuesIn({ fields }: Part, names: RegExp): unknown[] {
	return fields.filter(([name]) => names.test(name)).map(([, value]) => value);
}
