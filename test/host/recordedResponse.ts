import { EventEmitter } from 'node:events';

/** Stands where express' response stands and keeps what was sent. */
export class RecordedResponse extends EventEmitter {
	statusCode = 200;
	/** False while the sender waits. */
	headersSent = false;
	writableEnded = false;
	/** Whether the response is out, or the sender hung up. */
	closed = false;
	body: unknown;
	/** Names in lower case. */
	readonly headers: Record<string, string> = {};

	/** @param isSlow whether a response is on its way for a while */
	constructor(private readonly isSlow = false) {
		super();
	}

	setHeader(name: string, value: string): this {
		if (this.headersSent) throw new Error('A header came after the response.');
		this.headers[name.toLowerCase()] = value;
		return this;
	}

	status(code: number): this {
		// Express 5 rejects anything else, and the sender then gets a 500.
		if (!Number.isInteger(code) || code < 100 || code > 999) {
			throw new RangeError(`Invalid status code: ${String(code)}`);
		}
		this.statusCode = code;
		return this;
	}

	json(body: unknown): this {
		this.headers['content-type'] ??= 'application/json; charset=utf-8';
		return this.end(body);
	}

	end(body?: unknown): this {
		if (this.headersSent) throw new Error('The response was sent twice.');
		this.headersSent = true;
		this.body = body;
		this.writableEnded = true;
		// Of a response to a sender that hung up no event tells, as with node:http.
		if (this.closed) return this;
		this.emit('finish');
		if (this.isSlow) setTimeout(() => this.close(), 1);
		else this.close();
		return this;
	}

	hangUp(): void {
		this.close();
	}

	private close(): void {
		this.closed = true;
		this.emit('close');
	}
}
