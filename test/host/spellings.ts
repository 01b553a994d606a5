/** Every spelling in which a secret could have got somewhere. */
export function spellings(secret: string): string[] {
	const bytes = Buffer.from(secret);
	return [
		secret,
		secret.toUpperCase(),
		encodeURIComponent(secret),
		encodeURIComponent(encodeURIComponent(secret)),
		new URLSearchParams({ '': secret }).toString().slice(1),
		JSON.stringify(secret).slice(1, -1),
		bytes.toString('base64').replace(/=+$/, ''),
		bytes.toString('base64url'),
		bytes.toString('hex'),
		...referencesOf(secret),
	];
}

/** How services write a text as HTML. */
export function referencesOf(text: string): string[] {
	const hex = (one: string) => `&#x${one.charCodeAt(0).toString(16).toUpperCase()};`;
	const names: Record<string, string> = {
		'"': 'quot',
		'&': 'amp',
		'+': 'plus',
		'/': 'sol',
		'=': 'equals',
	};
	const all = text.replace(/[^a-z0-9]/gi, hex);
	return [
		all,
		text.replace(/[^a-z0-9]/gi, (one) => `&#${one.charCodeAt(0)};`),
		// Which browsers read too.
		text.replace(/\W(?!\d)/g, (one) => `&#0${one.charCodeAt(0)}`),
		text.replace(/./g, hex),
		text.replace(/["&+/=]/g, (one) => `&${names[one]};`),
		all.replaceAll('&', '&amp;'),
	];
}
