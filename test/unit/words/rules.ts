/** Who reads a text: a user of the package, or somebody who works on its code. */
export type Reader = 'user' | 'developer';

export interface Text {
	readonly reader: Reader;
	readonly text: string;
}

interface Rule {
	readonly refuses: RegExp;
	readonly better: string;
	/** Rules without a reader hold for everybody. */
	readonly reader?: Reader;
}

const RULES: readonly Rule[] = [
	{ refuses: /\bblanks?\b/i, better: 'space, or empty' },
	{
		refuses: /\boperators? of the (service|interface)\b|\bthe operator\b/i,
		better: 'service provider',
	},
	{ refuses: /\bthe service provider\b/i, better: 'your service provider', reader: 'user' },
	{ refuses: /\bswitch(es|ed)? (it )?o(n|ff)\b/i, better: 'turn on, turn off', reader: 'user' },
	{ refuses: /\b(has|have) to be set\b/i, better: 'must be set', reader: 'user' },
	{ refuses: /\bby (it|them)sel(f|ves)\b/i, better: 'automatically, or alone' },
	{
		refuses: /\bbehind (it|them|this|that|which|each|page|the(?! (proxy|gateway|firewall)\b))\b/i,
		better: 'after',
	},
	{ refuses: /\b(brings?|brought)\b/i, better: 'returns' },
	{ refuses: /\b(comes?|came|coming) out\b/i, better: 'is returned' },
	{ refuses: /\b(gives|gave)\b(?! (up|away|back))/i, better: 'returns' },
	{
		refuses: /\b(size|value|answer|page|record|list|body|what) that (came|comes)\b/i,
		better: 'returned',
	},
	{ refuses: /\balso not\b/i, better: 'even …, or not … either' },
	{ refuses: /(?<!\b(there|it) )\b(is|are) no (?!longer\b|more\b)/i, better: 'is not a' },
	{ refuses: /\b(has|have) to be there\b/i, better: 'must be there' },
	{
		refuses:
			/(?<!\b(at|in|of) )\b(the )?most (pages|users|records|items|requests|bytes|seconds|elements)\b(?! (are|have|need|of))/i,
		better: 'maximum number of',
	},
	{
		refuses: /\bso (long|far|much|many|little|few|old|new|large|small|fast) as\b/i,
		better: 'as … as',
	},
	{ refuses: /[.!?:;(]\s+where\b[^.?!;|]*,/i, better: 'if' },
	{ refuses: /^where\b[^.?!;|]*,/i, better: 'if', reader: 'user' },
	{
		refuses:
			/, for (it|they|that|this|these|those|there|he|she|we|nothing|nobody|n8n|(the|a|an|no|some|each) [\w-]+) (is|are|was|were|has|have|had|does|do|did|will|would|may|might|can|could|must|makes?|gets?|needs?)\b/i,
		better: 'because',
	},
	{
		refuses: /\bnot published\b(?! (on npm|yet))|\b(does|do) not publish\b|\bunpublished\b/i,
		better: 'not documented',
	},
	{
		refuses: /\b(service|interface) publishes\b|\bpublished (interface|path|endpoint)s?\b/i,
		better: 'documents',
	},
	{ refuses: /\btold by\b/i, better: 'recognized by' },
	{ refuses: /\bin flight\b/i, better: 'at the same time', reader: 'user' },
	{
		refuses: /\bempty = detect|\bempty detects\b|\bempty means detect/i,
		better: 'Leave empty to detect it.',
	},
	{
		refuses:
			/\b\w*(recogni|normali|seriali|generali|summari|optimi|minimi|canonicali|authori|reali|organi)s(e|ed|es|ing|ation)\b/i,
		better: 'American spelling: -ize',
	},
	{
		refuses:
			/\b(behaviou?r?our|behaviours?|colours?|licences?|honours?|honoured|favours?|grey|whilst|amongst)\b/i,
		better: 'American spelling',
	},
	{
		refuses: /(?<!N8N_)\bWEBHOOK_URL\b(?! in older)/,
		better: 'N8N_WEBHOOK_URL, as n8n calls it now',
	},
	{
		refuses: /\baddress(es)?\b/i,
		better: 'URL; or say IP address, e-mail address, loopback address',
		reader: 'user',
	},
	{ refuses: /(?<!Tenant API URL.*)\btenants?\b/, better: 'account', reader: 'user' },
	{
		refuses: /\bthe client\b(?! (ID|IDs|secret|secrets|credentials)\b)/i,
		better: 'the client ID',
		reader: 'user',
	},
	{
		refuses: /\b(isolates?|V8|digests?)\b/,
		better: 'nothing: it belongs in CONTRIBUTING',
		reader: 'user',
	},
];

/** Terms in which a refused word is the right one. */
const RIGHT_TERMS =
	/\b(IP|IPv4|IPv6|e-mail|email|loopback|private|network|internal|MAC|street) address(es)?\b|\bqueue operator\b/gi;

/** Each word of a text that has a better one. */
export function refusedWords({ reader, text }: Text): string[] {
	const plain = text.replace(/\s+/g, ' ').replace(RIGHT_TERMS, '…');
	return RULES.filter((rule) => rule.reader === undefined || rule.reader === reader).flatMap(
		({ refuses, better }) => {
			const found = refuses.exec(plain);
			if (found === null) return [];
			const from = Math.max(0, found.index - 30);
			const seen = plain.slice(from, found.index + found[0].length + 30).trim();
			return [`"${found[0].trim()}" in "${seen}". Better: ${better}`];
		},
	);
}
