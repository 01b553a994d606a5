import { verifySharedSecretHeader } from '../../../../../nodes/VisitorService/webhook/sharedSecretHeader';
import { delivery } from './deliveries';

function check(value: string | undefined, secrets: string[], headerName = 'X-Webhook-Token') {
	return verifySharedSecretHeader(delivery('', { 'x-webhook-token': value }), headerName, secrets);
}

describe('verifySharedSecretHeader', () => {
	it('accepts the whole secret only', () => {
		expect(check('abc', ['abc'])).toEqual({ ok: true });
		for (const value of ['ab', 'abcd', 'ABC', 'abc,abc']) {
			expect(check(value, ['abc'])).toEqual({ ok: false, reason: 'noMatch' });
		}
	});

	it('accepts either secret', () => {
		expect(check('old', ['new', 'old'])).toEqual({ ok: true });
		expect(check('new', ['new', 'old'])).toEqual({ ok: true });
	});

	it('accepts other characters as senders write them, in Latin-1 and in UTF-8', () => {
		expect(check('gehéim', ['gehéim'])).toEqual({ ok: true });
		expect(check(Buffer.from('gehéim', 'utf8').toString('latin1'), ['gehéim'])).toEqual({
			ok: true,
		});
		expect(check(Buffer.from('秘密', 'utf8').toString('latin1'), ['秘密'])).toEqual({ ok: true });
		// Characters outside Latin-1 must not be cut down to it: 秘 would become the same byte as another character.
		expect(check(Buffer.from('秘密', 'latin1').toString('latin1'), ['秘密'])).toEqual({
			ok: false,
			reason: 'noMatch',
		});
	});

	it.each(['geheim-à', 'ключР', 'tajné-Š'])(
		'accepts %s, whose last byte is a blank of Unicode',
		(secret) => {
			const sent = Buffer.from(secret, 'utf8').toString('latin1');
			expect(check(sent, [secret])).toEqual({ ok: true });
			expect(check(` \t${sent} `, [secret])).toEqual({ ok: true });
			expect(check(`${sent}\xa0`, [secret])).toEqual({ ok: false, reason: 'noMatch' });
		},
	);

	it('refuses an empty header', () => {
		expect(check('', [''])).toEqual({ ok: false, reason: 'signatureMissing' });
		expect(check(undefined, [''])).toEqual({ ok: false, reason: 'signatureMissing' });
		expect(check('abc', ['abc'], '')).toEqual({ ok: false, reason: 'signatureMissing' });
	});
});
