import { parseArgs } from 'node:util';
import type { CredentialFields } from '../../credentials/authorization/client';

export interface DiagnoseOptions {
	/** The fields of the credential. */
	fields: CredentialFields;
	/** Print the findings as JSON. */
	json: boolean;
	help: boolean;
}

const SECRET = 'VISITOR_SERVICE_CLIENT_SECRET';

export const USAGE = `npm run diagnose -- --auth-url <address> --base-url <address> --client-id <id>

Finds out what the interface of a tenant does not publish, without n8n. It reads only, with at most
25 requests. The client secret is read from the environment, ${SECRET},
so that it stands in no history of commands.

  --auth-url <address>       Authorization Server URL
  --base-url <address>       Tenant API URL
  --client-id <id>           Client ID
  --api-version <segment>    API Version (v2)
  --token-field <path>       Token Field (found by itself)
  --allow-insecure-http      accept plain http for other machines than this one
  --json                     print the findings as JSON
  --help                     show this`;

/** Reads the command line. Throws an Error that says what is wrong with it. */
export function readDiagnoseOptions(
	commandLine: string[],
	environment: NodeJS.ProcessEnv,
): DiagnoseOptions {
	const { values } = parse(commandLine);
	return {
		fields: {
			authUrl: values['auth-url'],
			baseUrl: values['base-url'],
			clientId: values['client-id'],
			clientSecret: environment[SECRET],
			apiVersion: values['api-version'],
			answerPath: values['token-field'],
			allowInsecureHttp: values['allow-insecure-http'],
		},
		json: values.json ?? false,
		help: values.help ?? false,
	};
}

function parse(commandLine: string[]) {
	const text = { type: 'string' } as const;
	const flag = { type: 'boolean' } as const;
	try {
		return parseArgs({
			args: commandLine,
			options: {
				'auth-url': text,
				'base-url': text,
				'client-id': text,
				'api-version': text,
				'token-field': text,
				'allow-insecure-http': flag,
				json: flag,
				help: { ...flag, short: 'h' },
			},
		});
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		throw new Error(`${reason}\n\n${USAGE}`);
	}
}
