import { rejectedTokens } from '../../../../../nodes/VisitorService/authorization/rejectedTokens';

const token = (text: string, issuedAt = 0) => ({ accessToken: text, issuedAt });

it('a thousand rejected tokens are remembered, and the latest ones of more', () => {
	for (let number = 0; number <= 1_000; number++) rejectedTokens.add(token(`token-${number}`));
	expect(rejectedTokens.has(token('token-0'))).toBe(false);
	expect(rejectedTokens.has(token('token-1'))).toBe(true);
	// What is rejected once more is not the oldest any longer.
	rejectedTokens.add(token('token-1'));
	rejectedTokens.add(token('another'));
	expect(rejectedTokens.has(token('token-1'))).toBe(true);
	expect(rejectedTokens.has(token('token-2'))).toBe(false);
});

it('a rejection holds for the text as it was issued until then', () => {
	rejectedTokens.add(token('same-text', 5));
	rejectedTokens.add(token('same-text', 3));
	expect([3, 5, 6].map((at) => rejectedTokens.has(token('same-text', at)))).toEqual([
		true,
		true,
		false,
	]);
	expect([3, 5, 6].map((at) => rejectedTokens.reissued(token('same-text', at)).issuedAt)).toEqual([
		6, 6, 6,
	]);
});
