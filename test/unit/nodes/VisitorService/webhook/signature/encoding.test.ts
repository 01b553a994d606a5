import {
	decodeBase64,
	decodeSecret,
	decodeSignature,
} from '../../../../../../nodes/VisitorService/webhook/signature/encoding';
import fc from '../../../../../properties';

const digest = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes));

describe('decodeSignature', () => {
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
					expect(decodeSignature(text, encoding, 'sha256')).toEqual(bytes);
					expect(decodeSignature(text, encoding, 'sha512')).toBeUndefined();
					expect(decodeSignature(text, encoding, 'sha1')).toBeUndefined();
				}
			}),
		);
	});

	it.each(['', 'zz', 'a', 'é', 'ab cd', `0x${'ab'.repeat(31)}`, 'ab'.repeat(31), 'ab'.repeat(33)])(
		'%j is not a hex signature',
		(text) => {
			expect(decodeSignature(text, 'hex', 'sha256')).toBeUndefined();
		},
	);
});

describe('decodeSecret', () => {
	const key = Buffer.from([1, 2, 0xfb, 0xff]);

	it('reads text, Base64 with and without whsec_, and hex', () => {
		expect(decodeSecret(' ä ', 'text')).toEqual(Buffer.from(' ä '));
		expect(decodeSecret(`${key.toString('base64')}\n`, 'base64')).toEqual(key);
		expect(decodeSecret(`whsec_${key.toString('base64url')}`, 'base64')).toEqual(key);
		expect(decodeSecret(key.toString('hex').toUpperCase(), 'hex')).toEqual(key);
	});

	it.each([
		['not base64!', 'base64'],
		['', 'base64'],
		['abc', 'hex'],
		['whsec_00', 'hex'],
	] as const)('finds nothing in %j as %s', (text, encoding) => {
		expect(decodeSecret(text, encoding)).toBeUndefined();
	});
});

describe('decodeBase64', () => {
	it('reads nothing but base64', () => {
		expect(decodeBase64('Zg==')).toEqual(Buffer.from('f'));
		expect(decodeBase64('Zg')).toEqual(Buffer.from('f'));
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
			expect(decodeBase64(text)).toBeUndefined();
		}
	});

	it('agrees with Buffer on everything Buffer writes', () => {
		fc.assert(
			fc.property(fc.uint8Array({ minLength: 1 }), (bytes) => {
				const buffer = Buffer.from(bytes);
				expect(decodeBase64(buffer.toString('base64'))).toEqual(buffer);
				expect(decodeBase64(buffer.toString('base64url'))).toEqual(buffer);
			}),
		);
	});
});
