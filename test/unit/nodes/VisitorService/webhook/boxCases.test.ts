import { delivery, hmac, sign, verdictOn } from './deliveries';

// The twelve situations in which n8n tests its Box trigger (packages/nodes-base/nodes/Box, 2026),
// on this verifier. Box signs body and timestamp with two keys and sends both signatures. If it has
// a header for each, one header with both is used here. n8n passes deliveries where no key is set;
// here they are refused.
const primary = 'primary-test-signing-key';
const secondary = 'secondary-test-signing-key';
const body = '{"type":"webhook_event","trigger":"FILE.UPLOADED"}';
const timestamp = '2024-01-01T00:00:00Z';
const rules = hmac({
	signatureHeaders: ['Box-Signature'],
	encoding: 'base64',
	signedContent: '{body}{timestamp}',
	timestampHeader: 'Box-Delivery-Timestamp',
	tolerance: 600,
});
const byPrimary = sign(primary, body + timestamp, 'base64');
const bySecondary = sign(secondary, body + timestamp, 'base64');

interface Situation {
	secrets?: string[];
	signature?: string;
	time?: string;
	now?: string;
	raw?: string;
}

function check(situation: Situation) {
	const headers = {
		'box-signature': situation.signature,
		'box-delivery-timestamp': 'time' in situation ? situation.time : timestamp,
	};
	const receivedAt = Date.parse(situation.now ?? '2024-01-01T00:05:00Z');
	const sent = delivery(situation.raw ?? body, headers, { receivedAt });
	return verdictOn(sent, rules, situation.secrets ?? [primary, secondary]);
}

describe("the cases of n8n's Box trigger", () => {
	it('refuses where no signing keys are configured', () => {
		expect(check({ secrets: [] })).toEqual('noSecret');
	});
	it('refuses where the signing keys are empty', () => {
		expect(check({ secrets: ['', ''] })).toEqual('noSecret');
	});
	it('accepts a primary signature', () => {
		expect(check({ signature: `${byPrimary},invalid` })).toEqual('verified');
	});
	it('accepts where only the secondary signature matches', () => {
		expect(check({ signature: `invalid,${bySecondary}` })).toEqual('verified');
	});
	it('accepts a primary signature where only the primary key is configured', () => {
		expect(check({ secrets: [primary], signature: byPrimary })).toEqual('verified');
	});
	it('refuses where both signatures are invalid', () => {
		expect(check({ signature: 'invalid-primary,invalid-secondary' })).toEqual(
			'signatureUnreadable',
		);
		expect(check({ signature: sign('other', body + timestamp, 'base64') })).toEqual('noMatch');
	});
	it('refuses without signature headers', () => {
		expect(check({})).toEqual('signatureMissing');
	});
	it('refuses without a delivery timestamp', () => {
		expect(check({ signature: byPrimary, time: undefined })).toEqual('partMissing');
	});
	it('refuses a delivery timestamp that is not a time', () => {
		expect(check({ signature: byPrimary, time: 'not-a-valid-date' })).toEqual(
			'timestampUnreadable',
		);
	});
	it('refuses a delivery timestamp older than the tolerance', () => {
		expect(check({ signature: byPrimary, now: '2024-01-01T00:11:00Z' })).toEqual(
			'timestampOutside',
		);
		expect(check({ signature: byPrimary, now: '2024-01-01T00:10:00Z' })).toEqual('verified');
	});
	it('refuses where the body is missing', () => {
		expect(check({ signature: byPrimary, raw: '' })).toEqual('noMatch');
	});
	it('refuses where the credential cannot be read', () => {
		const secrets = [undefined] as unknown as string[];
		expect(check({ secrets, signature: byPrimary })).toEqual('notCheckable');
	});
});
