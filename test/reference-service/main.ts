import { parseArgs } from 'node:util';
import { type ReferenceService, resources, startReferenceService } from './index';
import { isJsonObject } from './json';

const usage = `Starts the reference Visitor Service and keeps it running until Ctrl-C.

  npx tsx test/reference-service/main.ts [options]

  --port <number>      port to listen on (4010; 0 = any free one)
  --users <number>     start with this many synthetic users (2500)
  --switches <json>    behaviour that differs from the defaults, as in test/reference-service/switches.ts
`;

const COUNTS = { companies: 50, visits: 200, tasks: 100 };

async function main(): Promise<void> {
	const text = { type: 'string' } as const;
	const { values } = parseArgs({
		options: {
			help: { type: 'boolean', short: 'h' },
			port: { ...text, default: '4010' },
			users: { ...text, default: '2500' },
			switches: { ...text, default: '{}' },
		},
	});
	if (values.help === true) {
		process.stdout.write(usage);
		return;
	}
	const switches: unknown = JSON.parse(values.switches);
	if (!isJsonObject(switches)) throw new Error('--switches takes an object.');
	const service = await startReferenceService({ port: Number(values.port), switches });
	const counts = { users: Number(values.users), ...COUNTS };
	for (const resource of resources) await service.seed(resource, counts[resource]);
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

main().catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
	process.exitCode = 1;
});
