import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { delivery, hmac, sign, verdictOn } from './deliveries';

interface Vectors {
	key: string;
	cases: Array<{ tcId: number; comment: string; msg: string; tag: string }>;
}

const file = join(__dirname, 'vectors', 'wycheproofHmacSha256Invalid.json');
const { key, cases } = JSON.parse(readFileSync(file, 'utf8')) as Vectors;
const secret = Buffer.from(key, 'hex').toString('latin1');

it.each(cases)('rejects case $tcId of Wycheproof ($comment)', ({ msg, tag }) => {
	const body = Buffer.from(msg, 'hex');
	const check = (signature: string, encoding: 'hex' | 'base64') =>
		verdictOn(delivery(body, { 'x-signature': signature }), hmac({ encoding }), [secret]);
	expect(check(tag, 'hex')).not.toBe('verified');
	expect(check(Buffer.from(tag, 'hex').toString('base64'), 'base64')).not.toBe('verified');
	// The same message with its true tag passes, so it is the tag that was rejected.
	expect(check(sign(secret, body), 'hex')).toBe('verified');
});

it('rejects a tag cut short, even a right one', () => {
	const right = sign(secret, 'x');
	for (let length = 0; length < right.length; length++) {
		const headers = { 'x-signature': right.slice(0, length) };
		expect(verdictOn(delivery('x', headers), hmac(), [secret])).not.toBe('verified');
	}
});
