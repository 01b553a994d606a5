import {
	concealed,
	type Finding,
	failed,
	ok,
	unknown,
	warning,
} from '../../../../../nodes/VisitorService/diagnosis/finding';
import {
	type Recommendation,
	UNCLEAR,
} from '../../../../../nodes/VisitorService/diagnosis/recommendation';
import { summarize } from '../../../../../nodes/VisitorService/diagnosis/summary';

const READABLE: Finding[] = [ok('tokenExchange', true, ''), ok('usersReadable', true, '')];
const DEFAULTS: Recommendation = { kind: 'works', values: {} };

describe('the summary of a diagnosis', () => {
	it('says that nothing has to be set if the defaults are best', () => {
		expect(summarize(READABLE, DEFAULTS)).toEqual({
			check: 'summary',
			title: 'Summary',
			status: 'ok',
			observed: null,
			meaning: 'Everything works with the defaults.',
			setting: null,
		});
	});

	it('says that List Users works on the pages that were read, if the end of the list was not reached', () => {
		expect(summarize(READABLE, { ...DEFAULTS, whole: false }).meaning).toBe(
			'Everything works with the defaults on the pages that were read.',
		);
		expect(summarize(READABLE, { ...DEFAULTS, whole: true }).meaning).toBe(
			'Everything works with the defaults.',
		);
	});

	it('names what is faster, by the names on the screen and as JSON', () => {
		const setting = { 'List Users': { pageSize: 500 } };
		const findings = [...READABLE, ok('maxPageSize', 500, '', setting)];
		expect(summarize(findings, { kind: 'works', values: { pageSize: 500 } })).toMatchObject({
			status: 'ok',
			meaning:
				'Everything works with the defaults. Faster with Page Size 500. Set in List Users: Page Size 500.',
			observed: '{"List Users":{"pageSize":500}}',
			setting,
		});
	});

	it('keeps the settings of each place apart', () => {
		const since = { updatedSinceFormat: 'epochMs' };
		const findings = [
			...READABLE,
			ok('firstPageNumber', 1, '', { 'List Users': { returnAll: false, page: 1 } }),
			ok('updatedSinceFormat', 'epochMs', '', { 'List Users': since, 'Polling Trigger': since }),
			ok('tasksPath', 'todos', '', { 'List Tasks': { pathSegment: 'todos' } }),
		];
		const { meaning, setting } = summarize(findings, {
			kind: 'needs',
			values: { returnAll: false, page: 1 },
		});
		expect(setting).toEqual({
			'List Users': { returnAll: false, page: 1, ...since },
			'Polling Trigger': since,
			'List Tasks': { pathSegment: 'todos' },
		});
		expect(meaning).toBe(
			'List Users works only with other settings than the defaults. The Polling Trigger has no such settings. Set in List Users: Return All off, Page 1, Updated Since Format Epoch Milliseconds; in Polling Trigger: Updated Since Format Epoch Milliseconds; in List Tasks: Path Segment "todos".',
		);
	});

	it('says that there may be more users if only one page is read', () => {
		const pages = ok('pageHonoured', null, '', { 'List Users': { maxPages: 1 } });
		const recommendation: Recommendation = {
			kind: 'needs',
			values: { maxPages: 1 },
		};
		expect(summarize([...READABLE, pages], recommendation).meaning).toBe(
			'List Users works only with other settings than the defaults. It reads one page, and more users may exist. The Polling Trigger has no such settings. Set in List Users: Max Pages 1.',
		);
	});

	it('says what is wrong and why if users cannot be read, and is failed', () => {
		const findings = [
			ok('tokenExchange', true, ''),
			failed('usersReadable', false, 'The answer has no list.'),
		];
		expect(summarize(findings, UNCLEAR)).toMatchObject({
			status: 'failed',
			meaning:
				'Users cannot be read. The answer has no list. For your service provider: "The answer has no list."',
		});
	});

	it('leaves the advice out of the text for the service provider, not a dot within a word', () => {
		const what = 'The service has nothing at /api/external/v2.1/users (status 404).';
		const finding = failed('usersReadable', false, `${what} Check Tenant API URL.`);
		const findings = [ok('tokenExchange', true, ''), finding];
		expect(summarize(findings, UNCLEAR).meaning).toMatch(
			/ For your service provider: "The service has nothing at \/api\/external\/v2\.1\/users \(status 404\)\."$/,
		);
	});

	it('says that no access token is issued, and has no text for the service provider', () => {
		const { status, meaning } = summarize(
			[failed('tokenExchange', false, 'The client is unknown.')],
			UNCLEAR,
		);
		expect([status, meaning]).toEqual([
			'failed',
			'No access token is issued. The client is unknown.',
		]);
	});

	it('the summary of a diagnosis is failed if List Users fails and nothing was found that helps', () => {
		expect(summarize(READABLE, { kind: 'fails', values: {}, reason: 'It ends.' })).toMatchObject({
			status: 'failed',
			meaning:
				'List Users fails. It ends. For your service provider: "The list of users cannot be read completely. It ends."',
		});
	});

	it('says what to do, and what to tell the service provider, if page 0 cannot be read', () => {
		const setting = { 'List Users': { page: 1 } };
		const recommendation: Recommendation = {
			kind: 'needs',
			values: { page: 1 },
			reason: 'It failed (status 500). Try again.',
		};
		const mail =
			'For your service provider: "Page 0 should be the first page of the users, but cannot be read. It failed (status 500)."';
		const polling = 'The Polling Trigger has no such settings.';
		const numbered = ok('firstPageNumber', 1, '', setting);
		expect(summarize([...READABLE, numbered], recommendation).meaning).toBe(
			`List Users works only with other settings than the defaults. ${polling} Set in List Users: Page 1. ${mail}`,
		);
		const unnumbered = unknown('firstPageNumber');
		expect(summarize([...READABLE, unnumbered], recommendation).meaning).toBe(
			`List Users works only with other settings than the defaults. It reads from page 1 on, and more users may be before it. ${polling} ${mail}`,
		);
	});

	it('says what the Polling Trigger needs', () => {
		const needing = (...pollingNeeds: string[]) => ({ ...DEFAULTS, pollingNeeds });
		expect(summarize(READABLE, needing('ID Path', 'Updated At Path')).meaning).toBe(
			'List Users works with the defaults. The Polling Trigger needs ID Path and Updated At Path.',
		);
		const sized: Recommendation = { kind: 'needs', values: { pageSize: 30 } };
		expect(summarize(READABLE, { ...sized, pollingNeeds: ['ID Path'] }).meaning).toBe(
			'List Users works only with other settings than the defaults. The Polling Trigger needs ID Path.',
		);
	});

	it('says why List Users failed if it could not be tried again', () => {
		const reason = 'It did not answer. Try again later.';
		expect(summarize(READABLE, { ...UNCLEAR, reason }).meaning).toBe(
			'Users can be read, but List Users failed. It did not answer. Try again later. For your service provider: "The list of users cannot be read completely. It did not answer."',
		);
	});

	it('the summary of a diagnosis is unknown if List Users could not be tried', () => {
		expect(summarize(READABLE, UNCLEAR).status).toBe('unknown');
		expect(
			summarize([ok('tokenExchange', true, ''), unknown('usersReadable', 'No.')], UNCLEAR).status,
		).toBe('unknown');
	});

	it('names what to look at, and is a warning, if something else is wrong', () => {
		const findings = [
			...READABLE,
			warning('tokenRevocation', true, 'It does.'),
			failed('updatedSinceFormat', null, '"iso" has no effect.'),
		];
		expect(summarize(findings, DEFAULTS)).toMatchObject({
			status: 'warning',
			meaning:
				'List Users works with the defaults. Look at: A new token ends the old one, Format of Updated Since. For your service provider: "\'iso\' has no effect."',
		});
	});
});

describe('a finding', () => {
	it.each([
		ok('tokenField', 'canary-0001.token', ''),
		ok('itemsPath', 'list', 'The list is at "canary-0001".'),
		ok('itemsPath', 'list', '', { 'List Users': { itemsPath: 'canary-0001' } }),
	])('hides a finding that repeats a secret', (finding) => {
		expect(concealed(finding, ['canary-0001'])).toMatchObject({
			status: 'unknown',
			observed: null,
			setting: null,
		});
		expect(concealed(finding, ['another'])).toBe(finding);
	});
});
