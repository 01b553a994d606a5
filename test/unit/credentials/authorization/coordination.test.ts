import { TokenCoordination } from '../../../../credentials/authorization/coordination';
import type { Token } from '../../../../credentials/authorization/storage';

const client = {
	authUrl: 'https://auth.example.com',
	clientId: 'client',
	clientSecret: 'secret',
	tokenField: '',
};

/** An authorization server that answers when it is told to. */
class Server {
	requests = 0;

	private waiting: Array<(failure?: Error) => void> = [];

	constructor(private readonly lifetime?: number) {}

	exchange = async (): Promise<Token> => {
		const number = ++this.requests;
		const issuedAt = number * 1000;
		await new Promise<void>((resolve, reject) => {
			this.waiting.push((failure) => {
				if (failure === undefined) resolve();
				else reject(failure);
			});
		});
		return {
			accessToken: `token ${number}`,
			issuedAt,
			renewAt: this.lifetime === undefined ? undefined : issuedAt + this.lifetime,
		};
	};

	answer(failure?: Error): void {
		for (const finish of this.waiting.splice(0)) finish(failure);
	}
}

const issued = (accessToken: string, issuedAt: number, renewAt?: number): Token => ({
	accessToken,
	issuedAt,
	renewAt,
});

async function obtain(coordination: TokenCoordination, server: Server, held?: Token, now = 0) {
	const work = coordination.tokenFor(client, held, now, server.exchange);
	server.answer();
	return await work;
}

