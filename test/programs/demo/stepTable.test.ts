import { stepTable } from '../../demo/stepTable';

describe('stepTable', () => {
	it('makes each column as wide as the width of its longest text', () => {
		const table = stepTable([
			{ title: 'Short', passed: true, detail: 'ready', seconds: 0.04 },
			{ title: 'A longer one', passed: false, detail: 'see\n below ', seconds: 12.26 },
		]);
		expect(table.split('\n')).toEqual([
			'Step          Result  Detail     Seconds',
			'────────────  ──────  ─────────  ───────',
			'Short         ok      ready          0.0',
			'A longer one  FAILED  see below     12.3',
		]);
	});
});
