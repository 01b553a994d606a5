import {
	classifyText,
	type TextClass,
} from '../../../../../nodes/VisitorService/response/outcomeText';

const TEXTS: Record<TextClass, string[]> = {
	success: [
		...['', 'OK', 'okay.', 'None', 'N/A', '0', '0x0', '20000', 'S_OK', 'NoError', 'NO_ERROR'],
		...['ERROR_SUCCESS', 'Success!', 'Operation successful', 'Users retrieved successfully'],
		...['No errors found.', 'Completed without errors', 'Done', 'The operation completed.'],
		'Finished with 0 failures',
	],
	noRecords: [
		...['No records found', 'no data', 'No matching users were found.', 'No more data'],
		...['0 results', 'Zero rows', 'User not found', 'User(s) not found', 'Users: not found'],
		...['"users" not found', 'Record(s): none, not found', 'Records could not be found'],
		...['The result is empty', 'The data set is empty', 'Empty list', 'Nothing to show'],
		...['Could not find any users', "We couldn't find any matching visits"],
	],
	noPage: [
		...['Page out of range', 'The page 7 does not exist', 'Page not found', 'Invalid page'],
		...['invalid page number', 'Page number exceeds the last one', 'Offset is beyond the total'],
		...['Requested page is greater than 3', 'End of list', 'You have reached the end'],
		...['No more pages', 'Not Found', 'NOT_FOUND', '404 not found', 'This is past the last page'],
	],
	failure: [
		...['Page size exceeds maximum of 50', 'pageSize is invalid', 'Invalid page size'],
		...['Unexpected end of JSON input', 'list index out of range: error', 'Column not found'],
		...['Controller not found', 'Token not found', 'Method not found', 'siteId can not be empty'],
		...['rate limit exceeded', 'RATE_LIMITED', 'OVER_QUERY_LIMIT', 'REQUEST_DENIED'],
		...['Unauthorized', 'unsuccessful', 'Not successful', 'Service busy, try later'],
		...['Database timeout', 'The request timed out', 'Resource not found', 'Company not found'],
		...['Completed with errors', 'Not done'],
	],
	unclear: ['Users', 'Come back tomorrow', 'no shard available for [people]', 'pending'],
};

describe('classifyText', () => {
	it.each(
		Object.entries(TEXTS).flatMap(([meaning, texts]) => texts.map((text) => ({ text, meaning }))),
	)('takes "$text" for $meaning', ({ text, meaning }) => {
		expect(classifyText(text)).toBe(meaning);
	});
});
