import { isRecord } from '../values/json';
import { findRecords, type ListAnswer, meansNoRecords, type RecordsSought } from './records';

/** More records than an answer has that reports errors in a list. */
const SURELY_RECORDS = 10;

/** Whether an answer of any status is a list, which may be an empty one. */
export function isList(answer: ListAnswer, sought: RecordsSought): boolean {
	if (answer.statusCode < 200 || answer.statusCode >= 300) return false;
	if (holdsManyRecords(answer.body)) return true;
	const reading = findRecords(answer, sought);
	return reading.kind === 'records' || meansNoRecords(reading);
}

/** Most pages are known at a glance, without looking for their list. */
function holdsManyRecords(body: unknown): boolean {
	const places = isRecord(body) ? Object.values(body) : [body];
	return places.some((one) => Array.isArray(one) && one.length > SURELY_RECORDS);
}
