/** Every spelling in which a secret could have got somewhere. */
export function spellings(secret: string): string[] {
	const bytes = Buffer.from(secret);
	return [
		secret,
		encodeURIComponent(secret),
		new URLSearchParams({ '': secret }).toString().slice(1),
		JSON.stringify(secret).slice(1, -1),
		bytes.toString('base64').replace(/=+$/, ''),
		bytes.toString('base64url'),
		bytes.toString('hex'),
	];
}
