import { decodeBytes, keyOf } from '../../../../../nodes/VisitorService/webhook/key';
import fc from '../../../../properties';

const digest = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes));

describe('decodeBytes', () => {
	it('reads each form back to the same bytes', () => {
		fc.assert(
			fc.property(digest, (bytes) => {
				const forms: Array<[string, 'hex' | 'base64']> = [
					[bytes.toString('hex'), 'hex'],
					[bytes.toString('hex').toUpperCase(), 'hex'],
					[bytes.toString('base64'), 'base64'],
					[bytes.toString('base64').replace(/=+$/, ''), 'base64'],
					[bytes.toString('base64url'), 'base64'],
				];
				for (const [text, encoding] of forms) {
					expect(decodeBytes(text, encoding)).toEqual(bytes);
				}
			}),
		);
	});

	it.each(['', 'zz', 'a', 'é', 'ab cd', `0x${'ab'.repeat(31)}`])(
		'%j is not a hex signature',
		(text) => {
			expect(decodeBytes(text, 'hex')).toBeUndefined();
		},
	);
});

describe('the key of a secret', () => {
	const key = Buffer.from([1, 2, 0xfb, 0xff]);
	const read = (secret: string, secretEncoding: 'text' | 'base64' | 'hex') =>
		keyOf(secret, { algorithm: 'sha256', secretEncoding })?.bytes;

	it('is read from text, Base64 with and without whsec_, and hex', () => {
		expect(read(' ä ', 'text')).toEqual(Buffer.from(' ä '));
		expect(read(`${key.toString('base64')}\n`, 'base64')).toEqual(key);
		expect(read(`whsec_${key.toString('base64url')}`, 'base64')).toEqual(key);
		expect(read(key.toString('hex').toUpperCase(), 'hex')).toEqual(key);
	});

	it.each([
		['not base64!', 'base64'],
		['', 'base64'],
		['abc', 'hex'],
		['whsec_00', 'hex'],
		// Anybody could sign with a secret without any bytes.
		['', 'text'],
		['', 'hex'],
	] as const)('is not found in %j as %s', (text, encoding) => {
		expect(read(text, encoding)).toBeUndefined();
	});
});

describe('decodeBase64', () => {
	it('reads nothing but base64', () => {
		expect(decodeBytes('Zg==', 'base64')).toEqual(Buffer.from('f'));
		expect(decodeBytes('Zg', 'base64')).toEqual(Buffer.from('f'));
		for (const text of [
			'Zg=',
			'Z',
			'Z===',
			'Zg===',
			'=Zg=',
			'',
			'=',
			'Z g=',
			'Zg==\n',
			'Zm9=v',
			'Zé==',
		]) {
			expect(decodeBytes(text, 'base64')).toBeUndefined();
		}
	});

	it('agrees with Buffer on everything Buffer writes', () => {
		fc.assert(
			fc.property(fc.uint8Array({ minLength: 1 }), (bytes) => {
				const buffer = Buffer.from(bytes);
				expect(decodeBytes(buffer.toString('base64'), 'base64')).toEqual(buffer);
				expect(decodeBytes(buffer.toString('base64url'), 'base64')).toEqual(buffer);
			}),
		);
	});
});
