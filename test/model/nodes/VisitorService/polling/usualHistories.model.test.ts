import { history, movingHistory } from '../../../../unit/nodes/VisitorService/polling/history';
import { playHistories } from './playHistories';

describe('whatever usually happens to a tenant and its trigger', () => {
	it('loses nothing and doubles nothing', async () => {
		await playHistories(history, 0.4);
	}, 600_000);

	it('loses nothing and doubles nothing if the list moves under every page', async () => {
		await playHistories(movingHistory, 0.1);
	}, 600_000);
});
