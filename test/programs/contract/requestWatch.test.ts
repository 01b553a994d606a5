import { RequestWatch } from '../../contract/requestWatch';
import { referenceServices } from '../reference-service/services';

const start = referenceServices();

describe('the watch over requests', () => {
	let watch: RequestWatch;

	beforeEach(() => {
		watch = new RequestWatch();
		watch.start();
	});

	afterEach(() => {
		watch.stop();
	});

	it('finds nothing wrong with published requests', async () => {
		const { exchange, list } = await start();
		await exchange();
		await list('users?page=0&pageSize=5');
		expect(await watch.violations()).toEqual([]);
	});

	it('finds a request outside the interface, once for each kind', async () => {
		const { list } = await start();
		await list('users?limit=1');
		await list('users?limit=2');
		await list('users?page=0', { authorization: null });
		const violations = await watch.violations();
		expect(violations).toHaveLength(2);
		expect(violations[0]).toContain('GET /api/external/v2/users');
		expect(await watch.violations()).toEqual([]);
	});

	it('finds a token request that is not the published one, and shows no secret', async () => {
		const { service, exchange } = await start();
		await exchange({ username: 'reader', client_secret: 'canary-secret' });
		const [violation] = await watch.violations();
		expect(violation).toContain('POST /auth/app-oauth');
		expect(violation).not.toContain('canary-secret');
		expect(violation).not.toContain(service.clientSecret);
	});

	it('leaves the control of the service alone, and everything after its end', async () => {
		const { call, list } = await start();
		await call('/control/switches');
		expect(await watch.violations()).toEqual([]);
		watch.stop();
		await list('users?limit=1');
		expect(await watch.violations()).toEqual([]);
	});
});
