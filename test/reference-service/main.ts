import { parseArgs } from 'node:util';
import { type ReferenceService, resources, startReferenceService } from './index';
import { isJsonObject } from './json';

const usage = `Starts the reference Visitor Service and keeps it running until Ctrl-C.

  npm run service -- [options]

  --port <number>      port to listen on (4010; 0 = any free one)
  --host <address>     address to listen on (127.0.0.1)
  --users <number>     start with this many synthetic users (2500)
  --companies, --visits, --tasks <number>   the same (50, 200 and 100)
  --client-id, --client-secret <text>       the client accepted
  --switches <json>    behaviour that differs from the defaults, as in test/reference-service/switches.ts
`;

const standardCounts = { users: 2_500, companies: 50, visits: 200, tasks: 100 };

async function main(): Promise<void> {
	const options = readOptions();
	if (options.help) {
		process.stdout.write(usage);
		return;
	}
	const counts = resources.map((resource) => {
		const asked = options[resource];
		return { resource, asked: asked === undefined ? null : wholeNumber(`--${resource}`, asked) };
	});
	const service = await startReferenceService({
		host: options.host,
		port: wholeNumber('--port', options.port),
		clientId: options['client-id'],
		clientSecret: options['client-secret'],
		switches: readSwitches(options.switches),
	});
	for (const { resource, asked } of counts) {
		await service.seed(resource, asked ?? standardCounts[resource]);
	}
	const stop = () => {
		// A second Ctrl-C ends at once.
		process.removeAllListeners('SIGINT');
		process.stdout.write('\nStopping.\n');
		service.stop().then(
			() => process.exit(0),
			() => process.exit(1),
		);
	};
	process.once('SIGINT', stop);
	process.once('SIGTERM', stop);
	// Last: who reads this may send a signal at once.
	process.stdout.write(greeting(service));
}

function readOptions() {
	const text = { type: 'string' } as const;
	const { values } = parseArgs({
		options: {
			help: { type: 'boolean', short: 'h', default: false },
			port: { ...text, default: '4010' },
			host: { ...text, default: '127.0.0.1' },
			users: text,
			companies: text,
			visits: text,
			tasks: text,
			'client-id': text,
			'client-secret': text,
			switches: { ...text, default: '{}' },
		},
	});
	return values;
}

function wholeNumber(option: string, text: string): number {
	if (!/^\d+$/.test(text)) throw new Error(`${option} takes a whole number, not "${text}".`);
	return Number(text);
}

function readSwitches(text: string): object {
	const example = '{"list":{"envelope":"content"}}';
	let switches: unknown;
	try {
		switches = JSON.parse(text);
	} catch {
		throw new Error(`--switches takes JSON such as '${example}'.`);
	}
	if (!isJsonObject(switches)) throw new Error(`--switches takes an object such as '${example}'.`);
	return switches;
}

function greeting(service: ReferenceService): string {
	const { url, clientId, clientSecret } = service;
	const counts = resources.map((resource) => `${service.count(resource)} ${resource}`).join(', ');
	return `Reference Visitor Service with ${counts}

  Authorization Server URL  ${url}
  Tenant API URL            ${url}
  Client ID                 ${clientId}
  Client Secret             ${clientSecret}

Try
  curl -d grant_type=client_credentials -d client_id=${clientId} -d client_secret=${clientSecret} ${url}/auth/app-oauth
  curl -H 'Authorization: Bearer <ACCESS_TOKEN>' '${url}/api/external/v2/users?page=0&pageSize=3'
  curl -d '{"set":[{"list":{"envelope":"content"}}]}' ${url}/control
  curl -d '{"summary":[]}' ${url}/control

Ctrl-C stops it.
`;
}

function explained(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	const code = 'code' in error ? error.code : undefined;
	if (code === 'EADDRINUSE')
		return `${error.message}\nChoose another port with --port, or --port 0.`;
	if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return `${error.message}\n\n${usage}`;
	return error.message;
}

main().catch((error: unknown) => {
	process.stderr.write(`${explained(error)}\n`);
	process.exitCode = 1;
});
