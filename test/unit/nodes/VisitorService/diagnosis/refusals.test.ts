import {
	checkBadParameter,
	checkBadToken,
	checkUnknownPath,
} from '../../../../../nodes/VisitorService/diagnosis/refusals';
import { answer, askedTenant } from './askedTenant';

const LIST = answer(200, [{ id: 1 }]);

describe('what a bad token gets', () => {
	it.each([
		['401', answer(401), 401],
		['another status for it', answer(419), 419],
		['an error code', answer(400, { error: 'invalid_token' }), 400],
	])(
		'calls an answer to a bad token ok after which the nodes renew theirs: %s',
		async (_, refusal, status) => {
			const { conversation, asked } = await askedTenant(() => refusal);
			const found = await checkBadToken(conversation);
			expect(found).toMatchObject({ status: 'ok', observed: status });
			expect(found?.meaning).toContain('The nodes get a new token then.');
			expect(asked.map(({ query }) => query)).toEqual([{}]);
		},
	);

	it('calls a 403 to a bad token ok', async () => {
		const { conversation } = await askedTenant(() => answer(403, { code: 'no' }));
		const found = await checkBadToken(conversation);
		expect(found).toMatchObject({ status: 'ok', observed: 403 });
		expect(found?.meaning).toContain('status 403. Fields seen: code');
	});

	it('warns if a bad token twice gets an answer after which the nodes do not renew theirs', async () => {
		const { conversation, asked } = await askedTenant(() => answer(404, 'nothing'));
		const found = await checkBadToken(conversation);
		expect(found).toMatchObject({ status: 'warning', observed: 404 });
		expect(found?.meaning).toContain('The answer is not a JSON object.');
		expect(asked).toHaveLength(2);
	});

	it('says that the check failed if a bad token gets the list twice', async () => {
		const { conversation } = await askedTenant(() => LIST);
		expect(await checkBadToken(conversation)).toMatchObject({
			status: 'failed',
			observed: 200,
		});
	});

	it('does not judge a bad token that gets different answers', async () => {
		const { conversation } = await askedTenant((_, number) => (number === 1 ? LIST : answer(404)));
		expect(await checkBadToken(conversation)).toBeUndefined();
	});

	it('does not judge a bad token that gets a success without a list', async () => {
		const { conversation } = await askedTenant(() => answer(200, { hello: 'there' }));
		expect(await checkBadToken(conversation)).toMatchObject({
			status: 'unknown',
			observed: null,
		});
	});

	it('does not judge a bad token if the service fails', async () => {
		const { conversation } = await askedTenant(() => answer(500));
		const found = await checkBadToken(conversation);
		expect(found).toMatchObject({ status: 'unknown', observed: null });
		expect(found?.meaning).toContain('status 500');
	});
});

describe('what a bad parameter gets', () => {
	it.each([400, 404, 422])('names the status that refuses a bad parameter: %i', async (status) => {
		const { conversation, asked } = await askedTenant(() => answer(status));
		expect(await checkBadParameter(conversation)).toMatchObject({
			status: 'ok',
			observed: status,
		});
		expect(asked.map(({ query }) => query)).toEqual([{ page: -1 }]);
	});

	it('says that a bad parameter gets a page', async () => {
		const { conversation } = await askedTenant(() => LIST);
		const found = await checkBadParameter(conversation);
		expect(found).toMatchObject({ status: 'ok', observed: 200 });
		expect(found?.meaning).toContain('gets a page');
	});

	it.each([401, 403])('does not take a refused token for a bad parameter: %i', async (status) => {
		const { conversation } = await askedTenant(() => answer(status));
		expect(await checkBadParameter(conversation)).toBeUndefined();
	});

	it('does not judge a bad parameter that gets a success without a list', async () => {
		const { conversation } = await askedTenant(() => answer(200, { hello: 'there' }));
		expect(await checkBadParameter(conversation)).toBeUndefined();
	});

	it('says that a bad parameter gets a failure if it does so twice', async () => {
		const { conversation, asked } = await askedTenant(() => answer(500));
		expect(await checkBadParameter(conversation)).toMatchObject({
			status: 'ok',
			observed: 500,
		});
		expect(asked).toHaveLength(2);
	});

	it('goes by the second answer to a bad parameter if the service fails once', async () => {
		const { conversation } = await askedTenant((_, number) => answer(number === 1 ? 500 : 400));
		expect(await checkBadParameter(conversation)).toMatchObject({ observed: 400 });
	});

	it('does not judge a bad parameter if the service failed before', async () => {
		const { conversation } = await askedTenant(() => answer(500));
		await conversation.ask('users', {});
		expect(await checkBadParameter(conversation)).toMatchObject({ status: 'unknown' });
	});

	it('does not judge a bad parameter that gets another failure, and does not ask again', async () => {
		const { conversation, asked } = await askedTenant(() => answer(501));
		expect(await checkBadParameter(conversation)).toMatchObject({ status: 'unknown' });
		expect(asked).toHaveLength(1);
	});
});

describe('what an unknown path gets', () => {
	it.each([404, 410])('calls the status of an unknown path clear: %i', async (status) => {
		const { conversation, asked } = await askedTenant(() => answer(status));
		const finding = await checkUnknownPath(conversation);
		expect(finding).toMatchObject({ status: 'ok', observed: status });
		expect(finding.meaning).not.toContain('Path Segment');
		expect(asked[0]).toMatchObject({ query: {} });
	});

	it.each([200, 400, 403])(
		'warns that the status of an unknown path hides a wrong Path Segment: %i',
		async (status) => {
			const { conversation } = await askedTenant(() => answer(status));
			const finding = await checkUnknownPath(conversation);
			expect(finding).toMatchObject({ status: 'ok', observed: status });
			expect(finding.meaning).toContain('A wrong Path Segment cannot be recognized.');
		},
	);

	it('does not judge an unknown path if the service fails', async () => {
		const { conversation } = await askedTenant(() => answer(503));
		const finding = await checkUnknownPath(conversation);
		expect(finding).toMatchObject({ status: 'unknown', observed: null });
	});
});
