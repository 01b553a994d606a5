import type * as n8nWorkflow from 'n8n-workflow';
import { shownClock } from '../../simulation/processTime';

const workflow = jest.requireActual<typeof n8nWorkflow>('n8n-workflow');

// Imported before whatever waits: it waits by the clock that `Date` shows.
jest.mock('n8n-workflow', () => ({
	...workflow,
	__esModule: true,
	sleep: async (milliseconds: number) => await (shownClock() ?? workflow).sleep(milliseconds),
}));
