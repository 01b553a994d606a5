import {
	decodeBase64,
	decodeSignature,
} from '../../../../../nodes/VisitorService/webhook/signatureEncoding';
import fc from '../../../../properties';

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
		'%j is no hex signature',
		(text) => {
			expect(decodeSignature(text, 'hex', 'sha256')).toBeUndefined();
		},
	);
});

describe('the bits left over at the end of base64', () => {
	it('have to be zero in a signature', () => {
		const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
		const text = Buffer.alloc(32, 0xfb).toString('base64').replace(/=$/, '');
		const accepted = Array.from(alphabet).filter((last) => {
			const read = decodeSignature(`${text.slice(0, -1)}${last}`, 'base64', 'sha256');
			return read?.equals(Buffer.alloc(32, 0xfb)) === true;
		});
		expect(accepted).toEqual([text.slice(-1)]);
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
