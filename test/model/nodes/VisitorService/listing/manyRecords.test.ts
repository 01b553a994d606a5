import { readSimulated } from '../../../../unit/nodes/VisitorService/listing/readSimulated';
import { listOf } from '../../../../unit/nodes/VisitorService/listing/simulatedList';

describe('listRecords', () => {
	it('reads 250,000 records', async () => {
		const { listing } = await readSimulated(listOf(250_000, { metadata: ['total'] }), {
			pageSize: 5_000,
		});
		expect(listing.records).toHaveLength(250_000);
		expect(listing.records.at(-1)).toEqual({ id: 'user-249999' });
	});

	it('reads 12,000 pages of new IDs of which the service says nothing', async () => {
		const { listing } = await readSimulated(listOf(60_000), { pageSize: 5 });
		expect(listing.records).toHaveLength(60_000);
	});
});
