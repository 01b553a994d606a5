import { readDemoOptions } from '../../demo/demoOptions';

describe('readDemoOptions', () => {
	it('leaves the editor open on a free port with the newest n8n unless told otherwise', () => {
		expect(readDemoOptions([], {})).toEqual({
			once: false,
			keep: false,
			help: false,
			port: undefined,
			n8n: '2.41.1',
		});
	});

	it('reads every option', () => {
		const commandLine = ['--once', '--keep', '--port', '5678', '--n8n', '1.123.81', '--help'];
		expect(readDemoOptions(commandLine, {})).toEqual({
			once: true,
			keep: true,
			help: true,
			port: 5678,
			n8n: '1.123.81',
		});
	});

	it('takes the n8n of the environment, and that of the command line before it', () => {
		const environment = { VISITOR_SERVICE_N8N: '1.123.81' };
		expect(readDemoOptions([], environment).n8n).toBe('1.123.81');
		expect(readDemoOptions(['--n8n', '2.41.1'], environment).n8n).toBe('2.41.1');
	});

	it.each(['0', '80', '65536', '1.5', 'http', ''])(
		'refuses port "%s" and says which one to give',
		(port) => {
			expect(() => readDemoOptions(['--port', port], {})).toThrow(
				'Give one between 1024 and 65535.',
			);
		},
	);

	it('refuses a release that is not pinned and names those that are', () => {
		expect(() => readDemoOptions(['--n8n', '2.0.0'], {})).toThrow(
			'Choose one of 2.41.1, 1.123.81.',
		);
	});

	it('shows all options where one is not known', () => {
		expect(() => readDemoOptions(['--ones'], {})).toThrow(/'--ones'[\s\S]*--once/);
	});
});
