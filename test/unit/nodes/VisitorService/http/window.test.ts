import {
	afterAnswer,
	afterRefusal,
	afterStart,
	FIRST_WINDOW,
	isLimited,
	sizeOf,
	type Window,
} from '../../../../../nodes/VisitorService/http/window';

const MAX = 12;
const UNNAMED = { startedAt: 100, now: 150, until: 650, isNamed: false };

const answers = (window: Window, count: number, max = MAX): Window =>
	Array.from({ length: count }).reduce<Window>((one) => afterAnswer(one, 1_000, max), window);

const sizes = (window: Window, count: number, max = MAX) =>
	Array.from({ length: count }, (_, index) => sizeOf(answers(window, index, max)));

describe('the window of requests in flight', () => {
	it('opens to nine with the first answer, then by one with each fifth, up to the maximum', () => {
		expect(sizes(FIRST_WINDOW, 18)).toEqual([
			1, 9, 9, 9, 9, 9, 10, 10, 10, 10, 10, 11, 11, 11, 11, 11, 12, 12,
		]);
		expect(sizeOf(answers(FIRST_WINDOW, 100))).toBe(MAX);
		expect(sizes(FIRST_WINDOW, 4, 5)).toEqual([1, 5, 5, 5]);
	});

	it('closes at a refusal to a single request, and opens half as wide for an answer to a later one', () => {
		const closed = afterRefusal(answers(FIRST_WINDOW, 6), UNNAMED);
		expect(sizeOf(closed)).toBe(1);
		expect(afterAnswer(closed, 150, MAX)).toBe(closed);
		expect(sizeOf(afterAnswer(closed, 151, MAX))).toBe(5);
	});

	it('opens to one at least', () => {
		expect(sizeOf(afterAnswer(afterRefusal(FIRST_WINDOW, UNNAMED), 200, MAX))).toBe(1);
	});

	it('grows slower after a refusal: four answers for each request in flight', () => {
		const half = afterAnswer(afterRefusal(answers(FIRST_WINDOW, 1), UNNAMED), 200, MAX);
		expect(sizeOf(half)).toBe(4);
		expect(sizeOf(answers(half, 15))).toBe(4);
		expect(sizeOf(answers(half, 16))).toBe(5);
		expect(sizeOf(answers(half, 16 + 19))).toBe(5);
		expect(sizeOf(answers(half, 16 + 20))).toBe(6);
	});

	it('takes refusals of requests that were under way together for one', () => {
		const closed = afterRefusal(answers(FIRST_WINDOW, 1), UNNAMED);
		const again = afterRefusal(closed, { ...UNNAMED, startedAt: 150, now: 190 });
		expect(again).toEqual(closed);
		const open = afterAnswer(closed, 200, MAX);
		expect(afterRefusal(open, { ...UNNAMED, startedAt: 150, now: 300 })).toBe(open);
	});

	it('stays closed while the requests that try are refused, and remembers how wide it was', () => {
		const closed = afterRefusal(answers(FIRST_WINDOW, 1), UNNAMED);
		const tried = afterRefusal(afterStart(closed), { ...UNNAMED, startedAt: 700, now: 750 });
		expect(tried).toMatchObject({ kind: 'closed', refusedAt: 750, tries: 1 });
		expect(sizeOf(afterAnswer(tried, 800, MAX))).toBe(4);
	});

	it('counts only the requests that try', () => {
		expect(afterStart(FIRST_WINDOW)).toBe(FIRST_WINDOW);
		const closed = afterRefusal(FIRST_WINDOW, UNNAMED);
		expect(closed).toMatchObject({ tries: 0 });
		expect(afterStart(afterStart(closed))).toMatchObject({ tries: 2 });
	});

	it('remembers the latest end of a pause that the service named', () => {
		const named = (until: number) => ({ ...UNNAMED, until, isNamed: true });
		expect(afterRefusal(FIRST_WINDOW, UNNAMED)).toMatchObject({ namedUntil: -Infinity });
		const closed = afterRefusal(FIRST_WINDOW, named(2_000));
		expect(closed).toMatchObject({ namedUntil: 2_000 });
		expect(afterRefusal(closed, named(1_000))).toMatchObject({ namedUntil: 2_000 });
		expect(afterRefusal(closed, named(3_000))).toMatchObject({ namedUntil: 3_000 });
		expect(afterRefusal(closed, { ...UNNAMED, until: 9_000 })).toMatchObject({ namedUntil: 2_000 });
	});

	it('knows of a limit from the first refusal on', () => {
		expect(isLimited(answers(FIRST_WINDOW, 20))).toBe(false);
		const closed = afterRefusal(FIRST_WINDOW, UNNAMED);
		expect(isLimited(closed)).toBe(true);
		expect(isLimited(afterAnswer(closed, 200, MAX))).toBe(true);
	});
});
