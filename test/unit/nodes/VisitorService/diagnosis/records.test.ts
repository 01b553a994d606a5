import { checkMetadata, findFields } from '../../../../../nodes/VisitorService/diagnosis/records';
import { answer, askedUsers } from './askedTenant';
import { usersOf } from './memoryTenant';

async function fieldsOf(users: unknown[]) {
	const findings = findFields((await askedUsers(() => answer(200, users))).users);
	return { findings, told: findings.map((one) => [one?.check, one?.status, one?.observed]) };
}

async function metadataOf(body: unknown) {
	return checkMetadata((await askedUsers(() => answer(200, body))).users);
}

describe('the fields of users', () => {
	it('finds the ID and the update time', async () => {
		const { told, findings } = await fieldsOf(usersOf(3));
		expect(told).toEqual([
			['idField', 'ok', 'id'],
			['updatedAtField', 'ok', 'updatedAt'],
		]);
		expect(findings[0]?.meaning).toContain('the 3 users seen');
		expect((await fieldsOf(usersOf(1))).findings[0]?.meaning).toContain('the 1 user seen');
		expect((await fieldsOf(usersOf(1300))).findings[0]?.meaning).toContain('the 1,300 users seen');
	});

	it('says what to set if users have none of them', async () => {
		const { told, findings } = await fieldsOf([{ name: 'One' }, { name: 'Two' }]);
		expect(told).toEqual([
			['idField', 'unknown', null],
			['updatedAtField', 'unknown', null],
		]);
		expect(findings.map((finding) => finding?.meaning).join()).toContain(
			'set it as Updated At Path',
		);
	});
});

describe('what a page says about the list', () => {
	const data = [{ id: 1 }, { id: 2 }];

	it('finds the numbers that a page names', async () => {
		expect(await metadataOf({ data, total: 9 })).toMatchObject({ status: 'ok', observed: 'total' });
		const found = await metadataOf({ data, total: 9, totalPages: 5, last: false });
		expect(found?.observed).toBe('total, totalPages, more');
		expect(found?.meaning).toBe('The first page names a total of 9, 5 pages, that pages follow.');
		const long = await metadataOf({ data, total: 2600, totalPages: 1300 });
		expect(long?.meaning).toBe('The first page names a total of 2,600, 1,300 pages.');
		expect((await metadataOf({ data, last: true }))?.meaning).toContain('that no page follows');
	});

	it('finds that a page names none, but not of an empty list', async () => {
		expect(await metadataOf(data)).toMatchObject({ status: 'ok', observed: 'none' });
		expect(await metadataOf([])).toBeUndefined();
	});
});
