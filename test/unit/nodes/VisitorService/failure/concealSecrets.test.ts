import { concealSecrets } from '../../../../../nodes/VisitorService/failure/serverText';
import { ServiceFailure } from '../../../../../nodes/VisitorService/failure/serviceFailure';

const SECRETS = ['synthetic-token-0001', ''];
const make = (message: string, remedy: string, serverText?: string) =>
	new ServiceFailure(message, remedy, {
		kind: 'noList',
		statusCode: 200,
		retryAfter: 5,
		serverText,
	});

describe('concealSecrets', () => {
	it('leaves a failure alone that holds no secret', () => {
		const failure = make('Fields seen: data.', 'Set Items Path.', 'Not now');
		expect(concealSecrets(failure, SECRETS)).toBe(failure);
	});

	it.each([
		['message', make('Fields seen: synthetic-token-0001.', 'Set Items Path.', 'Not now')],
		['remedy', make('No list.', 'Fields seen: SYNTHETIC-TOKEN-0001.')],
		[
			'text of the service',
			make('No list.', 'Set Items Path.', 'for synthetic%2Dtoken%2D0001'.replaceAll('%2D', '-')),
		],
		[
			'message, in hex',
			make(
				`Fields seen: ${Buffer.from('synthetic-token-0001').toString('hex')}.`,
				'Set Items Path.',
			),
		],
		[
			'message, in base64',
			make(
				`Fields seen: ${Buffer.from('synthetic-token-0001').toString('base64')}.`,
				'Set Items Path.',
			),
		],
	])('takes it out of the %s, and says so', (_, failure) => {
		const { message, description, kind, statusCode, retryAfter } = concealSecrets(failure, SECRETS);
		const hidden = Buffer.from('synthetic-token-0001');
		for (const form of [hidden.toString(), hidden.toString('hex'), hidden.toString('base64')]) {
			expect(`${message} ${description}`.toLowerCase()).not.toContain(form.toLowerCase());
		}
		expect(message).toMatch(/\.$/);
		expect({ kind, statusCode, retryAfter }).toEqual({
			kind: 'noList',
			statusCode: 200,
			retryAfter: 5,
		});
	});
});
