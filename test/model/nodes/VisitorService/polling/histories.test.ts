import { KINDS, playHistories } from '../../../../boundary/polling/playHistories';
import { isNightly } from '../../../../properties';

/** In all tests. */
const HISTORIES = Number(process.env.POLLING_HISTORIES ?? (isNightly ? 2_000 : 250));

describe('a polling trigger that loses, doubles and makes up nothing, and is not silent', () => {
	it.each(KINDS)('%s', async (_, histories, share) => {
		await playHistories(histories, Math.ceil(HISTORIES * share));
	});
});
