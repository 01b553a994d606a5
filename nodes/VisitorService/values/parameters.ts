import { configurationFailure } from '../failure/serviceFailure';
import { isZone, readInstant } from './instant';
import { isJsonObject, type JsonObject } from './json';
import { readUserDecimal } from './scalar';

/*
 * The readers of parameters and credential fields, for `import * as read`. An expression may return
 * any type. Undefined, null and an empty text mean "not set". An invalid value is an error and
 * never "not set", because a filter that is silently empty would return everything.
 */

/** A parameter as the editor describes it. */
export interface Parameter {
	/** The name on the screen. */
	displayName: string;
	/** Where it is set, if not in the node: " in the credential". */
	location?: string;
	default?: unknown;
	typeOptions?: { minValue?: number };
}

/** @throws ServiceFailure that names the parameter if the value is invalid */
export type Reader<T> = (value: unknown, parameter: Parameter) => T;

/** Returns the value of a parameter with expressions resolved, or `missing` if it is hidden. */
export type GetValue = (name: string, missing: unknown) => unknown;

/**
 * Reads parameters with the defaults and limits of their descriptions.
 *
 * @throws Error unless exactly one is described under a name, because the default is taken from it
 */
export function readParameters<Values extends object>(
	described: ReadonlyArray<Parameter & { name: string }>,
	valueOf: GetValue,
	readers: { [Name in keyof Values]: Reader<Values[Name]> },
): Values {
	const read = Object.entries<Reader<unknown>>(readers).map(([name, reader]) => {
		const [parameter, ...others] = described.filter((one) => one.name === name);
		if (parameter === undefined || others.length > 0)
			throw new Error(`Not exactly one parameter is named "${name}".`);
		return [name, reader(valueOf(name, parameter.default), parameter)];
	});
	return Object.fromEntries(read) as Values;
}

/** The value that was chosen with a resource locator; any other value is returned as it is. */
export function locatedValue(value: unknown): unknown {
	return isJsonObject(value) && 'mode' in value ? value.value : value;
}

/** Text or a number, without the spaces around it; '' if it is not set. */
export const text: Reader<string> = (value, parameter) => exactText(value, parameter).trim();

/** As `text`, with the spaces around it, which count in prefixes, templates and secrets. */
export const exactText: Reader<string> = (value, parameter) => {
	if (value === undefined || value === null) return '';
	return toText(value) ?? throwInvalid(parameter, 'text');
};

/** A list of texts, or one text with commas. A single element may be a number. */
export const texts: Reader<string[]> = (value, parameter) => {
	if (value === undefined || value === null) return [];
	const parts: unknown[] = Array.isArray(value) ? value : [toText(value)?.split(',')].flat();
	if (!parts.every((part) => typeof part === 'string')) {
		return throwInvalid(parameter, 'text or a list of texts', 'texts with commas between them');
	}
	return parts.map((part) => part.trim()).filter((part) => part !== '');
};

/** A name that may be sent (RFC 9110 section 5.6.2), or '' if it is not set. */
export const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]*$/;

export const headerName: Reader<string> = (value, parameter) => {
	const name = text(value, parameter);
	if (HEADER_NAME.test(name)) return name;
	return throwInvalid(
		parameter,
		'the name of a header',
		'the name the service uses, such as X-Signature',
	);
};

export const wholeNumber = numberReader('a whole number', Number.isSafeInteger);

/** Any number, with or without a fraction. */
export const number = numberReader('a number', Number.isFinite);

function numberReader(what: string, isFit: (number: number) => boolean): Reader<number> {
	return (value, parameter) => {
		const { default: usual, typeOptions: { minValue = 0 } = {} } = parameter;
		const read = readUserDecimal(isUnset(value) ? usual : value) ?? NaN;
		if (isFit(read) && read >= minValue) return read;
		return throwInvalid(parameter, `${what}, ${minValue} or more`);
	};
}

/** Milliseconds since 1970. @param zone of a value that names none, e.g. "Europe/Berlin" */
export const time =
	(zone: string): Reader<number> =>
	(value, parameter) =>
		readInstant(value, requireZone(zone))?.earliestAt ??
		throwInvalid(
			parameter,
			'a point in time',
			'a date like 2026-01-31T08:00:00Z, or to the number of milliseconds since 1970',
		);

/** Checks the time zone of a workflow, for which n8n stores any text. */
export function requireZone(zone: string): string {
	if (isZone(zone)) return zone;
	throw configurationFailure(
		`The time zone of the workflow, "${zone}", is unknown.`,
		'Choose Timezone in the settings of the workflow, or correct GENERIC_TIMEZONE of n8n.',
	);
}

/** True or false, also as text, which expressions often return. */
export const flag: Reader<boolean> = (value, parameter) => {
	if (isUnset(value)) return parameter.default === true;
	// Python writes True.
	const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
	if (word === true || word === 'true') return true;
	return word === false || word === 'false' ? false : throwInvalid(parameter, 'true or false');
};

/** One of the choices the editor offers. */
export const oneOf =
	<const Choice extends string>(choices: readonly Choice[]): Reader<Choice> =>
	(value, parameter) => {
		const given = isUnset(value) ? parameter.default : value;
		const chosen = choices.find((choice) => choice === given);
		return (
			chosen ?? throwInvalid(parameter, `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`)
		);
	};

/** A collection such as Options, of which each member is read by its name. */
export const collection: Reader<GetValue> = (value, parameter) => {
	const members = isEmpty(value) ? {} : value;
	if (!isJsonObject(members)) return throwInvalid(parameter, 'an object');
	// An expression may have returned undefined, which is not the same as an option that is not set.
	return (name, missing) => (name in members ? members[name] : missing);
};

/**
 * Rows such as Conditions. Not optional in form: a list without its conditions returns everything.
 */
export const rows =
	(name: string): Reader<JsonObject[]> =>
	(value, parameter) => {
		const isElsewhere = isJsonObject(value) && !(name in value) && Object.keys(value).length > 0;
		const rows = isJsonObject(value) && !isElsewhere ? value[name] : value;
		if (isUnset(rows)) return [];
		if (Array.isArray(rows) && rows.every(isJsonObject)) return rows;
		return throwInvalid(parameter, 'a list of objects', `a list of objects in "${name}"`);
	};

function throwInvalid(
	{ displayName, location = '' }: Parameter,
	must: string,
	example?: string,
): never {
	const setting = `${displayName}${location}`;
	const remedy = example === undefined ? `Correct ${setting}` : `Set ${setting} to ${example}`;
	throw configurationFailure(
		`${displayName} must be ${must}.`,
		`${remedy}. If it is an expression, check what it returns.`,
	);
}

export function isUnset(value: unknown): boolean {
	return value === undefined || value === null || value === '';
}

/** Also as n8n writes an empty collection. */
export function isEmpty(value: unknown): boolean {
	return isUnset(value) || (Array.isArray(value) && value.length === 0);
}

function toText(value: unknown): string | undefined {
	return typeof value === 'string' || Number.isFinite(value) ? String(value) : undefined;
}
