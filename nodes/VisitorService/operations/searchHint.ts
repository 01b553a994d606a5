import type { ListingReport } from '../listing/listRecords';
import type { MatchRules, RecordMatch } from '../match/recordMatch';

type SearchRules = { match: MatchRules; limit: number; returnAll: boolean };

/** What a user may want to know of a search that went well. */
export function searchRemarks(
	{ match: { conditions, type }, limit, returnAll }: SearchRules,
	{ endedBy, found, pages }: Pick<ListingReport, 'endedBy' | 'pages'> & { found: number },
): string[] {
	if (conditions.length === 0) return [];
	const isLimited = !returnAll && endedBy === 'limit';
	if (isLimited) return limit === 1 ? [] : ['Stopped at Limit: there may be more.'];
	const isExact = conditions.some(({ comparison }) => comparison === 'equals');
	const mayBeOnly = isExact && found === 1 && (type === 'all' || conditions.length === 1);
	return mayBeOnly && pages > 1 ? ['To stop at the first match, use Find, or set Limit to 1.'] : [];
}

/** What the user should look at: conditions that no record could meet. */
export function searchWarnings(match: RecordMatch, plural: string): string[] {
	const { unreadableTimes } = match;
	const warnings = fieldsNobodyHas(match, plural);
	if (unreadableTimes.length === 0) return warnings;
	return [
		...warnings,
		`None of the ${plural} has a time that can be read at ${quoted(unreadableTimes)}: check Conditions.`,
	];
}

/** Names the fields there are, because one of them is mostly meant. */
export function fieldsNobodyHas(match: RecordMatch, plural: string): string[] {
	const { missing, otherFields } = match;
	if (missing.length === 0) return [];
	return [
		`None of the ${plural} has ${quoted(missing)}: check the name of the field. Fields: ${otherFields.join(', ')}.`,
	];
}

function quoted(names: readonly string[]): string {
	return names.map((name) => `"${name}"`).join(', ');
}
