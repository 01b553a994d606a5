import { holdsSecret } from './cleanServerText';
import { ServiceFailure } from './serviceFailure';

/**
 * What was made of an answer may quote it: the names of its fields, an error with a status of success. Where such a
 * text holds a secret, it is left out.
 *
 * @param secrets values that must never be shown, whatever encoding the service echoes them in
 */
export function concealSecrets(
	failure: ServiceFailure,
	secrets: readonly string[],
): ServiceFailure {
	const { message, remedy, serverText, kind, statusCode, retryAfter } = failure;
	const holds = (text: string) => holdsSecret(text, secrets);
	if (![message, remedy, serverText ?? ''].some(holds)) return failure;
	return new ServiceFailure(
		holds(message)
			? 'The service gave an answer that is not shown, because it repeats a secret or the access token.'
			: message,
		holds(remedy) ? 'Ask the operator of the service why it does so.' : remedy,
		{ kind, statusCode, retryAfter },
	);
}
