import { readInstant } from '../values/instant';
import { isRecord, type JsonObject } from '../values/json';
import { readTypedDecimal } from '../values/scalar';
import { ServiceFailure } from './serviceFailure';

/*
 * The one set of readers of what a user set, in a node or in a credential. With its expressions
 * resolved that can be of any type. Undefined, null and an empty text mean "not set"; what cannot
 * be meant is never taken for that, because a filter that is silently empty lets everything
 * through.
 */

/** As the editor describes it. */
export interface Parameter {
	/** The name on the screen. */
	displayName: string;
	/** Where it is set, if that is not the node. */
	place?: string;
	default?: unknown;
	typeOptions?: { minValue?: number };
}

/** @throws ServiceFailure that names the parameter if the value cannot be meant */
export type Reader<T> = (value: unknown, parameter: Parameter) => T;

/** The value of a parameter, expressions resolved; `missing` if it is hidden. */
export type ValueOf = (name: string, missing: unknown) => unknown;

/** What parameters are set to, each read with what the editor says of it. */
export function readParameters<Values extends object>(
	described: ReadonlyArray<Parameter & { name: string }>,
	valueOf: ValueOf,
	readers: { [Name in keyof Values]: Reader<Values[Name]> },
): Values {
	const read = Object.entries<Reader<unknown>>(readers).map(([name, reader]) => {
		const parameter = described.find((one) => one.name === name);
		if (parameter === undefined) throw new Error(`No parameter is named "${name}".`);
		return [name, reader(valueOf(name, parameter.default), parameter)];
	});
	return Object.fromEntries(read) as Values;
}

/** Numbers too; not an object, a list, or true or false. */
export const readText: Reader<string> = (value, parameter) =>
	readExactText(value, parameter).trim();

/** With the spaces around it, for values in which they count: prefixes, templates, secrets. */
export const readExactText: Reader<string> = (value, parameter) => {
	if (value === undefined || value === null) return '';
	return toText(value) ?? refuse(parameter, 'text');
};

/** A list of texts, or one text with commas, which expressions may have made a number. */
export const readList: Reader<string[]> = (value, parameter) => {
	if (value === undefined || value === null) return [];
	const parts: unknown[] = Array.isArray(value) ? value : [toText(value)?.split(',')].flat();
	if (!parts.every((part) => typeof part === 'string')) {
		return refuse(parameter, 'text or a list of texts', 'texts with commas between them');
	}
	return parts.map((part) => part.trim()).filter((part) => part !== '');
};

/** As it may be sent (RFC 9110 section 5.6.2); `''` if it is not set. */
export const readHeaderName: Reader<string> = (value, parameter) => {
	const name = readText(value, parameter);
	if (/^[\w!#$%&'*+.^`|~-]*$/.test(name)) return name;
	return refuse(
		parameter,
		'the name of a header',
		'the name the service uses, such as X-Signature',
	);
};

export const readWholeNumber: Reader<number> = (value, parameter) => {
	const [number, minimum] = toNumber(value, parameter);
	if (Number.isSafeInteger(number) && number >= minimum) return number;
	return refuse(parameter, `a whole number, ${minimum} or more`);
};

/** Fractions too. */
export const readNumber: Reader<number> = (value, parameter) => {
	const [number, minimum] = toNumber(value, parameter);
	return number >= minimum ? number : refuse(parameter, `a number, ${minimum} or more`);
};

/** In milliseconds since 1970; in this zone, such as Europe/Berlin, if the value names none. */
export const timeReader =
	(zone: string): Reader<number> =>
	(value, parameter) =>
		readInstant(value, zone)?.earliest ??
		refuse(
			parameter,
			'a point in time',
			'a date like 2026-01-31T08:00:00Z, or to the number of milliseconds since 1970',
		);

/** True and false, also as text, which expressions often return. */
export const readFlag: Reader<boolean> = (value, parameter) => {
	if (isUnset(value)) return parameter.default === true;
	// Python writes True.
	const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
	if (word === true || word === 'true') return true;
	return word === false || word === 'false' ? false : refuse(parameter, 'true or false');
};

/** One of the values the editor offers. */
export const choiceReader =
	<const Choice extends string>(choices: readonly Choice[]): Reader<Choice> =>
	(value, parameter) => {
		const sought = isUnset(value) ? parameter.default : value;
		const chosen = choices.find((choice) => choice === sought);
		return chosen ?? refuse(parameter, `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`);
	};

/** Options and the like, whose members are read by their own readers. */
export const readCollection: Reader<JsonObject> = (value, parameter) => {
	if (isUnset(value) || (Array.isArray(value) && value.length === 0)) return {};
	return isRecord(value) ? value : refuse(parameter, 'an object');
};

/** Anything else is refused, because conditions that are left out let everything through. */
export const rowsReader =
	(name: string): Reader<JsonObject[]> =>
	(value, parameter) => {
		const isElsewhere = isRecord(value) && !(name in value) && Object.keys(value).length > 0;
		const rows = isRecord(value) && !isElsewhere ? value[name] : value;
		if (isUnset(rows)) return [];
		if (Array.isArray(rows) && rows.every(isRecord)) return rows;
		return refuse(parameter, 'a list of objects', `a list of objects in "${name}"`);
	};

function refuse({ displayName, place = '' }: Parameter, must: string, remedy = must): never {
	throw new ServiceFailure(
		`${displayName} must be ${must}.`,
		`Set ${displayName}${place} to ${remedy}. If it is an expression, check what it returns.`,
		{ kind: 'configuration' },
	);
}

export function isUnset(value: unknown): boolean {
	return value === undefined || value === null || value === '';
}

function toText(value: unknown): string | undefined {
	return typeof value === 'string' || Number.isFinite(value) ? String(value) : undefined;
}

/** The number, which is NaN for what is not one, and the least that may be set. */
function toNumber(value: unknown, { default: fallback, typeOptions }: Parameter) {
	const number = readTypedDecimal(isUnset(value) ? fallback : value) ?? NaN;
	return [number, typeOptions?.minValue ?? 0] as const;
}