describe('TokenCoordination', () => {
	it.each([
		['cold', undefined],
		['with a refused token', issued('token 0', 1)],
	])('makes one exchange serve 50 callers at once, %s', async (_, held) => {
		const coordination = new TokenCoordination();
		const server = new Server();
		const callers = Array.from({ length: 50 }, () =>
			coordination.tokenFor(client, held, 0, server.exchange),
		);
		server.answer();
		const tokens = await Promise.all(callers);
		expect(server.requests).toBe(1);
		expect(new Set(tokens.map(({ accessToken }) => accessToken))).toEqual(new Set(['token 1']));
	});

	it('hands the newest token to a caller that comes later with an older one', async () => {
		const coordination = new TokenCoordination();
		const server = new Server();
		await obtain(coordination, server, issued('token 0', 1));
		expect(await obtain(coordination, server, issued('token 0', 1))).toMatchObject({
			accessToken: 'token 1',
		});
		expect(await obtain(coordination, server)).toMatchObject({ accessToken: 'token 1' });
		expect(server.requests).toBe(1);
	});

	it('never hands out a token that was refused', async () => {
		const coordination = new TokenCoordination();
		const server = new Server();
		const first = await obtain(coordination, server);
		const second = await obtain(coordination, server, first);
		expect(second.accessToken).toBe('token 2');
		expect((await obtain(coordination, server, first)).accessToken).toBe('token 2');
		expect((await obtain(coordination, server, second)).accessToken).toBe('token 3');
	});

	it('never hands out a refused token after the exchange that was to replace it failed', async () => {
		const coordination = new TokenCoordination();
		const server = new Server();
		const first = await obtain(coordination, server);
		const failing = coordination.tokenFor(client, first, 0, server.exchange);
		server.answer(new Error('synthetic'));
		await expect(failing).rejects.toThrow('synthetic');
		expect((await obtain(coordination, server, issued('token 0', 1))).accessToken).toBe('token 3');
	});

	it('never hands out a token older than the one another process put in its place', async () => {
		const coordination = new TokenCoordination();
		const server = new Server();
		await obtain(coordination, server);
		const ofOtherProcess = issued('token x', 500_000);
		expect((await obtain(coordination, server, ofOtherProcess)).accessToken).toBe('token 2');
	});

	it('never hands out a refused token that the server issued a second time', async () => {
		const coordination = new TokenCoordination();
		const same = async () => await Promise.resolve(issued('token', 2000));
		await coordination.tokenFor(client, issued('token', 1000), 0, same);
		const server = new Server();
		expect((await obtain(coordination, server, issued('token', 1000))).accessToken).toBe('token 1');
	});

	it('does not cache a failed exchange, and fails all who waited for it', async () => {
		const coordination = new TokenCoordination();
		const server = new Server();
		const callers = Array.from({ length: 50 }, () =>
			coordination.tokenFor(client, undefined, 0, server.exchange),
		);
		server.answer(new Error('synthetic'));
		const outcomes = await Promise.allSettled(callers);
		expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
		expect(server.requests).toBe(1);
		expect((await obtain(coordination, server)).accessToken).toBe('token 2');
	});

	it.each([
		['server', { authUrl: 'https://other.example.com' }],
		['secret', { clientSecret: 'other' }],
		['client ID', { clientId: 'other' }],
		['token field', { tokenField: 'token' }],
	])('never shares between clients with another %s', async (_, change) => {
		const coordination = new TokenCoordination();
		const server = new Server();
		const one = coordination.tokenFor(client, undefined, 0, server.exchange);
		const other = coordination.tokenFor({ ...client, ...change }, undefined, 0, server.exchange);
		server.answer();
		expect((await one).accessToken).not.toBe((await other).accessToken);
		expect(server.requests).toBe(2);
		// Also later, and also after a failure of the other.
		const refused = coordination.tokenFor(
			{ ...client, ...change },
			await other,
			0,
			server.exchange,
		);
		server.answer(new Error('synthetic'));
		await expect(refused).rejects.toThrow('synthetic');
		expect(await obtain(coordination, server)).toEqual(await one);
	});

	it('replaces a token that is no longer fresh', async () => {
		const coordination = new TokenCoordination();
		const server = new Server(60_000);
		await obtain(coordination, server, undefined, 0);
		expect((await obtain(coordination, server, undefined, 60_999)).accessToken).toBe('token 1');
		expect((await obtain(coordination, server, undefined, 61_000)).accessToken).toBe('token 2');
	});

	it('counts a new token as later than the one it replaces, whatever the clocks say', async () => {
		const coordination = new TokenCoordination();
		const server = new Server();
		const ahead = issued('token x', 9_999_999);
		expect((await obtain(coordination, server, ahead)).issuedAt).toBe(10_000_000);
		expect((await obtain(coordination, server, ahead)).accessToken).toBe('token 1');
	});

	describe('remember', () => {
		it('hands out a token that came from elsewhere', async () => {
			const coordination = new TokenCoordination();
			const server = new Server();
			coordination.remember(client, issued('tested', 500));
			expect((await obtain(coordination, server, issued('token 0', 1))).accessToken).toBe('tested');
			expect(server.requests).toBe(0);
		});

		it('keeps the later of two', async () => {
			const coordination = new TokenCoordination();
			const server = new Server();
			coordination.remember(client, issued('later', 500));
			coordination.remember(client, issued('earlier', 400));
			expect((await obtain(coordination, server)).accessToken).toBe('later');
		});

		it('keeps the later of it and the one being exchanged', async () => {
			const coordination = new TokenCoordination();
			const server = new Server();
			const running = coordination.tokenFor(client, undefined, 0, server.exchange);
			coordination.remember(client, issued('later', 5000));
			server.answer();
			expect((await running).accessToken).toBe('token 1');
			expect((await obtain(coordination, server)).accessToken).toBe('later');
		});

		it('outlives an exchange that fails meanwhile', async () => {
			const coordination = new TokenCoordination();
			const server = new Server();
			const running = coordination.tokenFor(client, undefined, 0, server.exchange);
			coordination.remember(client, issued('tested', 5000));
			server.answer(new Error('synthetic'));
			await expect(running).rejects.toThrow('synthetic');
			expect((await obtain(coordination, server)).accessToken).toBe('tested');
		});

		it('does not hide an exchange that runs', async () => {
			const coordination = new TokenCoordination();
			const server = new Server();
			const running = coordination.tokenFor(client, undefined, 0, server.exchange);
			coordination.remember(client, issued('tested', 5000));
			const joining = coordination.tokenFor(client, issued('tested', 5000), 0, server.exchange);
			server.answer();
			expect(await joining).toEqual(await running);
			expect(server.requests).toBe(1);
		});
	});
});
