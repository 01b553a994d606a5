import { ServiceFailure } from '../../../../../nodes/VisitorService/failure/serviceFailure';
import type { HttpAnswer, HttpRequest } from '../../../../../nodes/VisitorService/http/message';
import { askApi } from '../../../../../nodes/VisitorService/tenant/apiRequest';
import { ImpatientClock } from '../../../../simulation/clock';

const URL = 'https://tenant.test/api/external/v2/users';

/** What is sent to a tenant with these answers, one after the other, and the answer that counts. */
async function asked(answers: ReadonlyArray<Partial<HttpAnswer> | Error>, token?: string) {
	const sent: HttpRequest[] = [];
	const rules = {
		transport: async (request: HttpRequest) => {
			await Promise.resolve();
			sent.push(request);
			const answer = answers[sent.length - 1];
			if (answer instanceof Error) throw answer;
			return { statusCode: 200, headers: {}, body: {}, ...answer };
		},
		clock: new ImpatientClock(() => 0),
		random: () => 0.5,
		maxRetries: 1,
	};
	const answer = await askApi({ url: URL, query: { page: 1 }, timeout: 1000 }, rules, token);
	return { answer, sent };
}

describe('a request to the API of a tenant', () => {
	it('sends the query, the token and that JSON is wanted', async () => {
		const { sent } = await asked([], 'token-0001');
		expect(sent).toHaveLength(1);
		expect(sent[0]).toMatchObject({ method: 'GET', url: URL, query: { page: 1 }, timeout: 1000 });
		expect(sent[0]?.headers).toEqual({
			Accept: 'application/json',
			Authorization: 'Bearer token-0001',
		});
	});

	it('leaves the token to the transport if none is given', async () => {
		const { sent } = await asked([]);
		expect(sent[0]?.headers).toEqual({ Accept: 'application/json' });
	});

	it('names the field of the credential if no answer came', async () => {
		const refused = Object.assign(new Error('No.'), { code: 'ECONNREFUSED' });
		const failure = await asked([refused, refused]).catch((error: unknown) =>
			error instanceof ServiceFailure ? error : undefined,
		);
		expect(failure).toMatchObject({ kind: 'connection' });
		expect(failure instanceof ServiceFailure && failure.description).toContain('Tenant API URL');
	});
});
