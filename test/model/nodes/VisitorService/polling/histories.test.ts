import {
	appearing,
	crashing,
	lagging,
	misreading,
	moving,
	settingClocks,
	stampingBack,
	usual,
} from '../../../../boundary/polling/history';
import { playHistories } from '../../../../boundary/polling/playHistories';
import { isNightly } from '../../../../properties';

/** In all tests. */
const HISTORIES = Number(process.env.POLLING_HISTORIES ?? (isNightly ? 2_000 : 250));

describe('a polling trigger that loses, doubles and makes up nothing, and is not silent', () => {
	it.each([
		['whatever usually happens', usual, 0.2],
		['if changes show late', appearing, 0.1],
		['if the list moves under every page', moving, 0.1],
		['if the process is killed before the place is stored', crashing, 0.15],
		['if clocks are set', settingClocks, 0.1],
		['if the clock that stamps changes is set back', stampingBack, 0.05],
		['if the service answers from a copy that lags behind', lagging, 0.15],
		['if the service comes to read updatedSince otherwise', misreading, 0.15],
	])('%s', async (_, histories, share) => {
		await playHistories(histories, Math.ceil(HISTORIES * share));
	});
});
