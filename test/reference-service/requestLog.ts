/** One request as the service saw it, without credentials. */
export interface RecordedRequest {
	/** Milliseconds since 1970, when the head of the request was read. */
	at: number;
	method: string;
	path: string;
	/** Path and query exactly as sent. */
	url: string;
	query: Record<string, string>;
	/**
	 * As sent; `authorization` is reduced to `Bearer <token 3>`, `Bearer <unknown token>` or
	 * `<another scheme>`.
	 */
	headers: Record<string, string>;
	/**
	 * Fields of the token request in the order sent; the secret shows as `<secret>`, a wrong one as
	 * `<wrong secret>`.
	 */
	form?: Record<string, string | string[]>;
	/** 0 until there is a response, and for good when the connection ended without one. */
	status: number;
	/** Which of the tokens issued was sent, counted from 1. */
	tokenNumber?: number;
	/** Requests in work when this one came, itself included. */
	inFlight: number;
}

export interface RequestSummary {
	total: number;
	/** Path, then status, then how often. */
	byPath: Record<string, Record<string, number>>;
	/** Most requests in work at once. */
	peakInFlight: number;
}

/** What the service was asked, so that tests can assert on it. */
export class RequestLog {
	readonly requests: RecordedRequest[] = [];
	private readonly open = new Set<RecordedRequest>();

	/** Notes a request that has come; `responded` and `ended` complete it. */
	begin(request: Omit<RecordedRequest, 'status' | 'inFlight'>): RecordedRequest {
		const recorded = { ...request, status: 0, inFlight: this.open.size + 1 };
		this.open.add(recorded);
		this.requests.push(recorded);
		return recorded;
	}

	/** Notes the status before the response goes out, so that its receiver finds it here. */
	responded(request: RecordedRequest, status: number): void {
		// A response to a caller who is gone already is none.
		if (this.open.has(request)) request.status = status;
	}

	/** The response is out or the connection gone. */
	ended(request: RecordedRequest): void {
		this.open.delete(request);
	}

	clear(): void {
		this.requests.length = 0;
	}

	summary(): RequestSummary {
		const byPath: RequestSummary['byPath'] = {};
		let peakInFlight = 0;
		for (const { inFlight, path, status } of this.requests) {
			byPath[path] ??= {};
			byPath[path][status] = (byPath[path][status] ?? 0) + 1;
			peakInFlight = Math.max(peakInFlight, inFlight);
		}
		return { total: this.requests.length, byPath, peakInFlight };
	}
}
