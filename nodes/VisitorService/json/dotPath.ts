import { isRecord } from './isRecord';

/**
 * Reads the value at a dot path such as `result.list` or `data.0.items`.
 * A key that holds the whole rest of the path, dots included, is found too.
 *
 * @returns undefined where the path leads nowhere; the value itself for an empty path
 */
export function readDotPath(value: unknown, path: string): unknown {
	if (path === '') return value;
	if (Array.isArray(value)) {
		const [head = '', ...rest] = path.split('.');
		return /^\d+$/.test(head) ? readDotPath(value[Number(head)], rest.join('.')) : undefined;
	}
	if (!isRecord(value)) return undefined;
	if (Object.hasOwn(value, path)) return value[path];
	const keys = path.split('.');
	for (let length = keys.length - 1; length > 0; length--) {
		const head = keys.slice(0, length).join('.');
		if (Object.hasOwn(value, head)) return readDotPath(value[head], keys.slice(length).join('.'));
	}
	return undefined;
}
