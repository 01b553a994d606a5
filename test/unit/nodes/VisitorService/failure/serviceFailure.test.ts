import { ServiceFailure } from '../../../../../nodes/VisitorService/failure/serviceFailure';

describe('ServiceFailure', () => {
	it('says what happened, what to do, and after it what the service said', () => {
		const failure = new ServiceFailure('It failed.', 'Try again.', {
			kind: 'service',
			statusCode: 500,
			retryAfter: 5,
			serverText: 'out of order',
		});
		expect(failure).toBeInstanceOf(Error);
		expect(failure).toMatchObject({
			message: 'It failed.',
			kind: 'service',
			statusCode: 500,
			retryAfter: 5,
		});
		expect(failure.description).toBe('Try again. The service said: "out of order".');
	});

	it('says nothing the service did not say', () => {
		expect(new ServiceFailure('It failed.', 'Try again.', { kind: 'service' }).description).toBe(
			'Try again.',
		);
	});
});
