import { ServiceFailure } from '../../../../../nodes/VisitorService/failure/serviceFailure';
import { redactSecrets } from '../../../../../nodes/VisitorService/values/serverText';

const SECRET = 'synthetic-token-0001';
const details = { kind: 'noList', statusCode: 200, retryAfterMs: 5 } as const;
const make = (message: string, remedy: string, serverText?: string) =>
	new ServiceFailure(message, remedy, { ...details, serverText });

it('a failure that holds no secret is left alone', () => {
	const failure = make('Fields seen: data.', 'Set Items Path.', 'Not now');
	expect(redactSecrets(failure, [SECRET, ''])).toBe(failure);
});

it.each([
	['message', make(`Fields seen: ${SECRET}.`, 'Set Items Path.', 'Not now')],
	['remedy', make('No list.', `Fields seen: ${SECRET.toUpperCase()}.`)],
	['text of the service', make('No list.', 'Set Items Path.', `for ${SECRET}`)],
])('a secret is taken out of the %s, which says so', (_, failure) => {
	const redacted = redactSecrets(failure, [SECRET, '']);
	const shown = `${redacted.message} ${redacted.description}`.toLowerCase();
	expect(shown).not.toContain(SECRET);
	expect(redacted.message).toMatch(/\.$/);
	expect(redacted).toMatchObject(details);
});
