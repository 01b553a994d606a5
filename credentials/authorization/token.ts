/** An access token and what is known of its life. Times in milliseconds of our clock. */
export interface Token {
	accessToken: string;
	/** When it was asked for: of two tokens of one client, the later one counts. */
	issuedAt: number;
	/** From then on it is to be replaced; undefined where the lifetime is not known. */
	renewAt?: number;
}

/** Whether the token may be sent, as far as its lifetime is known. */
export function isFresh({ renewAt }: Token, now: number): boolean {
	return renewAt === undefined || now < renewAt;
}
