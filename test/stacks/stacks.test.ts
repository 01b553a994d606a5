import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import { PublishedWorkflow } from '../host/publishedWorkflow';
import { type ExpectedList, JudgedList, readsAll } from './judge';
import { StackHost } from './stackHost';
import { type Stacks, startStacks } from './startStacks';

const DOCUMENT = path.join(__dirname, '..', '..', 'docs', 'tried-with.md');

const pinned = (name: string) =>
	JSON.parse(readFileSync(path.join(__dirname, 'servers', name), 'utf8')) as unknown;
const lists = pinned('lists.json') as ExpectedList[];
const senders = Object.entries(pinned('senders.json') as Record<string, INodeParameters>);
const { dependencies } = pinned('package.json') as { dependencies: Record<string, string> };

/** What was tried with each stack, by how it turned out. */
const tried = new Map<string, { stack: string; what: string[]; verdict: string }>();

/** @param wrong the names of what is not right */
function addTry(packages: readonly string[], what: string, wrong: readonly string[]): void {
	const shown = packages.map((name) =>
		// An alias such as `npm:json-server@1.0.0` stands for the package itself.
		`${name}@${dependencies[name]}`.replace(/^.*@npm:/, '').replace(/@(?=\d)/, ' '),
	);
	const verdict = wrong.length === 0 ? 'yes' : `not ${wrong.join(', ')}`;
	const stack = shown.join(' + ');
	const row = tried.get(`${stack} ${verdict}`) ?? { stack, what: [], verdict };
	row.what.push(what);
	tried.set(`${stack} ${verdict}`, row);
}

/** As the document shows it: what turned out alike stands in one row. */
function rowsOfDocument(): string[] {
	const alike = new Map<string, string[]>();
	for (const { stack, what, verdict } of tried.values()) {
		const outcome = `${what.join('; ')} | ${verdict}`;
		alike.set(outcome, [...(alike.get(outcome) ?? []), stack]);
	}
	return Array.from(alike, ([outcome, all]) => `| ${all.join(', ')} | ${outcome} |`);
}

let stacks: Stacks;

beforeAll(async () => {
	stacks = await startStacks();
});

afterAll(async () => {
	await stacks.stop();
});

// Those that count from 0 are shipped so.
const shifted = lists.flatMap((list) =>
	[0, list.countsFrom]
		.filter((shift, index) => index === 0 || shift === 1)
		.map((shift) => ({ list, shift, stack: list.stack, first: list.countsFrom - shift })),
);

it.each(shifted)('reads $stack, which counts from $first', async ({ list, shift, first }) => {
	const problems = await new JudgedList(stacks.url, list, shift).problems();
	addTry([list.stack, ...(list.more ?? [])], `counts from ${first}`, Object.keys(problems));
	expect(problems).toEqual({});
});

it.each([
	['shortLived', 'oidc-provider', 'tokens live for two seconds'],
	['revokedTwice', '@node-oauth/express-oauth-server', 'tokens are revoked twice during a list'],
	['lateCopies', '@node-oauth/express-oauth-server', 'tokens are valid after 1.5 seconds'],
	['restarted', '@node-oauth/express-oauth-server', 'a restart ends all tokens'],
])('reads with tokens of a server, %s', async (server, name, what) => {
	const host = new StackHost(`${stacks.url}/${server}/0`);
	const problems = [await readsAll(host), await readsAll(host)];
	const { message, status } = await host.testConnection(host.credentials.peek('one'));
	if (status !== 'OK') problems.push(message);
	const wrong = problems.filter((problem) => problem !== undefined);
	addTry([name], what, wrong.length === 0 ? [] : ['lists']);
	expect(wrong).toEqual([]);
});

const BODY = '{"event":"visit.created","id":"evt-1"}';
const STANDARD_SECRET = `whsec_${Buffer.from('a standard secret of the stacks').toString('base64')}`;

it.each(senders)('verifies webhooks signed by %s', async (sender, parameters) => {
	const isStandard = parameters.authentication === 'standardWebhooks';
	const secret = isStandard ? STANDARD_SECRET : 'a secret of the stacks';
	const host = new StackHost(stacks.url);
	host.credentials.put('one', host.credential({ webhookSecret: secret }));
	const workflow = new PublishedWorkflow(host, [{ node: 'webhook', parameters }]);
	await workflow.publish();
	const url = `${host.webhookBaseUrl}/webhook/webhook`;
	const delivery = JSON.stringify({ sender, secret, url, body: BODY });
	const response = await fetch(`${stacks.url}/sign`, { method: 'POST', body: delivery });
	const headers = (await response.json()) as Record<string, string>;
	const forged = await workflow.deliver({ headers, body: BODY.replace('evt-1', 'evt-2') });
	const genuine = await workflow.deliver({ headers, body: BODY });
	const { event } = genuine.items?.[0] ?? {};
	const isRight = forged.statusCode === 401 && genuine.statusCode === 200;
	addTry([sender], 'webhooks', isRight ? [] : ['webhooks']);
	expect([forged.statusCode, genuine.statusCode, event]).toEqual([401, 200, 'visit.created']);
});

it('shows in docs what was tried', () => {
	const rows = rowsOfDocument();
	process.stdout.write(`${rows.join('\n')}\n`);
	const shown = readFileSync(DOCUMENT, 'utf8').match(/^\| .*\d\.\d+\.\d.* \|$/gm);
	expect(shown?.join('\n')).toBe(rows.join('\n'));
});
