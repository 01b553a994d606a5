import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { DCLinter } from 'dclint';
import { DockerfileParser } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { parse } from 'yaml';
import { array, object, string } from '../n8n/answerShape';
import { N8N_VERSIONS, prepareN8n } from '../n8n/prepareN8n';
import { STARTING } from './cluster/deliveryProxy';

const ROOT = path.resolve(__dirname, '..', '..');
const FOLDER = path.join(ROOT, 'deploy', 'queue');
const COMPOSE_FILE = path.join(FOLDER, 'compose.yaml');

const N8N_SERVICES = ['main', 'webhook-1', 'webhook-2', 'worker-1', 'worker-2', 'worker-3'];

/** Rules of taste; the schema of the Compose Specification and every other rule hold. */
const TASTE = {
	'service-keys-order': 0,
	'services-alphabetical-order': 0,
	'top-level-properties-order': 0,
	'require-quotes-in-ports': 0,
	// The proxy is there to be reached from outside.
	'no-unbound-port-interfaces': 0,
} as const;

const read = async (name: string) => await readFile(path.join(FOLDER, name), 'utf8');

async function composeServices(): Promise<Record<string, Record<string, unknown>>> {
	const compose = object(parse(await read('compose.yaml'), { merge: true }), 'The compose file');
	const services = object(compose.services, 'The services');
	return Object.fromEntries(
		Object.entries(services).map(([name, service]) => [name, object(service, name)]),
	);
}

/** The instructions of the Dockerfile, with their arguments. */
async function instructions(name: string): Promise<string[]> {
	return DockerfileParser.parse(await read('Dockerfile'))
		.getInstructions()
		.filter((instruction) => instruction.getKeyword() === name)
		.map((instruction) => instruction.getArgumentsContent() ?? '');
}

describe('deploy/queue', () => {
	it('has a compose file that follows the Compose Specification', () => {
		const linter = new DCLinter({ rules: TASTE, quiet: false, debug: false, exclude: [] });
		const results = linter.lintFiles([COMPOSE_FILE], false);
		expect(results).toHaveLength(1);
		expect(results.flatMap(({ messages }) => messages)).toEqual([]);
	});

	it('finds a mistake in a compose file', () => {
		const linter = new DCLinter({ rules: TASTE, quiet: false, debug: false, exclude: [] });
		const broken = path.join(__dirname, 'brokenCompose.yaml');
		expect(linter.lintFiles([broken], false).flatMap(({ messages }) => messages)).not.toEqual([]);
	});

	it('runs one main process, two webhook processors, three workers, and their servers', async () => {
		const services = await composeServices();
		expect(Object.keys(services).sort()).toEqual(
			[...N8N_SERVICES, 'postgres', 'proxy', 'redis'].sort(),
		);
		const commands = N8N_SERVICES.map(
			(name) => string(services[name]?.command ?? 'start', `The command of ${name}`).split(' ')[0],
		);
		expect(commands).toEqual(['start', 'webhook', 'webhook', 'worker', 'worker', 'worker']);
		for (const service of Object.values(services)) {
			expect(object(service.healthcheck, 'The health check').test).toBeDefined();
			expect(service.restart).toBe('unless-stopped');
		}
	});

	it('has for every n8n process the same image and settings, and hides the package behind no volume', async () => {
		const services = await composeServices();
		for (const name of N8N_SERVICES) {
			const { image, environment, volumes } = services[name] ?? {};
			expect(image).toBe(services.main?.image);
			expect(environment).toEqual(services.main?.environment);
			expect(volumes).toBeUndefined();
		}
	});

	it('sets only variables that this n8n reads', async () => {
		const { folder } = await prepareN8n(N8N_VERSIONS[0]);
		const modules = path.join(folder, 'node_modules');
		const known = [
			await sourceBelow(path.join(modules, '@n8n', 'config', 'dist')),
			await readFile(path.join(modules, 'n8n', 'dist', 'workflow-runner.js'), 'utf8'),
			await sourceBelow(path.join(modules, 'n8n', 'dist', 'modules', 'community-packages')),
		].join('\n');
		const environment = object((await composeServices()).main?.environment, 'The environment');
		const unknown = Object.keys(environment).filter(
			(name) => !new RegExp(`\\b${name}\\b`).test(known),
		);
		expect(unknown).toEqual([]);
	});

	it('names every variable of the compose file in .env.example, secrets without a value', async () => {
		const used = new Set(
			[...(await read('compose.yaml')).matchAll(/\$\{([A-Z0-9_]+)/g)].map(([, name]) => name),
		);
		const example = Object.fromEntries(
			[...(await read('.env.example')).matchAll(/^([A-Z0-9_]+)=(.*)$/gm)].map(([, name, value]) => [
				string(name, 'A name'),
				value,
			]),
		);
		expect(Object.keys(example).sort()).toEqual([...used].sort());
		for (const [name, value] of Object.entries(example)) {
			if (/KEY|PASSWORD|SECRET/.test(name)) expect(value).toBe('');
		}
	});

	it('has an image recipe without mistakes, for the n8n that is tested here', async () => {
		expect(validate(await read('Dockerfile'))).toEqual([]);
		expect(await instructions('ARG')).toEqual([`N8N_VERSION=${N8N_VERSIONS[0]}`]);
	});

	it('copies into the image what exists and is not ignored', async () => {
		const allowed = new Set(
			(await read('Dockerfile.dockerignore')).split('\n').filter((line) => line.startsWith('!')),
		);
		const copied = (await instructions('COPY'))
			.flatMap((content) => content.split(/\s+/).slice(0, -1))
			// From the stage before.
			.filter((source) => !path.isAbsolute(source));
		expect(copied.length).toBeGreaterThan(0);
		for (const source of copied) {
			expect(existsSync(path.join(ROOT, source))).toBe(true);
			expect(allowed).toContain(`!${source.replace(/^\.\//, '')}`);
		}
	});

	it('has a proxy that sends deliveries to the webhook processors and the rest to the main process', async () => {
		const upstreams = [...(await read('Caddyfile')).matchAll(/reverse_proxy (.*?)(?: \{)?$/gm)].map(
			([, names]) => string(names, 'The upstreams').split(' '),
		);
		expect(upstreams).toEqual([['webhook-1:5678', 'webhook-2:5678'], ['main:5678']]);
		// Whose length the proxy goes by; test/queue/cluster/deliveryProxy.ts does the same with the
		// text.
		expect(await read('Caddyfile')).toContain(`header Content-Length ${STARTING.length}\n`);
		const volumes = array((await composeServices()).proxy?.volumes, 'The volumes of the proxy');
		expect(volumes).toContain('./Caddyfile:/etc/caddy/Caddyfile:ro');
	});
});

async function sourceBelow(folder: string): Promise<string> {
	const files = await readdir(folder, { recursive: true });
	const sources = files.filter((file) => file.endsWith('.js'));
	return (
		await Promise.all(sources.map(async (file) => await readFile(path.join(folder, file), 'utf8')))
	).join('\n');
}
