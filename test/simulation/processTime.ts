import type { Clock } from '../../nodes/VisitorService/http/message';

/**
 * Lets `Date` of this process show the time of a clock. Timers stay as they are, because
 * connections need theirs.
 *
 * @returns a function that brings the real time back
 */
export function showTimeOf(clock: Clock): () => void {
	const real = Date;
	globalThis.Date = new Proxy(real, {
		construct: (target, parameters: unknown[], newTarget): object =>
			Reflect.construct(
				target,
				parameters.length === 0 ? [clock.now()] : parameters,
				newTarget,
			) as object,
		get: (target, name, receiver): unknown =>
			name === 'now' ? () => clock.now() : Reflect.get(target, name, receiver),
	});
	return () => {
		globalThis.Date = real;
	};
}
