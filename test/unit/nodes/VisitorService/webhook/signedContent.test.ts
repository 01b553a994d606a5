import { createHash } from 'node:crypto';

import {
	fillIn,
	hasOpenBorder,
	holds,
	isReadAs,
	parseTemplate,
	signedValues,
	unknownPlaceholder,
} from '../../../../../nodes/VisitorService/webhook/template';
import { delivery, OWN_URL } from './deliveries';

const body = Buffer.from('{"a":"{timestamp}"}');
const sent = delivery(
	body,
	{ 'x-id': 'e-1', 'x-list': ['a', 'b'], 'x-text': ' \u00e9 ' },
	{ query: { q: 'ä b', l: ['1', '2'] } },
);

function build(template: string): Buffer | undefined {
	const parts = parseTemplate(template, 'X-Id');
	const values = signedValues(parts, { ...sent, timestamp: '1700000000' });
	return values && Buffer.concat(fillIn(parts, values));
}

describe('the signed bytes', () => {
	it('the signed bytes have the values at the places the template names', () => {
		expect(build('{body}')).toEqual(body);
		expect(build('v0:{timestamp}:{body}')?.toString()).toBe('v0:1700000000:{"a":"{timestamp}"}');
		expect(build('{body}{body}')?.toString()).toBe(body.toString().repeat(2));
	});

	it('the signed bytes have other text as it is', () => {
		expect(build('{Body}{nonce} {body}\n')?.toString()).toBe(`{Body}{nonce} ${body.toString()}\n`);
		expect(build('')?.toString()).toBe('');
	});

	it('the signed bytes have header values as the bytes that came', () => {
		expect(build('{id}')?.toString()).toBe('e-1');
		expect(build('{header.X-Text}')).toEqual(Buffer.from([0xe9]));
		expect(build('{header.x-list}')?.toString()).toBe('a, b');
	});

	it('the signed bytes have method, URL and path, the URL with the query as it came', () => {
		expect(build('{method}')?.toString()).toBe('POST');
		expect(build('{url}')?.toString()).toBe(OWN_URL);
		expect(build('{path}')?.toString()).toBe('/webhook/1/webhook');
	});

	it('the signed bytes have query parameters decoded', () => {
		expect(build('{query.q}|{query.l}')?.toString()).toBe('ä b|1,2');
	});

	it('the signed bytes have the hash of the body', () => {
		const hash = createHash('sha256').update(body);
		expect(build('{bodySha256Hex}')?.toString()).toBe(hash.copy().digest('hex'));
		expect(build('{bodySha256Base64}')?.toString()).toBe(hash.digest('base64'));
	});

	it.each(['{header.x-none}', '{query.none}', '{header.constructor}', '{query.__proto__}'])(
		'the signed bytes are not there without %s',
		(template) => {
			expect(build(`${template}{body}`)).toBeUndefined();
		},
	);
});

describe('a template', () => {
	it.each([
		['{body}', true],
		['{timestamp}.{bodySha256Hex}', true],
		['{bodySha256Base64}', true],
		['{timestamp}', false],
		['{url}', false],
		['{BODY}', false],
		['{header.body}', false],
		['{query.body}', false],
		['body', false],
		['', false],
	])('%j protects the body: %p', (template, expected) => {
		expect(holds(parseTemplate(template), 'body')).toBe(expected);
	});

	it.each([
		['{id}.{timestamp}.{body}', undefined],
		['{Body}', '{Body}'],
		['{ body }', '{ body }'],
		['{body}{header.}', '{header.}'],
		['{header.x y}{body}', '{header.x y}'],
		['{{body}}', '{'],
		['{body}}', '}'],
		['${timestamp}.${body}', '$'],
		['$.{body}', undefined],
		['{"a":{body}}', undefined],
		['{"a":{nonce}}', '{nonce}'],
		['{header.x-a}{query.b c}', undefined],
	])('%j has the unknown placeholder %j', (template, expected) => {
		expect(unknownPlaceholder(parseTemplate(template))).toEqual(expected);
	});

	it.each([
		['{id}{timestamp}{body}', false],
		['{method}{url}{body}{timestamp}', false],
		['{id}{bodySha256Hex}', false],
		['{timestamp}{method}{path}{body}', false],
		['{method}{path}{timestamp}{bodySha256Hex}', false],
		['{timestamp}{id}.{body}', false],
		['{url}{timestamp}{body}', false],
		['{timestamp}{query.a}.{body}', false],
		['{query.a}{timestamp}.{body}', false],
		['{path}{id}.{body}', false],
		['{header.host}{path}{body}', false],
		['{url}{method}{body}', false],
		['{url}{id}.{body}', true],
		['{query.a}{query.b}{body}', true],
		['{id}{header.x}{body}', true],
	])('%j has values of which nothing says where they end: %p', (template, expected) => {
		expect(hasOpenBorder(parseTemplate(template))).toBe(expected);
	});

	it.each([
		['2021-02-25 15:02:10 UTC', true],
		['2021-02-25T15:02:10 +0000', true],
		['Thu, 25 Feb 2021 15:02:10 +0000', true],
		['Thu, 25 Feb 2021 15:02:10 GMT', true],
		['2021-02-25', false],
	])('reads the time %j as it is signed: %p', (time, expected) => {
		for (const text of ['{timestamp}.{body}', '{id}{timestamp}{body}', '{body}{timestamp}']) {
			const parts = parseTemplate(text);
			const written = new Map([
				['timestamp', time],
				['id', 'e-7'],
				['body', '{}'],
			]);
			const values = parts.values.map(({ kind }) => Buffer.from(written.get(kind) ?? ''));
			expect(isReadAs(parts, values)).toBe(expected);
		}
	});

	// Each such value would be tried at each line of a body that is not JSON.
	it('takes no line break for a part of a header or a path', () => {
		const parts = parseTemplate('{bodySha256Hex}{header.x}');
		const read = (header: string) =>
			isReadAs(parts, [Buffer.from('0'.repeat(64)), Buffer.from(header)]);
		expect([read('c'), read('c\nd')]).toEqual([true, false]);
	});

	it('tells which values it holds', () => {
		const parts = parseTemplate('{id}{body}');
		expect([holds(parts, 'id'), holds(parts, 'timestamp')]).toEqual([true, false]);
	});
});
