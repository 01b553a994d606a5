import { toHttpAnswer } from '../../../../../nodes/VisitorService/http/message';

describe('toHttpAnswer', () => {
	it('reads status, headers and body', () => {
		const body = { data: [] };
		expect(
			toHttpAnswer({
				statusCode: 200,
				headers: { 'Retry-After': 5, Link: ['a', 'b'], 'X-Nothing': undefined, 'x-object': {} },
				body,
				request: { secret: true },
			}),
		).toEqual({ statusCode: 200, headers: { 'retry-after': '5', link: 'a, b' }, body });
	});

	it.each([
		[null],
		[undefined],
		['text'],
		[42],
		[[]],
		[{}],
		[{ statusCode: '200', headers: null }],
	])('makes of %p an answer that is none', (response) => {
		expect(toHttpAnswer(response)).toEqual({ statusCode: 0, headers: {}, body: undefined });
	});
});
