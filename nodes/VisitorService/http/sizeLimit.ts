import { ServiceFailure } from '../failure/serviceFailure';
import { readDecimal } from '../values/scalar';

/** The largest response to a request, and what the error for a larger one says. */
export interface SizeLimit {
	maxMegabytes: number;
	sender: 'service' | 'authorization server';
	remedy: string;
}

const MEGABYTE = 1024 * 1024;

/**
 * Reads the bytes of a response, decompressed, and no more than the limit, however few were sent.
 * n8n sets the limit of its own client to Infinity, in both of its request helpers, and has no
 * option for it; but both can stream (`convertN8nRequestToAxios` and `parseRequestObject` of
 * n8n-core 1.123, `http/axios/` of @n8n/backend-network 2.41).
 *
 * @param contentLength of the headers: the size before decompression
 * @throws ServiceFailure that says how large the response is
 */
export async function readBytes(
	stream: AsyncIterable<unknown>,
	limit: SizeLimit,
	contentLength?: string,
): Promise<Buffer> {
	const max = limit.maxMegabytes * MEGABYTE;
	const stated = readDecimal(contentLength) ?? 0;
	const chunks: Buffer[] = [];
	let size = 0;
	// Leaving the loop destroys the stream and closes the connection.
	for await (const chunk of stream) {
		const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
		size += bytes.length;
		if (Math.max(size, stated) > max) throw tooLargeFailure(limit, stated);
		chunks.push(bytes);
	}
	return Buffer.concat(chunks);
}

function tooLargeFailure(
	{ maxMegabytes, sender, remedy }: SizeLimit,
	stated: number,
): ServiceFailure {
	const megabytes = Math.max(maxMegabytes + 1, Math.ceil(stated / MEGABYTE));
	return new ServiceFailure(
		`The response of the ${sender} has ${megabytes} MB or more. At most ${maxMegabytes} MB are read.`,
		remedy,
		{ kind: 'response' },
	);
}

export function isByteStream(body: unknown): body is AsyncIterable<unknown> {
	return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}
