import {
	type FailureDetails,
	ServiceFailure,
} from '../../../../../nodes/VisitorService/failure/serviceFailure';
import { pollFailure } from '../../../../../nodes/VisitorService/operations/poll';

describe('why a poll failed', () => {
	it.each<[FailureDetails, unknown]>([
		[
			{ kind: 'rateLimit', statusCode: 429, retryAfter: 120_000 },
			{ cause: 'rate-limited', retryAfterMs: 120_000 },
		],
		[{ kind: 'rateLimit', statusCode: 429 }, { cause: 'rate-limited' }],
		[
			{ kind: 'rateLimit', statusCode: 503, retryAfter: 1 },
			{ cause: 'temporarily-unavailable', retryAfterMs: 1 },
		],
		[{ kind: 'service', statusCode: 500 }, { cause: 'temporarily-unavailable' }],
		[{ kind: 'connection' }, { cause: 'temporarily-unavailable' }],
		[{ kind: 'outOfTime' }, { cause: 'temporarily-unavailable' }],
		[{ kind: 'authorization', statusCode: 401 }, { cause: 'credential-invalid' }],
		[{ kind: 'configuration' }, { cause: 'configuration-invalid' }],
		[{ kind: 'permission', statusCode: 403 }, undefined],
		[{ kind: 'answer' }, undefined],
	])('tells n8n why a poll failed for %p', (details, failure) => {
		expect(pollFailure(new ServiceFailure('It failed.', 'Do something.', details))).toEqual(
			failure,
		);
	});
});
