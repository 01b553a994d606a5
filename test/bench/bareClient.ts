import { Pool, request } from 'undici';

export interface BareListing {
	url: string;
	/** Exchanged before, as that of the node is stored before. */
	token: string;
	users: number;
	pageSize: number;
	concurrency: number;
}

/**
 * The physical limit: the same pages with the same number of requests in flight over kept-alive
 * connections, the number of pages known beforehand, nothing checked and nothing kept but the
 * parsed records.
 *
 * @returns milliseconds
 */
export async function listBare(listing: BareListing): Promise<number> {
	const pool = new Pool(listing.url, { connections: listing.concurrency, pipelining: 1 });
	const startedAt = performance.now();
	try {
		const pages = Math.ceil(listing.users / listing.pageSize);
		const records: unknown[][] = new Array<unknown[]>(pages);
		let next = 0;
		const readOn = async () => {
			while (next < pages) {
				const page = next++;
				const { body } = await pool.request({
					method: 'GET',
					path: `/api/external/v2/users?page=${page}&pageSize=${listing.pageSize}`,
					headers: { authorization: `Bearer ${listing.token}` },
				});
				const response = (await body.json()) as { data: unknown[] };
				records[page] = response.data;
			}
		};
		await Promise.all(Array.from({ length: listing.concurrency }, readOn));
		const duration = performance.now() - startedAt;
		const count = records.reduce((sum, page) => sum + page.length, 0);
		if (count !== listing.users)
			throw new Error(`The bare client read ${count} of ${listing.users}.`);
		return duration;
	} finally {
		await pool.close();
	}
}

export async function exchangeBareToken(
	url: string,
	{ clientId, clientSecret }: { clientId: string; clientSecret: string },
): Promise<string> {
	const { body } = await request(`${url}/auth/app-oauth`, {
		method: 'POST',
		headers: { 'content-type': 'application/x-www-form-urlencoded' },
		body: new URLSearchParams({
			grant_type: 'client_credentials',
			client_id: clientId,
			client_secret: clientSecret,
		}).toString(),
	});
	return ((await body.json()) as { access_token: string }).access_token;
}
