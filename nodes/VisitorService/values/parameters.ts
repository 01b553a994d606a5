import { readTypedDecimal } from './decimal';
import { readInstant } from './instant';
import { isRecord, type JsonObject } from './json';

/** Why a value is refused. */
export interface RefusedValue {
	/** The name on the screen. */
	label: string;
	/** e.g. "true or false" */
	must: string;
	/** What to set it to: mostly the same. */
	remedy: string;
}

/**
 * The one set of readers of what a user set, in a node or in a credential. With its expressions
 * resolved that can be of any type: each reader takes the value and the name on the screen.
 * Undefined, null and an empty text mean "not set"; what cannot be meant is never taken for that,
 * because a filter that is silently empty lets everything through.
 *
 * @param failure what a reader throws if the value cannot be meant
 */
export function parameterReaders(failure: (refusal: RefusedValue) => Error) {
	return {
		readText,
		readExactText,
		readList,
		readHeaderName,
		readWholeNumber,
		readNumber,
		readTime,
		readFlag,
		readChoice,
		readCollection,
		readRows,
	};

	/** Numbers too; not an object, a list, or true or false. */
	function readText(value: unknown, label: string): string {
		return readExactText(value, label).trim();
	}

	/** With the spaces around it, for values in which they count: prefixes, templates, secrets. */
	function readExactText(value: unknown, label: string): string {
		if (value === undefined || value === null) return '';
		return toText(value) ?? refuse(label, 'text');
	}

	/** A list of texts, or one text with commas, which expressions may have made a number. */
	function readList(value: unknown, label: string): string[] {
		if (value === undefined || value === null) return [];
		const parts: unknown[] = Array.isArray(value) ? value : [toText(value)?.split(',')].flat();
		if (!parts.every((part) => typeof part === 'string')) {
			return refuse(label, 'text or a list of texts', 'texts with commas between them');
		}
		return parts.map((part) => part.trim()).filter((part) => part !== '');
	}

	/** As it may be sent (RFC 9110 section 5.6.2); `''` if it is not set. */
	function readHeaderName(value: unknown, label: string): string {
		const name = readText(value, label);
		if (/^[\w!#$%&'*+.^`|~-]*$/.test(name)) return name;
		return refuse(label, 'the name of a header', 'the name the service uses, such as X-Signature');
	}

	function readWholeNumber(value: unknown, label: string, rules: NumberRules): number {
		const number = toNumber(value, rules);
		if (Number.isSafeInteger(number) && number >= rules.minimum) return number;
		return refuse(label, `a whole number, ${rules.minimum} or more`);
	}

	/** Fractions too. */
	function readNumber(value: unknown, label: string, rules: NumberRules): number {
		const number = toNumber(value, rules);
		if (Number.isFinite(number) && number >= rules.minimum) return number;
		return refuse(label, `a number, ${rules.minimum} or more`);
	}

	/** In milliseconds since 1970; in this zone, such as Europe/Berlin, if the value names none. */
	function readTime(value: unknown, label: string, zone: string): number {
		const example = 'a date like 2026-01-31T08:00:00Z, or to the number of milliseconds since 1970';
		return readInstant(value, zone)?.earliest ?? refuse(label, 'a point in time', example);
	}

	/** True and false, also as text, which expressions often return. */
	function readFlag(value: unknown, label: string, fallback = false): boolean {
		if (isUnset(value)) return fallback;
		return toFlag(value) ?? refuse(label, 'true or false');
	}

	/** One of the values the editor offers; the first if nothing is set. */
	function readChoice<Choice extends string>(
		value: unknown,
		label: string,
		choices: readonly [Choice, ...Choice[]],
	): Choice {
		if (isUnset(value)) return choices[0];
		const chosen = choices.find((choice) => choice === value);
		return chosen ?? refuse(label, `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`);
	}

	/** Options and the like, whose members are read by their own readers. */
	function readCollection(value: unknown, label: string): JsonObject {
		if (isUnset(value) || (Array.isArray(value) && value.length === 0)) return {};
		return isRecord(value) ? value : refuse(label, 'an object');
	}

	/** Anything else is refused, because conditions that are left out let everything through. */
	function readRows(value: unknown, name: string, label: string): JsonObject[] {
		const isElsewhere = isRecord(value) && !(name in value) && Object.keys(value).length > 0;
		const rows = isRecord(value) && !isElsewhere ? value[name] : value;
		if (isUnset(rows)) return [];
		if (Array.isArray(rows) && rows.every(isRecord)) return rows;
		return refuse(label, 'a list of objects', `a list of objects in "${name}"`);
	}

	function refuse(label: string, must: string, remedy = must): never {
		throw failure({ label, must, remedy });
	}
}

export interface NumberRules {
	/** If nothing is set. */
	fallback: number;
	minimum: number;
}

export function isUnset(value: unknown): boolean {
	return value === undefined || value === null || value === '';
}

/** Undefined for what is neither true nor false, nor a text that says so. */
function toFlag(value: unknown): boolean | undefined {
	// Python writes True.
	const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
	if (word === true || word === 'true') return true;
	return word === false || word === 'false' ? false : undefined;
}

function toText(value: unknown): string | undefined {
	return typeof value === 'string' || Number.isFinite(value) ? String(value) : undefined;
}

/** NaN for what is not a number. */
function toNumber(value: unknown, { fallback }: NumberRules): number {
	if (isUnset(value)) return fallback;
	return readTypedDecimal(value) ?? NaN;
}
