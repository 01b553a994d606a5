import { setTimeout as delay } from 'node:timers/promises';
import OAuthServer from '@node-oauth/express-oauth-server';
import express from 'express';
import { Provider } from 'oidc-provider';
import { objection } from './knexLists.mjs';

const CLIENT = { id: 'stacks', secret: 'the secret of the stacks' };
const TOKEN_PATH = '/auth/app-oauth';

/** Tokens of two seconds, in front of a list that takes longer. */
function shortLived(users) {
	const provider = new Provider('http://127.0.0.1', {
		clients: [
			{
				client_id: CLIENT.id,
				client_secret: CLIENT.secret,
				grant_types: ['client_credentials'],
				redirect_uris: [],
				response_types: [],
				token_endpoint_auth_method: 'client_secret_post',
			},
		],
		features: { clientCredentials: { enabled: true }, devInteractions: { enabled: false } },
		ttl: { ClientCredentials: 2 },
	});
	const respondToTokenRequest = provider.callback();
	const list = objection(users);
	return async (request, response) => {
		if (request.url.startsWith(TOKEN_PATH)) {
			request.url = '/token';
			return respondToTokenRequest(request, response);
		}
		const [, text = ''] = (request.headers.authorization ?? '').split(' ');
		const token = await provider.ClientCredentials.find(text);
		const challenge = { 'WWW-Authenticate': 'Bearer error="invalid_token"' };
		if (token === undefined || token.isExpired) return response.writeHead(401, challenge).end();
		await delay(250);
		return list(request, response);
	};
}

/** @param judge whether a token may be used for a request of a list, by its number */
const checkedBy = (judge) => (users) => {
	const tokens = new Map();
	let requests = 0;
	const model = {
		getClient: (id, secret) =>
			id === CLIENT.id && secret === CLIENT.secret && { id, grants: ['client_credentials'] },
		getUserFromClient: () => ({}),
		saveToken: (token, client, user) => {
			tokens.set(token.accessToken, { ...token, client, user, issuedAt: Date.now() });
			return tokens.get(token.accessToken);
		},
		getAccessToken: (text) => {
			const token = tokens.get(text);
			return token && judge(token, ++requests, tokens) && token;
		},
	};
	const server = new OAuthServer({ model });
	const app = express();
	app.use(express.urlencoded({ extended: false }));
	app.post(TOKEN_PATH, server.token({ accessTokenLifetime: 3_600 }));
	app.use('/users', server.authenticate());
	app.use(objection(users));
	return app;
};

export const TOKEN_SERVERS = {
	shortLived,
	/** All tokens end in the middle of a list, twice. */
	revokedTwice: checkedBy((_token, request, tokens) => {
		if (request === 6 || request === 14) tokens.clear();
		return tokens.size > 0;
	}),
	/** A copy of the tokens that is late. */
	lateCopies: checkedBy(({ issuedAt }) => Date.now() - issuedAt > 1_500),
	/** Restarts between two runs, and has forgotten all tokens. */
	restarted: checkedBy((_token, request, tokens) => {
		if (request === 30) tokens.clear();
		return tokens.size > 0;
	}),
};
