import { RequestWatch } from './requestWatch';

// Loaded before each test file (`setupFilesAfterEnv`): a test that sends a request outside the
// published interface to a reference service fails. Some send one on purpose: the tests of the
// reference service itself, and those of a credential with a wrong address or version.
const onPurpose =
	/[\\/]programs[\\/](reference-service|contract)[\\/]|[\\/]engine[\\/]connectionTest\.test/;

if (!onPurpose.test(expect.getState().testPath ?? '')) {
	const watch = new RequestWatch();

	beforeAll(() => {
		watch.start();
	});

	afterEach(async () => {
		const violations = await watch.violations();
		if (violations.length === 0) return;
		throw new Error(
			`Outside the published interface (test/contract/openapi.yaml):\n${violations.join('\n')}`,
		);
	});

	afterAll(() => {
		watch.stop();
	});
}
