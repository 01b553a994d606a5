import { RequestWatch } from './requestWatch';

// Loaded before each test file (`setupFilesAfterEnv`): a test that sends a request outside the
// published interface to a reference service fails. The tests of this watch send some on purpose.
const onPurpose = /[\\/]programs[\\/]contract\./;

if (!onPurpose.test(expect.getState().testPath ?? '')) {
	const watch = new RequestWatch();

	beforeAll(() => {
		watch.start();
	});

	afterEach(() => {
		const violations = watch.violations();
		if (violations.length === 0) return;
		throw new Error(
			`Outside the published interface (test/contract/openapi.yaml):\n${violations.join('\n')}`,
		);
	});

	afterAll(() => {
		watch.stop();
	});
}
