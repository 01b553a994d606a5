import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { N8N_VERSIONS, prepareN8n } from '../n8n/prepareN8n';
import { array, object, string } from '../n8n/responseShape';
import { STARTING } from './cluster/deliveryProxy';

const ROOT = path.resolve(__dirname, '..', '..');
const FOLDER = path.join(ROOT, 'deploy', 'queue');

const N8N_SERVICES = ['main', 'webhook-1', 'webhook-2', 'worker-1', 'worker-2', 'worker-3'];

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
	const instruction = new RegExp(`^${name} +(.*)$`, 'gm');
	return [...(await read('Dockerfile')).matchAll(instruction)].map(([, content = '']) => content);
}

describe('deploy/queue', () => {
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
		const documented = [
			await sourceBelow(path.join(modules, '@n8n', 'config', 'dist')),
			await readFile(path.join(modules, 'n8n', 'dist', 'workflow-runner.js'), 'utf8'),
			await sourceBelow(path.join(modules, 'n8n', 'dist', 'modules', 'community-packages')),
		].join('\n');
		const environment = object((await composeServices()).main?.environment, 'The environment');
		const unknown = Object.keys(environment).filter(
			(name) => !new RegExp(`\\b${name}\\b`).test(documented),
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

	it('has an image recipe for the n8n that is tested here', async () => {
		expect(await instructions('ARG')).toEqual([`N8N_VERSION=${N8N_VERSIONS[0]}`]);
	});

	it('copies into the image what exists and is not ignored', async () => {
		const allowed = new Set(
			(await read('Dockerfile.dockerignore')).split('\n').filter((line) => line.startsWith('!')),
		);
		const copied = (await instructions('COPY'))
			.flatMap((content) => content.split(/\s+/).slice(0, -1))
			// What comes from the stage before, and options, is no file here.
			.filter((source) => !path.isAbsolute(source) && !source.startsWith('--'));
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
