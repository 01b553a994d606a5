// All stacks in one process, each below a path of its own: `/<stack>/<what is added to page>/…`.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { LISTS, rename } from './lists.mjs';
import { sign } from './senders.mjs';
import { TOKEN_SERVERS } from './tokens.mjs';
import { createUsers } from './users.mjs';

const users = createUsers(path.join(import.meta.dirname, 'users.sqlite'));
const handlers = {};
for (const { stack, create } of LISTS) handlers[stack] = await create(users);
for (const [name, create] of Object.entries(TOKEN_SERVERS)) handlers[name] = create(users);

const tokens = new Set();

function reply(response, status, body) {
	response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

/** A list is without tokens of its own, unless it is about them. */
function respondWithList(list, shift, { pathname, searchParams }, request, response) {
	if (pathname === '/auth/app-oauth') {
		const token = randomUUID();
		tokens.add(`Bearer ${token}`);
		reply(response, 200, { access_token: token, token_type: 'Bearer', expires_in: 3_600 });
	} else if (tokens.has(request.headers.authorization)) {
		request.url = `${pathname}?${rename(searchParams, list, shift)}`;
		handlers[list.stack](request, response);
	} else reply(response, 401, { error: 'invalid_token' });
}

async function respond(request, response) {
	const [, name, number] = request.url.split('/').map(decodeURIComponent);
	if (name === 'sign') return reply(response, 200, await sign(JSON.parse(await text(request))));
	if (name === 'change') {
		const { id, updatedAt } = JSON.parse(await text(request));
		await users.change(id, updatedAt);
		return reply(response, 200, {});
	}
	const url = new URL(`http://stack/${request.url.split('/').slice(3).join('/')}`);
	url.pathname = url.pathname.replace('/api/external/v2', '');
	const list = LISTS.find(({ stack }) => stack === name);
	if (list !== undefined) return respondWithList(list, Number(number), url, request, response);
	request.url = url.pathname + url.search;
	return handlers[name](request, response);
}

const server = createServer((request, response) => {
	respond(request, response).catch((error) => reply(response, 500, { error: error.stack }));
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: server.address().port }));
process.once('disconnect', () => process.exit());
