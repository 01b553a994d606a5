import type { JsonValue } from './json';

/**
 * Fills `{name}` in every text and key of a template: a text that is only `{name}` becomes the
 * value with its type, one that contains it gets the value written in. Names without a value stay
 * as they are.
 */
export function fillTemplate(template: JsonValue, values: Record<string, JsonValue>): JsonValue {
	if (typeof template === 'string') {
		const name = /^\{(\w+)\}$/.exec(template)?.[1];
		if (name !== undefined && Object.hasOwn(values, name)) return values[name] ?? null;
		return fillText(template, values);
	}
	if (Array.isArray(template)) return template.map((element) => fillTemplate(element, values));
	if (template !== null && typeof template === 'object') {
		return Object.fromEntries(
			Object.entries(template).map(([key, value]) => [
				fillText(key, values),
				fillTemplate(value, values),
			]),
		);
	}
	return template;
}

function fillText(text: string, values: Record<string, JsonValue>): string {
	return text.replace(/\{(\w+)\}/g, (placeholder, key: string) => {
		const value = Object.hasOwn(values, key) ? values[key] : undefined;
		if (value === undefined) return placeholder;
		return typeof value === 'string' ? value : JSON.stringify(value);
	});
}
