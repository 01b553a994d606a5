import {
	choosyHistory,
	clampingHistory,
	crashingHistory,
	crowdedHistory,
	laggingHistory,
	refusingHistory,
} from '../../../../unit/nodes/VisitorService/polling/history';
import { playHistories } from './playHistories';

describe('whatever rarely happens to a tenant and its trigger', () => {
	it('loses nothing and doubles nothing of one kind of change, or of a list that is compared', async () => {
		await playHistories(choosyHistory, 0.2);
	}, 600_000);

	it('loses nothing and doubles nothing if the service refuses pages after the end', async () => {
		await playHistories(refusingHistory, 0.1);
	}, 600_000);

	it('loses nothing and doubles nothing if the service returns other pages at most from time to time', async () => {
		await playHistories(clampingHistory, 0.05);
	}, 600_000);

	it('loses nothing and doubles nothing if the service once answers from a copy that lags behind', async () => {
		await playHistories(laggingHistory, 0.1);
	}, 600_000);

	it('loses nothing if the process is killed between emitting and saving, and repeats only what it emitted then', async () => {
		await playHistories(crashingHistory, 0.1);
	}, 600_000);

	it('loses nothing of more changes than the cursor has room for, and emits none more than twice', async () => {
		await playHistories(crowdedHistory, 0.1);
	}, 600_000);
});
