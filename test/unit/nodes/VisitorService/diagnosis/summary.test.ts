import {
	CHECKS,
	concealed,
	Findings,
	failed,
	ok,
	unknown,
	warning,
} from '../../../../../nodes/VisitorService/diagnosis/finding';
import { describeSetting, summarize } from '../../../../../nodes/VisitorService/diagnosis/summary';

describe('the summary', () => {
	it('puts all settings together, path segments by resource', () => {
		const summary = summarize(
			[
				ok('itemsPath', 'data', '', { itemsPath: 'data' }),
				ok('maxPageSize', 500, '', { pageSize: 500 }),
				ok('companiesPath', 'companies', '', { pathSegment: 'companies' }),
				warning('tasksPath', 'todos', '', { pathSegment: 'todos' }),
				ok('idField', 'id', ''),
			],
			17,
		);
		const setting = {
			itemsPath: 'data',
			pageSize: 500,
			pathSegment: { companies: 'companies', tasks: 'todos' },
		};
		expect(summary).toMatchObject({ check: 'summary', status: 'warning', setting });
		expect(JSON.parse(String(summary.observed))).toEqual(setting);
		expect(describeSetting(setting)).toBe(
			'itemsPath "data", pageSize 500, pathSegment of companies "companies", pathSegment of tasks "todos"',
		);
		expect(summary.meaning).toContain('4 ok, 1 warning, with 17 requests.');
	});

	it('is as bad as the worst finding, and unknown where nothing is known', () => {
		const unknowns = [unknown('idField', ''), unknown('itemsPath', '')];
		expect(summarize(unknowns, 1).status).toBe('unknown');
		expect(summarize([...unknowns, ok('rateLimit', 1, '')], 1).status).toBe('ok');
		expect(
			summarize([warning('rateLimit', 1, ''), failed('usersReadable', false, '')], 1).status,
		).toBe('failed');
	});
});

describe('findings', () => {
	it('are one for each check in their order; of two the later one counts', () => {
		const findings = new Findings();
		findings.add(ok('rateLimit', 5, ''), ok('idField', 'id', ''), ok('rateLimit', 7, ''));
		const complete = findings.complete('Not asked.');
		expect(complete.map(({ check }) => check)).toEqual([...CHECKS]);
		expect(complete.find(({ check }) => check === 'rateLimit')?.observed).toBe(7);
		expect(complete[0]).toEqual(unknown('tokenExchange', 'Not asked.'));
	});

	it.each([
		ok('tokenField', 'canary-0001.token', ''),
		ok('itemsPath', 'list', 'The list is at "canary-0001".'),
		ok('itemsPath', 'list', '', { itemsPath: 'canary-0001' }),
	])('that repeat a secret are not shown', (finding) => {
		expect(concealed(finding, ['canary-0001'])).toMatchObject({
			status: 'unknown',
			observed: null,
			setting: null,
		});
		expect(concealed(finding, ['another'])).toBe(finding);
	});
});
