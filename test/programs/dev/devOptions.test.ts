import { readDevOptions } from '../../dev/devOptions';

describe('readDevOptions', () => {
	it('runs the newest n8n on a free port, without a debugger, if nothing is given', () => {
		expect(readDevOptions([], {})).toEqual({
			port: undefined,
			n8n: '2.41.1',
			inspect: false,
			help: false,
		});
	});

	it('reads every option', () => {
		const commandLine = ['--port', '5678', '--n8n', '1.123.81', '--inspect', '--help'];
		expect(readDevOptions(commandLine, {})).toEqual({
			port: 5678,
			n8n: '1.123.81',
			inspect: true,
			help: true,
		});
	});

	it('shows all options if one is not known', () => {
		expect(() => readDevOptions(['--inspekt'], {})).toThrow(/'--inspekt'[\s\S]*--inspect/);
	});
});
