/** The prime of the field of the coordinates (RFC 8032 section 5.1). */
const P = 2n ** 255n - 19n;

/** One of the points of order 8; the other ones have this y or its negative. */
const Y_OF_ORDER_8 = 0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n;

/** The y of the eight points of small order: 1, 2, 4 and 8. */
const SMALL_ORDER: ReadonlySet<bigint> = new Set([0n, 1n, P - 1n, Y_OF_ORDER_8, P - Y_OF_ORDER_8]);

/**
 * Whether anybody can sign for a public key: it is a point of small order, for which a signature
 * can be made without the secret, or not written in the one way of RFC 8032 section 5.1.2. OpenSSL
 * 3.0 of Node.js 20 takes both.
 *
 * @param key 32 bytes
 */
export function isForgeableKey(key: Buffer): boolean {
	const written = BigInt(`0x${Buffer.from(key).reverse().toString('hex')}`);
	const y = BigInt.asUintN(255, written);
	return y >= P || SMALL_ORDER.has(y);
}
