import {
	isReadableContent,
	readBody,
} from '../../../../../../nodes/VisitorService/webhook/delivery/body';

function read(body: string | Buffer, contentType?: string): unknown {
	const result = readBody(Buffer.from(body), { 'content-type': contentType });
	return result.kind === 'content' ? result.value : 'not readable';
}

describe('readBody', () => {
	it.each([
		['empty', '', 'application/json', null],
		['blank', ' \n', undefined, null],
		['an object', '{"a":1}', 'application/json', { a: 1 }],
		['an array', '[1,2]', 'application/json; charset=utf-8', [1, 2]],
		['a string', '"a"', 'application/json', 'a'],
		['null', 'null', 'application/json', null],
		['false', 'false', 'application/json', false],
		['JSON without a type', '{"a":1}', undefined, { a: 1 }],
		['JSON under a vendor type', '{"a":1}', 'application/vnd.example+json', { a: 1 }],
		['JSON called text', '{"a":1}', 'text/plain', { a: 1 }],
		[
			'JSON called a form, as curl -d does',
			'{"a":1}',
			'application/x-www-form-urlencoded',
			{ a: 1 },
		],
		['JSON with a byte order mark', '\ufeff{"a":1}', 'application/json', { a: 1 }],
		['cut-off JSON', '{"a":', 'application/json', '{"a":'],
		['two JSON texts', '{"a":1}\n{"a":2}', 'application/json', '{"a":1}\n{"a":2}'],
		['text', 'hello', 'text/plain', 'hello'],
		['XML', '<a>1</a>', 'application/xml', '<a>1</a>'],
		[
			'a form',
			'a=1&b=%20x+y&a=2',
			'application/x-www-form-urlencoded',
			{ a: ['1', '2'], b: ' x y' },
		],
		['a form in capitals', 'a=1', 'Application/X-WWW-Form-URLencoded; charset=UTF-8', { a: '1' }],
		[
			'a broken form',
			'a=%zz&=&&b',
			'application/x-www-form-urlencoded',
			{ a: '%zz', '': '', b: '' },
		],
		[
			'an object in the only field of a form, as GitHub and Slack send it',
			`payload=${encodeURIComponent('{"type":"block_actions","n":"a&b"}')}`,
			'application/x-www-form-urlencoded',
			{ type: 'block_actions', n: 'a&b' },
		],
		[
			'a list in the only field of a form, as Mandrill sends it',
			'mandrill_events=%5B%7B%22event%22%3A%22open%22%7D%5D',
			'application/x-www-form-urlencoded',
			[{ event: 'open' }],
		],
		[
			'an object in one of several fields of a form',
			'token=a&payload=%7B%7D',
			'application/x-www-form-urlencoded',
			{ token: 'a', payload: '{}' },
		],
		[
			'an object in the first of several fields of a form',
			'payload=%7B%7D&token=a',
			'application/x-www-form-urlencoded',
			{ payload: '{}', token: 'a' },
		],
		['a number in a form', 'a=1', 'application/x-www-form-urlencoded', { a: '1' }],
		['null in a form', 'a=null', 'application/x-www-form-urlencoded', { a: 'null' }],
	])('reads a body of this kind: %s', (_, body, contentType, expected) => {
		expect(read(body, contentType)).toEqual(expected);
	});

	it('leaves a form of more than 1,000 fields as text', () => {
		const form = (fields: number) =>
			Array.from({ length: fields }, (_, index) => `${index}=`).join('&');
		const type = 'application/x-www-form-urlencoded';
		expect(Object.keys(read(form(1000), type) as object)).toHaveLength(1000);
		expect(read(form(1001), type)).toBe(form(1001));
	});

	it('reads the charset the sender names', () => {
		const latin1 = Buffer.from('{"a":"Müller"}', 'latin1');
		expect(read(latin1, 'application/json; charset=iso-8859-1')).toEqual({ a: 'Müller' });
		expect(read(latin1, 'application/json; charset="ISO-8859-1"')).toEqual({ a: 'Müller' });
		expect(read(latin1, "application/json; charset='iso-8859-1'")).toEqual({ a: 'Müller' });
		expect(read(latin1, 'application/json; charset=iso-8859-1, text/plain')).toEqual({
			a: 'Müller',
		});
		const utf16 = Buffer.from('\ufeff{"a":"Müller"}', 'utf16le');
		expect(read(utf16, 'application/json;charset=utf-16le')).toEqual({ a: 'Müller' });
		expect(
			read(
				Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0x82, 0xa0, 0x22, 0x7d]),
				'application/json; charset=shift_jis',
			),
		).toEqual({ a: 'あ' });
	});

	it.each([
		['UTF-8', Buffer.from('\ufeff{"a":"Müller"}')],
		['UTF-16, little endian', Buffer.from('\ufeff{"a":"Müller"}', 'utf16le')],
		['UTF-16, big endian', Buffer.from('\ufeff{"a":"Müller"}', 'utf16le').swap16()],
	])('reads what begins with a byte order mark as %s, whatever charset is named', (_, body) => {
		for (const type of ['application/json', 'text/plain; charset=iso-8859-1', 'text/plain']) {
			expect(read(body, type)).toEqual({ a: 'Müller' });
		}
	});

	it.each(['x-unknown', 'utf-7', 'hex'])('does not guess the charset %s', (charset) => {
		expect(read('{"a":1}', `application/json; charset=${charset}`)).toBe('not readable');
	});

	it('replaces bytes that are not UTF-8', () => {
		expect(read(Buffer.from([0x22, 0xff, 0x22]), 'application/json')).toBe('\ufffd');
	});

	it('leaves what is nested too deeply as text', () => {
		const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
		expect(read(nested(200))).toBeInstanceOf(Array);
		expect(read(nested(201))).toBe(nested(201));
		expect(read(nested(1_000_000))).toBe(nested(1_000_000));
		const objects = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
		expect(read(objects)).toBe(objects);
	});

	it('leaves a form of thousands of fields as text', () => {
		const form = 'a=1&'.repeat(5000);
		expect(read(form, 'application/x-www-form-urlencoded')).toBe(form);
	});

	it('lets nobody reach the prototype', () => {
		for (const [body, contentType] of [
			['{"__proto__":{"polluted":true}}', 'application/json'],
			['__proto__=polluted&constructor=x', 'application/x-www-form-urlencoded'],
		]) {
			const value = read(body ?? '', contentType);
			expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
			expect({}).not.toHaveProperty('polluted');
			expect(Object.keys(value as object)).toContain('__proto__');
		}
	});

	it('reads 16 MB', () => {
		const body = JSON.stringify({
			event: 'visit.created',
			data: { note: 'x'.repeat(16 * 1024 * 1024 - 100) },
		});
		expect(read(body, 'application/json')).toEqual(JSON.parse(body));
	});
});

describe('isReadableContent', () => {
	it.each([
		[{}, true],
		[{ 'content-encoding': 'identity' }, true],
		[{ 'content-encoding': 'gzip' }, true],
		[{ 'content-encoding': 'GZIP' }, false],
		[{ 'content-encoding': 'deflate' }, true],
		[{ 'content-encoding': 'br' }, false],
		[{ 'content-encoding': 'gzip, gzip' }, false],
		[{ 'content-encoding': 'zstd' }, false],
		[{ 'content-type': 'multipart/form-data; boundary=x' }, false],
		[{ 'content-type': 'Multipart/Form-Data' }, false],
		[{ 'content-type': 'multipart/mixed; boundary=x' }, true],
		[{ 'content-type': 'application/json' }, true],
	])('tells whether content with the headers %j can be read: %s', (headers, expected) => {
		expect(isReadableContent(headers)).toBe(expected);
	});
});
