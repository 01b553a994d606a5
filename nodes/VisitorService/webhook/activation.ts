import { isLoopback } from '../../../credentials/authorization/serverUrl';
import { hasEverybody, unreadableEntries } from './allowlist';
import { letsIn } from './delivery/request';
import type { EventSources } from './eventFields';
import type { TriggerSettings } from './receive';
import { secretHeaderOf } from './signature/authentication';
import {
	authenticationProblem,
	checksTime,
	optionalFieldNameProblem,
	signsHeader,
} from './signature/settingsProblem';
import { parseTemplate } from './signature/signedContent';
import { mayBeSigned } from './signature/verify';

/** Seconds. Who takes 300000 for milliseconds sets more. */
const MAX_USUAL_TOLERANCE = 86_400;

/**
 * Finds what would keep every genuine delivery out, or looks like protection and is none.
 *
 * @param secrets the current one and the previous one; `''` if it is not set
 * @returns one sentence that says what is wrong and one that says what to do; undefined if nothing
 *   is wrong
 */
export function findSettingsProblem(
	settings: TriggerSettings,
	secrets: readonly string[],
): string | undefined {
	const { eventHeader, idHeader } = settings.sources;
	return (
		allowlistProblem(settings) ??
		sourceHeaderProblem('Event Header', eventHeader, settings) ??
		sourceHeaderProblem('ID Header', idHeader, settings) ??
		eventsProblem(settings) ??
		pathProblem(settings) ??
		authenticationProblem(settings.authentication, secrets)
	);
}

/**
 * Finds what may be meant, and more often is not.
 *
 * @param webhookUrl the URL the service is to call; undefined if it is not known
 */
export function findSettingsWarnings(
	settings: TriggerSettings,
	secrets: readonly string[],
	webhookUrl: string | undefined,
): string[] {
	return [
		urlWarning(webhookUrl),
		secretWarning(settings, secrets),
		contentWarning(settings),
		toleranceWarning(settings),
		repeatWarning(settings),
		...unsignedWarnings(settings),
		pathWarning(settings),
		allowlistWarning(settings),
		unseenWarning(settings),
	].filter((warning) => warning !== undefined);
}

function allowlistProblem({ ipAllowlist }: TriggerSettings): string | undefined {
	const [unreadable] = unreadableEntries(ipAllowlist);
	if (unreadable === undefined) return undefined;
	return `The IP allowlist has the entry "${unreadable}", which is neither an IP address nor a range. Write IP addresses like 192.0.2.10 or ranges like 192.0.2.0/24 or 2001:db8::/32, separated by commas.`;
}

function sourceHeaderProblem(
	field: string,
	name: string,
	{ authentication }: TriggerSettings,
): string | undefined {
	if (name === '' || !letsIn(name, secretHeaderOf(authentication))) {
		return optionalFieldNameProblem(field, name);
	}
	return `${field} is "${name}", a header with a secret, which is never shown. Set ${field} to another header, or clear it.`;
}

/**
 * No service is known that has these in the name of an event: other quotes and separators, patterns
 * and braces. Only commas separate names.
 */
