import { sanitizeServerText } from '../../../../../nodes/VisitorService/values/serverText';

describe('sanitizeServerText', () => {
	it.each<[string, unknown, string]>([
		['a text', 'No such page.', 'No such page.'],
		['RFC 9457', { type: 'x', title: 'Bad', detail: 'page is too large' }, 'page is too large'],
		[
			'RFC 6749',
			{ error: 'invalid_client', error_description: 'unknown client' },
			'unknown client',
		],
		['a nested error', { error: { code: 7, message: 'no page' } }, 'no page'],
		['a list of errors', { errors: [{ message: 'no page' }, { message: 'no size' }] }, 'no page'],
		['msg', { msg: 'no page' }, 'no page'],
		['errmsg', { errcode: 40001, errmsg: 'no page' }, 'no page'],
		['what is wrong with a field', { errors: { sort: ['is unknown'] } }, 'is unknown'],
		['that rather than', { title: 'Not valid.', errors: { Sort: ['is unknown'] } }, 'is unknown'],
		['SOAP', { fault: { faultcode: 'Client', faultstring: 'no page' } }, 'no page'],
		['an object that is not named for errors', { status: { code: 7, message: 'no' } }, 'no'],
		['a name that says more', { meta: { error_message: 'no page' } }, 'no page'],
		['the sentence before a code', { errorCode: 'E_7', errorInfo: 'no page' }, 'no page'],
		['the message before its details', { message: 'no', details: [{ reason: 'X' }] }, 'no'],
		['Apigee', { fault: { faultstring: 'no page', detail: { errorcode: 'E.7' } } }, 'no page'],
		['OData', { 'odata.error': { message: { lang: 'en', value: 'no page' } } }, 'no page'],
		['a list of violations', { violations: [{ propertyPath: 'page', message: 'no' }] }, 'no'],
		[
			'FHIR',
			{ issue: [{ severity: 'error', code: 'invalid', diagnostics: 'no page' }] },
			'no page',
		],
		['a code alone', { code: 'E_PAGE' }, 'E_PAGE'],
		['the first field that says something', { detail: ' ', message: 'no page' }, 'no page'],
	])('finds the sentence in %s', (_, body, text) => {
		expect(sanitizeServerText(body)).toBe(text);
	});

	it.each<[string, unknown]>([
		['null', null],
		['a number', 42],
		['an empty object', {}],
		['an empty text', ' '],
		['an empty list', { errors: [] }],
		['HTML', '<html><body>Error</body></html>'],
		['HTML inside', { message: '<p>no</p>' }],
		['other fields', { secret: 'abc', data: { name: 'Ada' }, users: [{ title: 'Dr' }] }],
		['a sentence too deep', { error: { error: { error: { error: 'deep' } } } }],
		['nothing but a token', { message: 'x'.repeat(60) }],
	])('finds none in %s', (_, body) => {
		expect(sanitizeServerText(body)).toBeUndefined();
	});

	it.each([
		['Bearer abc.def.ghi is expired', 'Bearer … is expired'],
		['basic dXNlcjpwYXNz rejected', 'basic … rejected'],
		['user-000123@example.test may not', '… may not'],
		['no /users/anna%40example.test here', 'no … here'],
		['no anna%2540example.test here', 'no … here'],
		['call +49 (151) 234-5678 first', 'call … first'],
		['q=%2B491512345678 is bad', 'q=… is bad'],
		['phone 0049 151 2345678 is taken', 'phone … is taken'],
		['phone 030/1234567 is taken', 'phone … is taken'],
		['phone (555) 123-4567 is taken', 'phone … is taken'],
		['IBAN DE89 3704 0044 0532 0130 00 is taken', 'IBAN … is taken'],
		['IBAN GB82WEST12345698765432 is taken', 'IBAN … is taken'],
		[
			'page 1000 of 2026-01-31T08:00:00+01:00 fails',
			'page 1000 of 2026-01-31T08:00:00+01:00 fails',
		],
		[
			'updatedSince 1769846401000, version 10.0.12.255',
			'updatedSince 1769846401000, version 10.0.12.255',
		],
		[`key ${'k'.repeat(40)} unknown`, 'key … unknown'],
		['two\nlines\tand\u0000\u200b more', 'two lines and more'],
		['say "no"', "say 'no'"],
		['\u202eevil', 'evil'],
	])('cleans the text %p of the server', (text, cleaned) => {
		expect(sanitizeServerText(text)).toBe(cleaned);
	});

	it('sanitizeServerText returns at most 200 characters', () => {
		const text = sanitizeServerText('word '.repeat(100)) ?? '';
		expect(text.length).toBeLessThanOrEqual(200);
		expect(text.length).toBeGreaterThan(190);
		expect(text).toMatch(/ …$/);
	});

	it('sanitizeServerText cuts nothing within what may be a secret', () => {
		const token = 'tok_0123456789abcdef0123456789ab';
		for (let before = 160; before < 210; before++) {
			const text = sanitizeServerText(`${'x '.repeat(before / 2)}${token} is expired`) ?? '';
			expect(text.replace(token, '')).not.toContain('tok');
		}
	});
});
