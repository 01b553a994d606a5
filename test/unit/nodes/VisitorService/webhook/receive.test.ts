import { receiveDelivery, refuseAtOnce } from '../../../../../nodes/VisitorService/webhook/receive';
import {
	body,
	delivery,
	event,
	hmac,
	NO_SOURCES,
	RECEIVED_AT,
	receive,
	SECRET,
	settings,
	sign,
} from './deliveries';

const signed = (raw: string) =>
	delivery(raw, { 'x-signature': sign(SECRET, raw), authorization: 'Bearer x' });

describe('a delivery', () => {
	it('passes on a genuine delivery', async () => {
		const sent = { ...signed(body), query: { tenant: 'a' } };
		expect(await receive(sent, settings({ authentication: hmac() }), [SECRET])).toEqual({
			kind: 'passedOn',
			events: [
				{
					event: 'visit.created',
					id: 'evt-000001',
					receivedAt: new Date(RECEIVED_AT).toISOString(),
					body: event,
					headers: { 'x-signature': sign(SECRET, body), authorization: '[redacted]' },
					query: { tenant: 'a' },
				},
			],
			leftOut: [],
		});
	});

	it.each(['X-Event-Key', 'X-GitHub-Event', 'X-GitHub-Delivery', 'X-Topic'])(
		'takes the secret for no name and no ID, if the header that carries it looks like one: %s',
		async (headerName) => {
			const sent = delivery('{}', { [headerName.toLowerCase()]: SECRET });
			const authentication = { kind: 'header', headerName } as const;
			for (const sources of [
				NO_SOURCES,
				{ ...NO_SOURCES, eventHeader: headerName, idHeader: headerName },
			]) {
				const outcome = await receive(sent, settings({ authentication, sources }), [SECRET]);
				expect(outcome).toMatchObject({ events: [{ event: null, id: null }] });
				expect(JSON.stringify(outcome)).not.toContain(SECRET);
			}
		},
	);

	it('passes on a delivery with an empty body and finds no event in it', async () => {
		expect(await receive(delivery(''), settings())).toMatchObject({
			kind: 'passedOn',
			events: [{ event: null, id: null, body: null }],
		});
	});

	it.each([
		['a forged body', { ...signed(body), rawBody: Buffer.from(`${body} `) }],
		['no signature', delivery(body)],
	])('answers 401 without details to a delivery with %s', async (_, forged) => {
		const outcome = await receive(forged, settings({ authentication: hmac() }), [SECRET]);
		expect(outcome).toMatchObject({ kind: 'refused', statusCode: 401, message: 'Unauthorized' });
	});

	it('answers 403 to an IP address that is not allowed, before it checks anything else', async () => {
		const rules = settings({ authentication: hmac(), ipAllowlist: ['198.51.100.0/24'] });
		expect(await receive(delivery('x'), rules, [SECRET])).toMatchObject({
			kind: 'refused',
			statusCode: 403,
			message: 'Forbidden',
		});
		const from = async (ipAddress: string | undefined) =>
			(await receive({ ...signed(body), ipAddress }, rules, [SECRET])).kind;
		expect(await from('198.51.100.7')).toBe('passedOn');
		expect(await from('::ffff:198.51.100.7')).toBe('passedOn');
		expect(await from(undefined)).toBe('refused');
	});

	it.each([
		[{ 'content-encoding': 'br' }],
		[{ 'content-type': 'multipart/form-data; boundary=x' }],
		[{ 'content-type': 'application/json; charset=x-unknown' }],
	])('answers 415 to content that cannot be read: %j', async (headers) => {
		expect(await receive(delivery(body, headers), settings())).toMatchObject({
			kind: 'refused',
			statusCode: 415,
		});
	});

	it('a delivery is not looked into before it is verified', async () => {
		const forged = delivery(body, {
			'content-type': 'application/json; charset=x-unknown',
			'x-signature': sign('other', body),
		});
		const rules = settings({ authentication: hmac() });
		expect(await receive(forged, rules, [SECRET])).toMatchObject({ statusCode: 401 });
	});

	it('answers 405 to any method other than POST', async () => {
		expect(await receive({ ...delivery(''), method: 'GET' }, settings())).toMatchObject({
			kind: 'refused',
			statusCode: 405,
		});
	});

	it.each([
		['of a stranger', { ipAllowlist: ['198.51.100.0/24'] }],
		['without a signature', { authentication: hmac() }],
		['without a secret in the header', { authentication: { kind: 'header', headerName: 'X-T' } }],
		['without a signature', { authentication: { kind: 'standardWebhooks', tolerance: 300 } }],
	] as const)('%s costs no reading of the secret (%j)', (_, change) => {
		expect(refuseAtOnce(delivery(body), settings(change))).toMatchObject({ kind: 'refused' });
	});

	it('passes on a delivery that nothing verifies without reading a secret', async () => {
		const readSecrets = jest.fn(() => Promise.resolve([SECRET]));
		const outcome = await receiveDelivery(delivery(body), settings(), readSecrets, undefined);
		expect(outcome).toMatchObject({ kind: 'passedOn' });
		expect(readSecrets).not.toHaveBeenCalled();
	});

	it('passes on what looks like a verification request, if these are not answered', async () => {
		const challenge = { type: 'url_verification', challenge: 'abc' };
		const sent = delivery(JSON.stringify(challenge));
		expect(await receive(sent, settings())).toMatchObject({ events: [{ body: challenge }] });
		const answering = settings({ answersVerificationRequests: true });
		expect(await receive(sent, answering)).toMatchObject({ kind: 'verificationRequest' });
	});

	it('lets a verification request in by GET and without a signature, if these are answered', () => {
		const rules = { authentication: hmac(), answersVerificationRequests: true };
		const sent = delivery('', {}, { method: 'GET' });
		expect(refuseAtOnce(sent, settings(rules))).toBeUndefined();
	});

	it('verifies a delivery that has one of two signature headers', async () => {
		const authentication = hmac({ signatureHeaders: ['X-Signature', 'X-Signature-Old'] });
		const outcome = await receive(signed(body), settings({ authentication }), [SECRET]);
		expect(outcome).toMatchObject({ kind: 'passedOn' });
	});

	it('answers 413 to a batch that is too large to hold', async () => {
		const batch = (size: number) => JSON.stringify(new Array(size).fill({ event: 'a' }));
		const outcome = async (size: number) => await receive(delivery(batch(size)), settings());
		expect(await outcome(10_000)).toMatchObject({ kind: 'passedOn' });
		expect(await outcome(10_001)).toMatchObject({ kind: 'refused', statusCode: 413 });
	});

	it('refuses a batch that is too large without a look at its elements', async () => {
		const elements: unknown[] = new Array(10_001).fill(0);
		const looked = jest.spyOn(Object, 'hasOwn');
		const before = looked.mock.calls.length;
		const outcome = await receive(delivery(JSON.stringify(elements)), settings());
		expect(outcome.kind).toBe('refused');
		expect(looked.mock.calls.length - before).toBeLessThan(100);
		looked.mockRestore();
	});
});