const ODD_NAME = /[*"`;|{}“”„«»，、；\t\r\n]|^['‘’^[]|['‘’$\]]$|^\/.*\/$/;

function eventsProblem({ events }: TriggerSettings): string | undefined {
	const odd = events.find((name) => ODD_NAME.test(name));
	if (odd === undefined) return undefined;
	return `Events has the name ${odd.replace(/[\r\n]+/g, '⏎')}, but names are compared as they are, without patterns, quotes and other separators. Write each name in full with commas between them, or leave Events empty for all events.`;
}

function pathsOf({ eventPath, idPath, itemsPath }: EventSources): Array<[string, string]> {
	return [
		['Event Path', eventPath],
		['ID Path', idPath],
		['Items Path', itemsPath],
	];
}

/**
 * Other languages, such as JSONPath, JSON Pointer and expressions of n8n: no service is known that
 * has such names of fields.
 */
const ODD_PATH = /^\$(?![\w-])|^\$(?:json|input)\b|^[=/]|[*{}]|^\.|\.\.|\.$/;

function pathProblem({ sources }: TriggerSettings): string | undefined {
	const odd = pathsOf(sources).find(([, path]) => ODD_PATH.test(path));
	if (odd === undefined) return undefined;
	return `${odd[0]} is "${odd[1]}", which is not a dot path, so nothing would be found. Write the names of the fields with dots between them, for example data.id or events.0.id.`;
}

/** What an item has beside the name and the ID, at the beginning of a path. */
const PART_OF_ITEM = /^(?:\$|json\.)?(body|headers|query)\./i;

function pathWarning({ sources }: TriggerSettings): string | undefined {
	for (const [field, path] of pathsOf(sources)) {
		const part = PART_OF_ITEM.exec(path)?.[1]?.toLowerCase();
		if (part === undefined) continue;
		const remedy = part === 'body' ? 'Remove it' : remedyOutsideBody(field, part);
		return `${field} starts with ${part}, as the item shows it, but paths begin inside the body. ${remedy}, unless the body has a field of that name.`;
	}
	const start = `${sources.itemsPath}.`;
	const inList = pathsOf(sources).find(([, path]) => start !== '.' && path.startsWith(start));
	if (inList !== undefined) {
		return `${inList[0]} starts with Items Path, but begins inside each element of that list. Remove ${start} from it, unless the elements have a field of that name.`;
	}
	const odd = pathsOf(sources).find(([, path]) => /[[\]]/.test(path));
	if (odd === undefined) return undefined;
	return `${odd[0]} has brackets, which only the fields of a form have in their names. For a place in a list of JSON write a number between dots, for example events.0.id.`;
}

/** Only headers have other settings for the same. */
function remedyOutsideBody(field: string, part: string): string {
	const hasHeader = part === 'headers' && field !== 'Items Path';
	return hasHeader ? `Set ${field.replace('Path', 'Header')} instead` : `Clear ${field}`;
}

function urlWarning(webhookUrl: string | undefined): string | undefined {
	if (webhookUrl === undefined || !URL.canParse(webhookUrl)) return undefined;
	if (!isLoopback(new URL(webhookUrl).hostname)) return undefined;
	return `The webhook URL ${new URL(webhookUrl).origin} can be reached from this machine only. Set the environment variable N8N_WEBHOOK_URL of n8n (WEBHOOK_URL in older versions) to the URL under which the service reaches it, and start n8n again.`;
}

/** Of two secrets one may match nothing. */
function secretWarning(
	{ authentication }: TriggerSettings,
	secrets: readonly string[],
): string | undefined {
	return secrets
		.map((_, index) => secrets.map((secret, place) => (place === index ? secret : '')))
		.filter((alone) => alone.some((secret) => secret.trim() !== ''))
		.map((alone) => authenticationProblem(authentication, alone))
		.find((problem) => problem !== undefined);
}

/** Copied along and not seen, it would have to be signed as well. */
function contentWarning({ authentication }: TriggerSettings): string | undefined {
	if (authentication.kind !== 'hmac') return undefined;
	const { signedContent } = authentication;
	if (signedContent === signedContent.trim()) return undefined;
	return 'Signed Content starts or ends with a space or a line break. Remove it, unless the service signs it.';
}

/** Anybody would have days to send a recorded delivery again. */
function toleranceWarning({ authentication }: TriggerSettings): string | undefined {
	if (!checksTime(authentication) || authentication.tolerance <= MAX_USUAL_TOLERANCE)
		return undefined;
	return 'Timestamp Tolerance is more than a day: whoever recorded a delivery could send it again all that time. Set it to the seconds a delivery may take, for example 300.';
}

/**
 * Who sends a recorded delivery again can change what is not signed, and nobody knows of a guess
 * whether it is the ID.
 */
function repeatWarning({
	authentication,
	ignoreRepeats,
	sources,
}: TriggerSettings): string | undefined {
	if (!ignoreRepeats || authentication.kind !== 'hmac') return undefined;
	const template = parseTemplate(authentication.signedContent);
	const isSigned = signsHeader(template, sources.idHeader, authentication);
	const isSure = sources.idPath !== '' || (sources.idHeader !== '' && isSigned);
	if (isSure || checksTime(authentication)) return undefined;
	return 'Ignore Repeats does not keep out recorded deliveries: whoever has one could send it again with another header, because no time is signed, and no ID that is surely that of the event. Set ID Path if the ID is in the body, or ID Header under Options if it is in a signed header.';
}

/** Whoever named them is taken at their word, and must know what that means. */
function unsignedWarnings({ authentication, sources }: TriggerSettings): string[] {
	const named = [
		['Event Header', sources.eventHeader, 'name', 'Event Path'],
		['ID Header', sources.idHeader, 'ID', 'ID Path'],
	] as const;
	return named
		.filter(([, name]) => name !== '' && !mayBeSigned(authentication, name))
		.map(
			([field, name, what, path]) =>
				`${field} is "${name}", which is not signed: whoever recorded a webhook could send it again with another ${what}. Set ${path} instead if the ${what} is in the body too.`,
		);
}

/**
 * Copied along from a document, it is compared too. Headers and IP addresses with one are refused.
 */
function unseenWarning({ events, sources, authentication }: TriggerSettings): string | undefined {
	const isHmac = authentication.kind === 'hmac';
	const texts = {
		Events: events.join(),
		...Object.fromEntries(pathsOf(sources)),
		'Signature Prefix': isHmac ? authentication.signaturePrefix : '',
		'Signed Content': isHmac ? authentication.signedContent : '',
	};
	const field = Object.entries(texts).find(([, text]) => /\p{Cf}/u.test(text))?.[0];
	if (field === undefined) return undefined;
	return `${field} has a character that is not visible, such as a zero-width space. Clear ${field} and type it again.`;
}

function allowlistWarning({ ipAllowlist }: TriggerSettings): string | undefined {
	const all = ipAllowlist.find(hasEverybody);
	if (all === undefined) return undefined;
	return `The IP allowlist has the range ${all}, which everybody is in. Replace it with the IP addresses of the service, or clear IP Allowlist.`;
}
