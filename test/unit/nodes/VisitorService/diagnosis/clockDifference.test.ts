import { findClockDifference } from '../../../../../nodes/VisitorService/diagnosis/clockDifference';
import type { Attempt } from '../../../../../nodes/VisitorService/diagnosis/politeTransport';

const NOON = Date.UTC(2026, 0, 1, 12);

const answered = (date: string | undefined, sentAt: number, receivedAt: number): Attempt => ({
	request: { method: 'GET', url: 'https://tenant.test/', timeout: 1 },
	answer: { statusCode: 200, headers: date === undefined ? {} : { date }, body: {} },
	sentAt,
	receivedAt,
});

/** An answer written at this time of the service, a whole second cut off. */
const written = (serviceTime: number, sentAt: number, receivedAt: number) =>
	answered(new Date(Math.floor(serviceTime / 1000) * 1000).toUTCString(), sentAt, receivedAt);

describe('findClockDifference', () => {
	it.each([-86_400, -3600, -61, -7, 0, 7, 61, 3600])(
		'finds the difference to the second: %i',
		(seconds) => {
			const answers = [0, 300, 700].map((delay) => {
				const at = NOON + delay;
				return written(at + 40 + seconds * 1000, at, at + 80);
			});
			const difference = findClockDifference(answers) ?? NaN;
			expect(Math.abs(difference - seconds * 1000)).toBeLessThanOrEqual(1000);
		},
	);

	it('narrows it down by several answers, slow ones too', () => {
		const answers = [
			written(NOON + 9000, NOON, NOON + 20_000),
			written(NOON + 21_000 + 8000, NOON + 21_000, NOON + 21_010),
			written(NOON + 22_990 + 8000, NOON + 22_990, NOON + 23_000),
		];
		expect(findClockDifference(answers)).toBe(8000);
	});

	it('finds none if the only answer took more than a second', () => {
		expect(findClockDifference([written(NOON, NOON, NOON + 1000)])).toBe(0);
		expect(findClockDifference([written(NOON, NOON, NOON + 1001)])).toBeUndefined();
	});

	it('finds none without a Date, or if the dates contradict each other', () => {
		expect(findClockDifference([])).toBeUndefined();
		const undated = [answered('soon', NOON, NOON), answered(undefined, NOON, NOON)];
		expect(findClockDifference(undated)).toBeUndefined();
		const contradicting = [written(NOON, NOON, NOON), written(NOON + 60_000, NOON, NOON)];
		expect(findClockDifference(contradicting)).toBeUndefined();
	});
});
