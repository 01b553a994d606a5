import { LISTED_RESOURCES } from './resources';

/** What a text says of a request. `noRecords`: there are none; `noPage`: there is no such page. */
export type TextClass = 'success' | 'noRecords' | 'noPage' | 'failure' | 'unclear';

/** What error fields hold if there is no error; codes such as `S_OK` and `ERROR_SUCCESS` too. */
const NO_ERROR =
	/^[.!\s]*(?:(?:none|null|nil|false|n|n\/a|-|(?:s |e |rc |error |status )?(?:ok(?:ay)?|success)|(?:0x)?0+|20\d0*)[.!\s]*|no errors?\b.*)?$/i;
const WITHOUT_ERRORS = /\b(no|without|zero|0) (any )?(errors?|failures?|exceptions?)\b/gi;
const SUCCESS = /\b(success(ful(ly)?)?|completed|done)\b/i;

/** Of the listed resources. One company that is not found is that of the client. */
const RESOURCE_WORDS = Object.values(LISTED_RESOURCES)
	.flatMap(({ name, plural }) => [name, plural])
	.filter((name) => name !== LISTED_RESOURCES.company.name);
/** Records of any kind. Not organizations. */
const RECORD_WORDS = new RegExp(
	`\\b(?:data|content|records?|results?|rows?|items?|entries|elements|objects|match(?:es|ing)?|people|persons?|members?|visitors?|${RESOURCE_WORDS.join('|')})\\b`,
	'gi',
);
/**
 * "No records found", "0 matching users", "User not found", "The result is empty", with each of
 * these words written `record`.
 */
const NO_RECORDS = [
	/\b(?:no|zero|0|not any)(?: (?!for\b|in\b|of\b)[a-z]+){0,2} (?:record|company)\b/i,
	/\b(?:record|company) (?:set |list )?(?:is|was|are|were) empty\b/i,
	/\bempty (?:list|set|record|company)\b/i,
	/\bnothing (?:to|found|more|here|record|matched|was found)\b/i,
	/\brecord\b\S{0,9}(?: \S+){0,4} not(?: be)? (?:found|available)\b/i,
	/(?:\bnot|n't|\bto) find any(?: [a-z]{1,20}){0,2} (?:record|company)\b/i,
];
/** "Not Found" as a status, "Invalid page number", "The page 7 does not exist", "End of list". */
const NO_PAGE = [
	/^\W*(?:404 )?not found\W*$/i,
	/\bno(?: [a-z]+){0,2} pages?\b/i,
	/\binvalid (?:page|offset)(?: ?(?:number|index))?\b(?! ?size)/i,
	/\b(?:beyond|past|after) the (?:last page|end)\b/i,
	/\b(?:end of|reached) (?:the )?(?:end|list|results?|data|records)\b/i,
	/\blast page\b/i,
	/\b(?:page|offset)(?:number|index|no)?\b(?! ?(?:size|limit)).{0,40}\b(?:exist|exceeds?|beyond|greater|too (?:large|high|big)|out of (?:range|bounds)|invalid|not found)\b/i,
];

/** Then what is missing is needed to read records, and is not a record. */
const MEANS_MISSING = [
	/\b(?:tokens?|keys?|permissions?|access|tenants?|clients?|licen[cs]es?|accounts?|credentials?)\b/i,
	/\b(?:sessions?|databases?|hosts?|servers?|services?|connections?|routes?|endpoints?|paths?)\b/i,
	/\b(?:urls?|resource|api|header|body|source|must|should|cannot|required)\b/i,
	/\b(?:auth|configur)/i,
];

const FAILURE_WORDS = [
	/\b(?:can ?not|can't|not|fault|errors?|exceptions?|denied|invalid|illegal|expired|limit(?:ed)?)\b/i,
	/\b(?:quota|too many|timed? ?out|busy|try again|later|forbidden|refused|rejected|blocked)\b/i,
	/\b(?:maintenance|wrong|missing|required|must)\b/i,
	/\b(?:un\w|fail|exceed|throttl|overload)/i,
];

/** @param text a sentence, or the name of a code such as `RATE_LIMITED` */
export function classifyText(text: string): TextClass {
	const words = text.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/[_-]+/g, ' ');
	if (NO_ERROR.test(words)) return 'success';
	if (!MEANS_MISSING.some((pattern) => pattern.test(words))) {
		const ofRecords = words.replace(RECORD_WORDS, 'record');
		if (NO_RECORDS.some((pattern) => pattern.test(ofRecords))) return 'noRecords';
		if (NO_PAGE.some((pattern) => pattern.test(words))) return 'noPage';
	}
	const isDone = words.replace(WITHOUT_ERRORS, '');
	if (FAILURE_WORDS.some((pattern) => pattern.test(isDone))) return 'failure';
	if (isDone !== words) return 'success';
	return SUCCESS.test(words) ? 'success' : 'unclear';
}
