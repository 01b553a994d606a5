import { toHttpAnswer } from '../../../../../nodes/VisitorService/http/message';

describe('toHttpAnswer', () => {
	it('reads status, headers and body', () => {
		const body = { data: [] };
		expect(
			toHttpAnswer({
				statusCode: 200,
				headers: { 'Retry-After': 5, Link: ['a', 'b'], 'X-Nothing': undefined, 'x-object': {} },
				body,
				request: { secret: true },
			}),
		).toEqual({ statusCode: 200, headers: { 'retry-after': '5', link: 'a, b' }, body });
	});

	it.each([
		[null],
		[undefined],
		['text'],
		[42],
		[[]],
		[{}],
		[{ statusCode: '200', headers: null }],
	])('makes of %p an answer that is none', (response) => {
		expect(toHttpAnswer(response)).toEqual({ statusCode: 0, headers: {}, body: undefined });
	});

	const answerOf = (bytes: Buffer, type = 'application/json', statusCode = 200) =>
		toHttpAnswer({ statusCode, headers: { 'content-type': type }, body: bytes });

	it.each<[string, Buffer]>([
		['application/json', Buffer.from('{"name":"Zoë"}')],
		['application/json; charset=utf-8', Buffer.from('\ufeff{"name":"Zoë"}')],
		['application/json;Charset="ISO-8859-1"', Buffer.from('{"name":"Zoë"}', 'latin1')],
		['text/plain; charset=windows-1252', Buffer.from('{"name":"Zoë"}', 'latin1')],
		['application/json; charset=utf-16le', Buffer.from('\ufeff{"name":"Zoë"}', 'utf16le')],
		['application/json; charset=unheard-of', Buffer.from('{"name":"Zoë"}')],
	])('decodes the bytes of %s', (type, bytes) => {
		expect(answerOf(bytes, type).body).toEqual({ name: 'Zoë' });
	});

	it('reads the signs that Windows-1252 has and Latin-1 has not, on every Node.js', () => {
		const bytes = Buffer.from('"\x80\x93\x94"', 'latin1');
		expect(answerOf(bytes, 'application/json; charset=windows-1252').body).toBe('€“”');
	});

	it.each<[string, Buffer]>([
		['application/json', Buffer.from('{"name":"Zoë"}', 'latin1')],
		['application/json; charset=utf-8', Buffer.from([0x7b, 0xc3])],
		['application/json; charset=shift_jis', Buffer.from([0x7b, 0x81])],
	])('refuses bytes that are not text in the charset of %s', (type, bytes) => {
		expect(() => answerOf(bytes, type)).toThrow(/has bytes that are not text in its charset/);
		expect(answerOf(bytes, type, 401)).toMatchObject({ statusCode: 401, body: undefined });
	});

	it('names the fields with long integers', () => {
		expect(answerOf(Buffer.from('{"card":12345678901234567}'))).toMatchObject({
			body: { card: '12345678901234567' },
			longIntegers: ['card'],
		});
		expect(answerOf(Buffer.from('{"card":1}'))).not.toHaveProperty('longIntegers');
	});
});
