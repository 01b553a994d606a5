import { isJsonObject } from '../values/json';
import { isShownName } from '../values/serverText';
import { type EnvelopeList, readEnvelope } from './envelope';
import { normalizedLocalName } from './fieldNames';
import { findIdField } from './identity';
import { singular } from './resources';

export type ListChoice =
	/** Without a path if several lists may be meant and all are empty. */
	| { kind: 'list'; path?: string; list: readonly unknown[]; otherPaths: readonly string[] }
	/** Null where the list would be. */
	| { kind: 'null' }
	/** Nothing shows which of these is the list; none of them if there is no list. */
	| { kind: 'unclear'; paths: readonly string[] };

/**
 * Names of lists that are not named for the resource, and of objects around one; likeliest first.
 */
const USUAL_NAMES =
	`data items content results result value values records list rows entries entry elements objects resources nodes
	edges entities hits docs member members collection features payload response body page embedded d`.split(
		/\s+/,
	);

/** Names under which null means an empty list. Under the others it may mean something else. */
const NULL_NAMES = USUAL_NAMES.slice(0, USUAL_NAMES.indexOf('list') + 1);

/** What lists have around the name of their resource: `listUsers`, `UserInfoSearch`. */
const PREFIX = /^(get|list|all|find|search|fetch|query)+/;
const SUFFIX =
	/(?:list|collection|info|records?|data|set|array|items|search|query|response|results?|connection|page){1,3}$/;

interface CandidateList extends EnvelopeList {
	/** Index among the names of the list, or after them if it has a prefix or suffix; -1 if none. */
	named: number;
	/** Index among the usual names; -1 if none. */
	usual: number;
	/** How many objects of unknown names are around it. */
	distance: number;
}

/**
 * Chooses the list of a response: the one named for the resource; else one under a usual name; else
 * the only one with records; of several, the one whose records have IDs. A usual name does not
 * count if another list is nearer, with fewer objects of unknown names around it.
 *
 * @param listNames as of `ListTarget`
 */
export function chooseList(body: unknown, listNames: readonly string[]): ListChoice {
	const [plural = ''] = listNames;
	const candidates = findCandidates(body, listNames);
	const filled = candidates.filter(({ list }) => hasOnlyRecords(list));
	const empty = candidates.filter(({ list }) => list?.length === 0);
	const nulls = candidates.filter(({ list }) => list === null);
	const isNearest = ({ distance }: CandidateList) =>
		filled.every((other) => other.distance >= distance);

	const named =
		bestCandidate([...filled, ...empty], 'named') ?? bestCandidate(filled, 'usual', isNearest);
	if (named !== undefined) return listChoice(named, filled);
	if (nulls.some(({ name }) => name === plural)) return { kind: 'null' };
	const usualEmpty = bestCandidate(empty, 'usual', isNearest);
	if (usualEmpty !== undefined) return listChoice(usualEmpty, filled);

	const hasIds = ({ list }: CandidateList) =>
		findIdField((list ?? []).filter(isJsonObject), singular(plural))?.isCertain === true;
	const [first, ...others] = filled.length > 1 ? filled.filter(hasIds) : filled;
	if (filled.length > 0) {
		// On a quiet day, an empty list beside it may be the one that is meant.
		const rivals = empty.filter(
			({ keys, distance }) =>
				first !== undefined && distance <= first.distance && keys.length <= first.keys.length,
		);
		return first === undefined || others.length > 0 || rivals.length > 0
			? { kind: 'unclear', paths: shownPaths([...filled, ...rivals]) }
			: listChoice(first, filled);
	}
	const [onlyEmpty, ...otherEmpty] = empty;
	if (onlyEmpty !== undefined)
		return otherEmpty.length > 0
			? { kind: 'list', list: [], otherPaths: [] }
			: listChoice(onlyEmpty, []);
	return nulls.some(isNullList) ? { kind: 'null' } : { kind: 'unclear', paths: [] };
}

function findCandidates(body: unknown, listNames: readonly string[]): CandidateList[] {
	const indexOf = (name: string) => {
		const index = listNames.indexOf(name);
		const base = name.replace(PREFIX, '').replace(SUFFIX, '');
		return index < 0 && listNames.includes(base) ? listNames.length : index;
	};
	const candidates = readEnvelope(body)
		.lists.map((list): CandidateList => {
			const around = list.keys.slice(0, -1).map(normalizedLocalName);
			const unknown = around.filter((name) => !USUAL_NAMES.includes(name) && indexOf(name) < 0);
			const usual = USUAL_NAMES.indexOf(list.name);
			return { ...list, named: indexOf(list.name), usual, distance: unknown.length };
		})
		.filter(({ isMetadata, named }) => !isMetadata || named >= 0)
		.filter(
			({ belongsToRecord, distance, named, usual }) =>
				!belongsToRecord || (distance === 0 && (named >= 0 || usual >= 0)),
		);
	// Included records are often of the same kind, such as the authors of messages.
	const outside = candidates.filter(({ isIncluded }) => !isIncluded);
	const isThere = outside.some(
		(one) => one.list?.length === 0 || hasOnlyRecords(one.list) || isNullList(one),
	);
	return isThere ? outside : candidates;
}

function listChoice({ path, list }: CandidateList, filled: readonly CandidateList[]): ListChoice {
	const others = filled.filter((other) => other.path !== path);
	return { kind: 'list', path, list: list ?? [], otherPaths: shownPaths(others) };
}

function shownPaths(candidates: readonly CandidateList[]): string[] {
	return candidates.filter(({ keys }) => keys.every(isShownName)).map(({ path }) => path);
}

/** The nearest candidate under a likely name, if it passes `isFit`. */
function bestCandidate(
	candidates: readonly CandidateList[],
	by: 'named' | 'usual',
	isFit: (one: CandidateList) => boolean = () => true,
): CandidateList | undefined {
	const [best] = candidates
		.filter((one) => one[by] >= 0)
		.sort(
			(one, other) =>
				one.distance - other.distance || one[by] - other[by] || one.keys.length - other.keys.length,
		);
	return best !== undefined && isFit(best) ? best : undefined;
}

function isNullList({ list, named, usual }: CandidateList): boolean {
	return list === null && (named >= 0 || NULL_NAMES[usual] !== undefined);
}

export function hasOnlyRecords(list: unknown): boolean {
	return Array.isArray(list) && list.length > 0 && list.every(isJsonObject);
}
