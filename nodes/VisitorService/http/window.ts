/** In flight after the first answer. All that are in flight when a limit is met are refused. */
const SECOND_SIZE = 9;
/**
 * Answers after which one more may be in flight: before any refusal, and for each in flight after
 * one.
 */
const ANSWERS_TO_GROW = 5;
const ANSWERS_TO_GROW_BACK = 4;

/**
 * How many requests may be in flight, as in the congestion control of TCP (RFC 5681 section 3.1):
 * more with each answer, and half as many after a refusal.
 */
export type Window = OpenWindow | ClosedWindow;

interface OpenWindow {
	kind: 'open';
	size: number;
	/** Since it last grew. */
	answers: number;
	/** When a refusal was last heard of; -Infinity if there was none. */
	refusedAt: number;
}

/** The service has let nothing through since it refused a request: one at a time tries. */
export interface ClosedWindow {
	kind: 'closed';
	/** As it was before the refusal. */
	before: OpenWindow;
	/** What was sent until then was under way together. */
	refusedAt: number;
	/** How often a single request tried. */
	tries: number;
	/** The end of the pause that the service named; -Infinity if it named none. */
	namedUntil: number;
}

export interface RefusedRequest {
	/** When the refused request was sent, and when that was heard of. */
	startedAt: number;
	now: number;
	/** The end of the pause, and whether the service named it. */
	until: number;
	isNamed: boolean;
}

export const FIRST_WINDOW: Window = { kind: 'open', size: 1, answers: 0, refusedAt: -Infinity };

export function sizeOf(window: Window): number {
	return window.kind === 'open' ? window.size : 1;
}

/** Whether a limit was met. */
export function isLimited({ refusedAt }: Window): boolean {
	return refusedAt > -Infinity;
}

export function afterStart(window: Window): Window {
	return window.kind === 'open' ? window : { ...window, tries: window.tries + 1 };
}

/** @param max of requests in flight */
export function afterAnswer(window: Window, startedAt: number, max: number): Window {
	if (window.kind === 'open') return grown(window, max);
	const { before, refusedAt } = window;
	if (startedAt <= refusedAt) return window;
	return { kind: 'open', size: Math.max(1, before.size >> 1), answers: 0, refusedAt };
}

/** Those that were under way together are refused together: one refusal, not many. */
export function afterRefusal(
	window: Window,
	{ startedAt, now, until, isNamed }: RefusedRequest,
): Window {
	const isFirst = startedAt > window.refusedAt;
	const namedUntil = isNamed ? until : -Infinity;
	if (window.kind === 'open') {
		if (!isFirst) return window;
		return { kind: 'closed', before: window, refusedAt: now, tries: 0, namedUntil };
	}
	return {
		...window,
		refusedAt: isFirst ? now : window.refusedAt,
		namedUntil: Math.max(window.namedUntil, namedUntil),
	};
}

function grown(window: OpenWindow, max: number): OpenWindow {
	if (isLimited(window)) {
		return grownAfter(ANSWERS_TO_GROW_BACK * window.size, window, max);
	}
	if (window.size < SECOND_SIZE) return { ...window, size: Math.min(max, SECOND_SIZE) };
	return grownAfter(ANSWERS_TO_GROW, window, max);
}

function grownAfter(needed: number, window: OpenWindow, max: number): OpenWindow {
	const answers = window.answers + 1;
	if (answers < needed) return { ...window, answers };
	return { ...window, size: Math.min(max, window.size + 1), answers: 0 };
}
