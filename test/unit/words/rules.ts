/** Who reads a text: a user of the package, or somebody who works on its code. */
export type Reader = 'user' | 'developer';

export interface Text {
	readonly reader: Reader;
	readonly text: string;
}

/** What is refused, what is better, and for whom; without a reader it holds for everybody. */
type Rule = readonly [bans: RegExp, better: string, reader?: Reader];

const RULES: readonly Rule[] = [
	[/\bblanks?\b/i, 'space, or empty'],
	[/\boperators? of the (service|interface)\b|\bthe operator\b/i, 'service provider'],
	[/\bthe service provider\b/i, 'your service provider', 'user'],
	[/\bswitch(es|ed)? (it )?o(n|ff)\b/i, 'turn on, turn off', 'user'],
	[/\b(has|have) to be set\b/i, 'must be set', 'user'],
	[/\bby (it|them)sel(f|ves)\b/i, 'automatically, or alone'],
	[/\bbehind (it|them|this|that|which|each|page|the(?! (proxy|gateway|firewall)\b))\b/i, 'after'],
	[/\b(brings?|brought)\b/i, 'returns'],
	[/\b(comes?|came|coming) out\b/i, 'is returned'],
	[/\b(gives|gave)\b(?! (up|away|back))/i, 'returns'],
	[/\b(size|value|answer|page|record|list|body|what) that (came|comes)\b/i, 'returned'],
	[/\balso not\b/i, 'even …, or not … either'],
	[/(?<!\b(there|it) )\b(is|are) no (?!longer\b|more\b)/i, 'is not a'],
	[/\b(has|have) to be there\b/i, 'must be there'],
	[
		/(?<!\b(at|in|of) )\b(the )?most (pages|users|records|items|requests|bytes|seconds|elements)\b(?! (are|have|need|of))/i,
		'maximum number of',
	],
	[/\bso (long|far|much|many|little|few|old|new|large|small|fast) as\b/i, 'as … as'],
	[/[.!?:;(]\s+where\b[^.?!;|]*,/i, 'if'],
	[/^where\b[^.?!;|]*,/i, 'if', 'user'],
	[
		/, for (it|they|that|this|these|those|there|he|she|we|nothing|nobody|n8n|(the|a|an|no|some|each) [\w-]+) (is|are|was|were|has|have|had|does|do|did|will|would|may|might|can|could|must|makes?|gets?|needs?)\b/i,
		'because',
	],
	[
		/\bnot published\b(?! (on npm|yet))|\b(does|do) not publish\b|\bunpublished\b/i,
		'not documented',
	],
	[/\b(service|interface) publishes\b|\bpublished (interface|path|endpoint)s?\b/i, 'documents'],
	[/\btold by\b/i, 'recognized by'],
	[/\bin flight\b/i, 'at the same time', 'user'],
	[/\bempty = detect|\bempty detects\b|\bempty means detect/i, 'Leave empty to detect it.'],
	[
		/\b\w*(recogni|normali|seriali|generali|summari|optimi|minimi|canonicali|authori|reali|organi)s(e|ed|es|ing|ation)\b/i,
		'American spelling: -ize',
	],
	[
		/\b(behaviou?r?our|behaviours?|colours?|licences?|honours?|honoured|favours?|grey|whilst|amongst)\b/i,
		'American spelling',
	],
	[/(?<!N8N_)\bWEBHOOK_URL\b(?! in older)/, 'N8N_WEBHOOK_URL, as n8n calls it now'],
	[/\baddress(es)?\b/i, 'URL; or say IP address, e-mail address, loopback address', 'user'],
	[/(?<!Tenant API URL.*)\btenants?\b/, 'account', 'user'],
	[/\bthe client\b(?! (ID|IDs|secret|secrets|credentials)\b)/i, 'the client ID', 'user'],
	[/\b(isolates?|V8|digests?)\b/, 'nothing: it belongs in CONTRIBUTING', 'user'],
	[/\banswer(s|ed|ing)?\b/i, 'response, respond', 'developer'],
	[/\brefus(e|es|ed|al|als|ing)\b/i, 'rejected; invalid; throttled', 'developer'],
	[
		/\b(witness(es)?|untold|told|came|heard|believe[sd]?|doubt(s|ed|ful)?|let through|in vain)\b/i,
		'the word of the glossary',
		'developer',
	],
];

/** Terms in which a refused word is the right one. */
const RIGHT_TERMS =
	/\b(IP|IPv4|IPv6|e-mail|email|loopback|private|network|internal|MAC|street) address(es)?\b|\bqueue operator\b/gi;

/** Each word of a text that has a better one. */
export function bannedWords({ reader, text }: Text): string[] {
	const plain = text.replace(/\s+/g, ' ').replace(RIGHT_TERMS, '…');
	return RULES.flatMap(([bans, better, only = reader]) => {
		const found = only === reader ? bans.exec(plain) : null;
		if (found === null) return [];
		const from = Math.max(0, found.index - 30);
		const seen = plain.slice(from, found.index + found[0].length + 30).trim();
		return [`"${found[0].trim()}" in "${seen}". Better: ${better}`];
	});
}

/**
 * Words of which the glossary has better ones, because each had several meanings. "unknown" stays:
 * it is the type of the language.
 */
const OLD_WORDS =
	/^(answer(s|ed|ing)?|ask(s|ed|ing)?|believe[sd]?|c[ao]mes?|doubt(s|ed|ful)?|fresh|heard?|hears|known|learn(s|ed|t)?|met|news|place[sd]?|prove[sd]?|refus(e|es|ed|al|als|ing)|said|says|sought|tells?|telling|told|untold|witness(es)?)$/i;

/** Names in what is stored or set by users: renaming them would break what exists. */
const STORED = new Map([
	['answerPath', /./],
	...['known', 'place', 'provedAt', 'told'].map(
		(name) => [name, /\/polling\/cursor\.ts$/] as const,
	),
]);

/** Whether a name holds a word that has a better one, or is "is" and a preposition. */
export function isOldName(name: string, file: string): boolean {
	if (STORED.get(name)?.test(file) === true) return false;
	const words = name.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/);
	return (
		words.some((word) => OLD_WORDS.test(word)) || /^(is|are|was)(Of|In|On|By|From)[A-Z]/.test(name)
	);
}
