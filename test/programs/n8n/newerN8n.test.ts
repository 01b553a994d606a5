import { findNewerN8n } from '../../n8n/newerN8n';

/** npm with these packages; n8n 2.42.0 is its newest one. */
const npmWith = (packages: readonly string[]) => async (of: string, field: string) => {
	if (of === 'n8n') return await Promise.resolve('2.42.0');
	if (field === 'dependencies') {
		return { 'n8n-core': '2.42.0', '@n8n/config': '2.9.0', express: '5.1.0' };
	}
	return packages.includes(of) ? of.split('@').at(-1) : undefined;
};

describe('findNewerN8n', () => {
	it.each(['2.42.0', '2.42.1', '2.100.0', '3.0.0'])(
		'finds nothing newer than the newest n8n if %s is pinned',
		async (pinned) => {
			expect(await findNewerN8n(pinned, npmWith([]))).toEqual({ kind: 'none' });
		},
	);

	it('finds a newer n8n if npm has all that is released with it', async () => {
		const npm = npmWith(['n8n-core@2.42.0', '@n8n/config@2.9.0']);
		expect(await findNewerN8n('2.41.1', npm)).toEqual({ kind: 'complete', version: '2.42.0' });
		expect(await findNewerN8n('2.9.0', npm)).toEqual({ kind: 'complete', version: '2.42.0' });
	});

	it('names what npm lacks of a newer n8n, without packages of others', async () => {
		expect(await findNewerN8n('2.41.1', npmWith(['@n8n/config@2.9.0']))).toEqual({
			kind: 'incomplete',
			version: '2.42.0',
			missing: 'n8n-core@2.42.0',
		});
	});
});
