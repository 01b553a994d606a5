import type { Clock } from '../../nodes/VisitorService/http/message';

let shown: Clock | undefined;

/** What `Date` of this process goes by, if it is not the real time. */
export function shownClock(): Clock | undefined {
	return shown;
}

/**
 * Lets `Date` of this process show the time of a clock. Timers stay as they are, because
 * connections need theirs.
 *
 * @returns a function that brings the real time back
 */
export function showTimeOf(clock: Clock): () => void {
	const real = Date;
	shown = clock;
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
		shown = undefined;
		globalThis.Date = real;
	};
}
