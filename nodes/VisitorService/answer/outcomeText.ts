/**
 * What a text of an answer says of the request. `noRecords`: there are none. `noPage`: there is no
 * such page.
 * `unclear`: neither that it failed nor that it did not.
 */
export type TextMeaning = 'success' | 'noRecords' | 'noPage' | 'failure' | 'unclear';

/**
 * Texts of an error field that tell of none, and names of codes such as `S_OK`, `NoError` and
 * `ERROR_SUCCESS`.
 */
const NO_ERROR =
	/^[.!\s]*(?:(?:none|null|nil|false|n|n\/a|-|(?:s |e |rc |error |status )?(?:ok(?:ay)?|success)|(?:0x)?0+|20\d0*)[.!\s]*|no errors?\b.*)?$/i;
const WITHOUT_ERRORS = /\b(no|without|zero|0) (any )?(errors?|failures?|exceptions?)\b/gi;
const SUCCESS = /\b(success(ful(ly)?)?|completed|done)\b/i;

/**
 * Records of any kind, and those of the listed resources. Not organizations, nor one company: if it
 * is not found, it is that of the client.
 */
const RECORD_WORDS =
	'(data|content|records?|results?|rows?|items?|entries|elements|objects|match(es|ing)?|users?|people|persons?|members?|compan(y|ies)|visits?|visitors?|tasks?)';
/**
 * "No records found", "0 matching users", "Nothing to show", "User not found", "The result is
 * empty".
 */
const NO_RECORDS_WORDS = new RegExp(
	[
		`\\b(no|zero|0|not any)( (?!for\\b|in\\b|of\\b)[a-z]+){0,2} ${RECORD_WORDS}\\b`,
		`\\b(?!company\\b)${RECORD_WORDS}(\\(s\\))?( [a-z]+){0,3} not( be)? (found|available)\\b`,
		`(\\bnot|n't|\\bunable to) find any( [a-z]+){0,2} ${RECORD_WORDS}\\b`,
		`\\b${RECORD_WORDS} (set |list )?(is|was|are|were) empty\\b`,
		`\\bempty (list|set|${RECORD_WORDS})\\b`,
		'\\bnothing (to|found|more|here|matche[sd]|was found)\\b',
	].join('|'),
	'i',
);
/**
 * "Page out of range", "Not Found" as the name of a status, "Invalid page number", "The page 7 does
 * not exist", "End of list", "No more pages".
 */
const NO_PAGE =
	/^\W*(404 )?not found\W*$|\bno( [a-z]+){0,2} pages?\b|\b(page|offset)( ?(number|index|no))?\b(?! ?(size|limit)).{0,30}\b(exist|exceeds?|beyond|greater|too (large|high|big)|out of (range|bounds)|invalid|not found)\b|\binvalid (page|offset)( ?(number|index))?\b(?! ?size)|\b(beyond|past|after) the (last page|end)\b|\b(end of|reached) (the )?(end|list|results?|data|records)\b|\blast page\b/i;

/** What is missing is then no record but what is needed to read them. */
const MEANS_MISSING =
	/\b(tokens?|keys?|auth\w*|permissions?|access|tenants?|clients?|licen[cs]es?|accounts?|credentials?|sessions?|databases?|hosts?|servers?|services?|connections?|routes?|endpoints?|paths?|urls?|resource|api|header|body|source|configur\w*|must|should|cannot|required)\b/i;

const FAILURE_WORDS =
	/\b(can ?not|can't|not|un\w+|fail\w*|fault|errors?|exceptions?|denied|invalid|illegal|expired|exceed\w*|limit(ed)?|quota|throttl\w*|too many|timed? ?out|busy|overload\w*|try again|later|forbidden|refused|rejected|blocked|maintenance|wrong|missing|required|must)\b/i;

/** @param text a sentence, or the name of a code such as `RATE_LIMITED` */
export function meaningOf(text: string): TextMeaning {
	const words = text.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/[_-]+/g, ' ');
	if (NO_ERROR.test(words)) return 'success';
	if (!MEANS_MISSING.test(words)) {
		if (NO_RECORDS_WORDS.test(words)) return 'noRecords';
		if (NO_PAGE.test(words)) return 'noPage';
	}
	const isDone = words.replace(WITHOUT_ERRORS, '');
	if (isDone !== words) return FAILURE_WORDS.test(isDone) ? 'failure' : 'success';
	if (FAILURE_WORDS.test(words)) return 'failure';
	return SUCCESS.test(words) ? 'success' : 'unclear';
}
