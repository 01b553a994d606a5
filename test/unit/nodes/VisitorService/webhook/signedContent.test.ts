import { createHash } from 'node:crypto';

import {
	hasAmbiguousBorder,
	hasOneDivision,
	hasPlaceholder,
	parseTemplate,
	renderSignedContent,
	signedValues,
	unknownPlaceholder,
} from '../../../../../nodes/VisitorService/webhook/template';
import { delivery, OWN_URL } from './deliveries';

const body = '{"a":"{timestamp}"}';
const sent = delivery(
	body,
	{ 'x-id': 'e-1', 'x-list': ['a', 'b'], 'x-text': ' \u00e9 ' },
	{ query: { q: 'ä b', l: ['1', '2'] } },
);
const hash = (form: 'hex' | 'base64') => createHash('sha256').update(body).digest(form);

function build(template: string): Buffer | undefined {
	const parts = parseTemplate(template, 'X-Id');
	const values = signedValues(parts, { ...sent, timestamp: '1700000000' });
	return values && Buffer.concat(renderSignedContent(parts, values));
}

it.each([
	['{body}', body],
	['v0:{timestamp}:{body}', `v0:1700000000:${body}`],
	['{Body}{nonce} {body}\n', `{Body}{nonce} ${body}\n`],
	['{id}', 'e-1'],
	['{header.x-list}', 'a, b'],
	// With the query as it came.
	['{url}', OWN_URL],
	['{path}', '/webhook/1/webhook'],
	['{query.q}|', 'ä b|'],
	['{bodySha256Hex}', hash('hex')],
	['{bodySha256Base64}', hash('base64')],
	...['{header.x-none}', '{query.none}', '{query.l}', '{query.__proto__}'].map(
		(missing): [string, undefined] => [`${missing}{body}`, undefined],
	),
])('the signed bytes of %j are %j', (template, expected) => {
	expect(build(template)?.toString()).toBe(expected);
});

it('the signed bytes have the value of a header as the bytes that came', () => {
	expect(build('{header.X-Text}')).toEqual(Buffer.from([0xe9]));
});

it('a template protects the body if it holds it or its hash', () => {
	const protects = (template: string) => hasPlaceholder(parseTemplate(template), 'body');
	const right = ['{body}', '{timestamp}.{bodySha256Hex}', '{bodySha256Base64}'];
	const wrong = ['{timestamp}', '{url}', '{BODY}', '{header.body}', '{query.body}', 'body', ''];
	expect([...right, ...wrong].filter(protects)).toEqual(right);
});

it.each([
	['{ body }', '{ body }'],
	['{body}{header.}', '{header.}'],
	['{header.x y}{body}', '{header.x y}'],
	['{body}}', '}'],
	['${timestamp}.${body}', '$'],
	['$.{body}', undefined],
	['{"a":{body}}', undefined],
	['{"a":{nonce}}', '{nonce}'],
	['{header.x-a}{query.b c}', undefined],
])('a template %j has the unknown placeholder %j', (template, expected) => {
	expect(unknownPlaceholder(parseTemplate(template))).toEqual(expected);
});

it('a template has an open border if nothing says where its values end', () => {
	const open = [
		'{url}{id}{body}',
		'{query.a}{query.b}{body}',
		'{query.a}{body}',
		'{id}{header.x}{body}',
	];
	const closed = [
		...['{id}{timestamp}{body}', '{method}{url}{body}{timestamp}', '{id}{bodySha256Hex}'],
		...['{timestamp}{method}{path}{body}', '{method}{path}{timestamp}{bodySha256Hex}'],
		...['{timestamp}{id}.{body}', '{url}{timestamp}{body}', '{timestamp}{query.a}.{body}'],
		...['{query.a}{timestamp}.{body}', '{path}{id}.{body}', '{header.host}{path}{body}'],
		...['{url}{method}{body}', '{url}{id}.{body}'],
	];
	const isOpen = (template: string) => hasAmbiguousBorder(parseTemplate(template));
	expect([...open, ...closed].filter(isOpen)).toEqual(open);
});

it.each([
	['2021-02-25 15:02:10 UTC', true],
	['2021-02-25T15:02:10 +0000', true],
	['Thu, 25 Feb 2021 15:02:10 +0000', true],
	['Thu, 25 Feb 2021 15:02:10 GMT', true],
	['2021-02-25', false],
])('the time %j is read as it is signed: %p', (time, expected) => {
	const written: Record<string, string> = { timestamp: time, id: 'e-7', body: '{}' };
	for (const text of ['{timestamp}.{body}', '{id}{timestamp}{body}', '{body}{timestamp}']) {
		const parts = parseTemplate(text);
		const values = parts.values.map(({ kind }) => Buffer.from(written[kind] ?? ''));
		expect(hasOneDivision(parts, values)).toBe(expected);
	}
});

// Each such value would be tried at each line of a body that is not JSON.
it('a line break is no part of a header or a path', () => {
	const parts = parseTemplate('{bodySha256Hex}{header.x}');
	const read = (header: string) =>
		hasOneDivision(parts, [Buffer.from('0'.repeat(64)), Buffer.from(header)]);
	expect([read('c'), read('c\nd')]).toEqual([true, false]);
});
