import { ServiceFailure } from '../failure/serviceFailure';
import { readTypedDecimal } from '../values/decimal';
import { isRecord, type JsonObject } from '../values/json';

/*
 * What a user set, with its expressions resolved, can be of any type: each reader takes the value
 * and the name on the screen. Undefined, null and an empty text mean "not set"; what cannot be
 * meant is never taken for that, because a filter that is silently empty lets everything through.
 */

/** @throws ServiceFailure if the value is an object, a list or true or false */
export function readText(value: unknown, label: string): string {
	return readExactText(value, label).trim();
}

/** With the spaces around it, for values in which they count: prefixes, templates. */
export function readExactText(value: unknown, label: string): string {
	const text = toText(value);
	if (text !== undefined) return text;
	throw refused(label, `${label} must be text.`, 'text');
}

/** A list of texts, or one text with commas. Empty parts are left out. */
export function readList(value: unknown, label: string): string[] {
	const parts: unknown[] = Array.isArray(value) ? value : (toText(value)?.split(',') ?? [value]);
	if (!parts.every((part) => typeof part === 'string')) {
		throw refused(
			label,
			`${label} must be text or a list of texts.`,
			'texts with commas between them',
		);
	}
	return parts.map((part) => part.trim()).filter((part) => part !== '');
}

export interface NumberRules {
	/** If nothing is set. */
	fallback: number;
	minimum: number;
}

export function readWholeNumber(value: unknown, label: string, rules: NumberRules): number {
	const number = toNumber(value, rules);
	if (Number.isSafeInteger(number) && number >= rules.minimum) return number;
	throw refused(
		label,
		`${label} must be a whole number, ${rules.minimum} or more.`,
		`a whole number, ${rules.minimum} or more`,
	);
}

/** Fractions too. */
export function readNumber(value: unknown, label: string, rules: NumberRules): number {
	const number = toNumber(value, rules);
	if (Number.isFinite(number) && number >= rules.minimum) return number;
	throw refused(
		label,
		`${label} must be a number, ${rules.minimum} or more.`,
		`a number, ${rules.minimum} or more`,
	);
}

/** True and false, also as text, which expressions often return. */
export function readFlag(value: unknown, label: string, fallback = false): boolean {
	if (typeof value === 'boolean') return value;
	const word = toText(value)?.trim().toLowerCase();
	if (word === 'true') return true;
	if (word === 'false') return false;
	if (word === '') return fallback;
	throw refused(label, `${label} must be true or false.`, 'true or false');
}

/** One of the values the editor offers; the first if nothing is set. */
export function readChoice<Choice extends string>(
	value: unknown,
	label: string,
	choices: readonly [Choice, ...Choice[]],
): Choice {
	if (isUnset(value)) return choices[0];
	const chosen = choices.find((choice) => choice === value);
	if (chosen !== undefined) return chosen;
	const names = `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`;
	throw refused(label, `${label} must be ${names}.`, names);
}

/** Options and the like, whose members are read by their own readers. */
export function readCollection(value: unknown, label: string): JsonObject {
	if (isUnset(value) || (Array.isArray(value) && value.length === 0)) return {};
	if (isRecord(value)) return value;
	throw refused(label, `${label} must be an object.`, 'an object');
}

/**
 * The rows of a fixed collection: anything else is refused, because conditions that are left out
 * let everything through.
 */
export function readRows(value: unknown, name: string, label: string): JsonObject[] {
	const isElsewhere = isRecord(value) && !(name in value) && Object.keys(value).length > 0;
	const rows = isRecord(value) && !isElsewhere ? value[name] : value;
	if (isUnset(rows)) return [];
	if (Array.isArray(rows) && rows.every(isRecord)) return rows;
	throw refused(label, `${label} must be a list of objects.`, `a list of objects in "${name}"`);
}

function isUnset(value: unknown): boolean {
	return value === undefined || value === null || value === '';
}

function toText(value: unknown): string | undefined {
	if (value === undefined || value === null) return '';
	return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** NaN for what is not a number. */
function toNumber(value: unknown, { fallback }: NumberRules): number {
	if (isUnset(value)) return fallback;
	return readTypedDecimal(value) ?? NaN;
}

function refused(label: string, message: string, wanted: string): ServiceFailure {
	return new ServiceFailure(
		message,
		`Set ${label} to ${wanted}. If it is an expression, check what it returns.`,
		{ kind: 'configuration' },
	);
}
