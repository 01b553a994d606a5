import { delivery, verdictOn } from './deliveries';

function check(value: string | undefined, secrets: string[], headerName = 'X-Webhook-Token') {
	return verdictOn(
		delivery('', { 'x-webhook-token': value }),
		{ kind: 'header', headerName },
		secrets,
	);
}

describe('verifySharedSecret', () => {
	it('accepts the whole secret only', () => {
		expect(check('abc', ['abc'])).toEqual('verified');
		for (const value of ['ab', 'abcd', 'ABC', 'abc,abc']) {
			expect(check(value, ['abc'])).toEqual('noMatch');
		}
	});

	it('accepts either secret', () => {
		expect(check('old', ['new', 'old'])).toEqual('verified');
		expect(check('new', ['new', 'old'])).toEqual('verified');
	});

	it('accepts other characters as senders write them, in Latin-1 and in UTF-8', () => {
		expect(check('gehéim', ['gehéim'])).toEqual('verified');
		expect(check(Buffer.from('gehéim', 'utf8').toString('latin1'), ['gehéim'])).toEqual('verified');
		expect(check(Buffer.from('秘密', 'utf8').toString('latin1'), ['秘密'])).toEqual('verified');
		// Characters outside Latin-1 must not be cut down to it: 秘 would become the same byte as
		// another character.
		expect(check(Buffer.from('秘密', 'latin1').toString('latin1'), ['秘密'])).toEqual('noMatch');
	});

	it.each(['geheim-à', 'ключР', 'tajné-Š'])(
		'accepts %s, whose last byte is a space of Unicode',
		(secret) => {
			const sent = Buffer.from(secret, 'utf8').toString('latin1');
			expect(check(sent, [secret])).toEqual('verified');
			expect(check(` \t${sent} `, [secret])).toEqual('verified');
			expect(check(`${sent}\xa0`, [secret])).toEqual('noMatch');
		},
	);

	it('refuses an empty header', () => {
		expect(check('', ['abc'])).toEqual('signatureMissing');
		expect(check(undefined, ['abc'])).toEqual('signatureMissing');
		expect(check('abc', ['abc'], '')).toEqual('signatureMissing');
	});
});
