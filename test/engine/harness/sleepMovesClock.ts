import type * as n8nWorkflow from 'n8n-workflow';

// Imported before whatever waits: waiting moves the clock instead of taking time.
jest.mock('n8n-workflow', () => ({
	...jest.requireActual<typeof n8nWorkflow>('n8n-workflow'),
	__esModule: true,
	sleep: (milliseconds: number) => {
		jest.setSystemTime(Date.now() + milliseconds);
		return Promise.resolve();
	},
}));
