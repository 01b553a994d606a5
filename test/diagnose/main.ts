import { readApiUrl, readClient } from '../../credentials/authorization/client';
import { diagnoseTenant } from '../../nodes/VisitorService/diagnosis/diagnoseTenant';
import type { Finding } from '../../nodes/VisitorService/diagnosis/finding';
import { MAX_REQUESTS } from '../../nodes/VisitorService/diagnosis/politeTransport';
import { ServiceFailure } from '../../nodes/VisitorService/failure/serviceFailure';
import type { Transport } from '../../nodes/VisitorService/http/message';
import { clock } from '../../nodes/VisitorService/operations/host';
import { readDiagnoseOptions, USAGE } from './diagnoseOptions';
import { findingTable } from './findingTable';
import { httpTransport } from './httpTransport';

const NARROW = 120;

async function main(): Promise<void> {
	const { fields, json, help } = readDiagnoseOptions(process.argv.slice(2), process.env);
	if (help) {
		process.stdout.write(`${USAGE}\n`);
		return;
	}
	const findings = await diagnoseTenant({
		client: readClient(fields),
		apiUrl: readApiUrl(fields),
		transport: withProgress(httpTransport()),
		clock,
		random: Math.random,
	});
	process.stderr.write(clearLine());
	process.stdout.write(json ? `${JSON.stringify(findings, null, '\t')}\n` : report(findings));
	if (findings[0]?.status === 'failed') process.exitCode = 1;
}

function report(findings: readonly Finding[]): string {
	const [summary] = findings;
	const settings = JSON.stringify(summary?.setting ?? {}, null, '  ');
	const table = findingTable(findings, process.stdout.columns || NARROW);
	return `${summary?.meaning ?? ''}\n\n${table}\n\nSettings:\n${settings}\n`;
}

/** One line that counts the requests, on a terminal only. */
function withProgress(transport: Transport): Transport {
	let requests = 0;
	return async (request) => {
		requests++;
		if (process.stderr.isTTY) {
			const what = `${request.method} ${new URL(request.url).pathname}`;
			process.stderr.write(`${clearLine()}${requests} of at most ${MAX_REQUESTS}: ${what}`);
		}
		return await transport(request);
	};
}

function clearLine(): string {
	return process.stderr.isTTY ? '\r\u001b[K' : '';
}

main().catch((error: unknown) => {
	const explained =
		error instanceof ServiceFailure
			? `${error.message} ${error.remedy}`
			: error instanceof Error
				? error.message
				: String(error);
	process.stderr.write(`${clearLine()}${explained}\n`);
	process.exitCode = 1;
});
