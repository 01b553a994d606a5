import { Ajv, type AnySchema, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifyRouteSchemaDef, FastifyValidationResult } from 'fastify/types/schema';

/** As fastify sets the one it makes for each server. */
const ajv = addFormats(
	new Ajv({ coerceTypes: 'array', useDefaults: true, removeAdditional: true }),
);

/**
 * Compiles a schema with the first request to its route. fastify compiles those of all routes at
 * each start, which takes longer than most tests of a service do.
 */
export function compileWhenAsked({
	schema,
}: FastifyRouteSchemaDef<AnySchema>): FastifyValidationResult {
	let compiled: ValidateFunction | undefined;
	const validate: FastifyValidationResult = (value: unknown) => {
		compiled ??= ajv.compile(schema);
		const isValid = compiled(value);
		validate.errors = compiled.errors;
		return isValid;
	};
	return validate;
}
