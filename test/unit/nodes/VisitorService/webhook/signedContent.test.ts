import {
	contentParts,
	placeholdersIn,
} from '../../../../../nodes/VisitorService/webhook/signedContent';

const body = Buffer.from('{"a":"{timestamp}"}');
const build = (template: string) =>
	Buffer.concat(contentParts(template, { body, timestamp: '{id}', id: 'é' }));

describe('contentParts', () => {
	it('puts the values where the template says', () => {
		expect(build('{body}')).toEqual(body);
		expect(build('v0:{timestamp}:{body}').toString()).toBe('v0:{id}:{"a":"{timestamp}"}');
		expect(build('{body}{body}').toString()).toBe(body.toString().repeat(2));
	});

	it('leaves other text as it is', () => {
		expect(build('{Body}{url} {body}').toString()).toBe(`{Body}{url} ${body.toString()}`);
		expect(build('').toString()).toBe('');
	});

	it('gives header values as the bytes that came', () => {
		expect(build('{id}')).toEqual(Buffer.from([0xe9]));
	});
});

describe('placeholdersIn', () => {
	it.each([
		['{body}', ['body']],
		['{id}.{timestamp}.{body}', ['id', 'timestamp', 'body']],
		['body', []],
		['{BODY}', []],
	])('%s', (template, expected) => {
		expect([...placeholdersIn(template)]).toEqual(expected);
	});
});
