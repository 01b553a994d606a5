import { isRecord } from '../json/isRecord';
import { outcomeCodes } from './errorBody';
import type { HttpAnswer } from './httpMessage';

/** 401 (RFC 9110 §15.5.2), and what frameworks send in its place: Laravel 419, IIS 440, ArcGIS 498. */
const INVALID_TOKEN_STATUSES = new Set([401, 419, 440, 498]);

/**
 * Whether an answer says that the token is not valid: by its status, by the error code of RFC 6750 §3.1 with whatever
 * status, or by 401 in the body of an answer with a status of success.
 */
export function refusesToken({ statusCode, headers, body }: HttpAnswer): boolean {
	if (INVALID_TOKEN_STATUSES.has(statusCode)) return true;
	if (/\binvalid_token\b/.test(headers['www-authenticate'] ?? '')) return true;
	if (!isRecord(body)) return false;
	return body.error === 'invalid_token' || outcomeCodes(body).split(',').includes('401');
}
