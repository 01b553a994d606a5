import type { IssuedToken } from '../../../../../credentials/authorization/exchange';
import { Conversation } from '../../../../../nodes/VisitorService/diagnosis/conversation';
import {
	ListedUsers,
	MAX_SIZE_ASKED,
	Users,
} from '../../../../../nodes/VisitorService/diagnosis/users';
import type { HttpAnswer, HttpRequest } from '../../../../../nodes/VisitorService/http/message';
import { ImpatientClock } from '../../../../simulation/clock';

export function answer(statusCode: number, body: unknown = {}, headers = {}): HttpAnswer {
	return { statusCode, headers, body };
}

export interface AskedTenant {
	conversation: Conversation;
	/** The token in use. */
	token: IssuedToken;
	/** What was asked, exchanges of a token left out. */
	asked: HttpRequest[];
	/** Exchanges of a token. */
	exchanges: () => number;
}

/**
 * A tenant whose list requests a function answers, with a token in use. Exchanges issue `token-1`,
 * `token-2` and so on.
 *
 * @param list gets the request, its number from 1 on, and the token it was sent with
 * @param lifetime seconds a token is announced to be valid for
 */
export async function askedTenant(
	list: (request: HttpRequest, number: number, token: string) => HttpAnswer,
	{ lifetime, now = () => 0 }: { lifetime?: number; now?: () => number } = {},
): Promise<AskedTenant> {
	const asked: HttpRequest[] = [];
	let exchanges = 0;
	const conversation = new Conversation({
		client: {
			authUrl: 'https://auth.test',
			clientId: 'a',
			clientSecret: 'b-0001',
			answerPath: '',
			scope: '',
			audience: '',
			allowUnauthorizedCerts: false,
		},
		apiUrl: 'https://tenant.test/api/external/v2',
		transport: async (request) => {
			await Promise.resolve();
			if (request.method === 'POST') {
				return answer(200, { access_token: `token-${++exchanges}`, expires_in: lifetime });
			}
			asked.push(request);
			const token = (request.headers?.Authorization ?? '').replace('Bearer ', '');
			return list(request, asked.length, token);
		},
		clock: new ImpatientClock(now),
		random: () => 0.5,
	});
	const token = await conversation.issue();
	return { conversation, token, asked, exchanges: () => exchanges };
}

/** The users that are asked for as `list` answers; the first page is asked for already. */
export async function askedUsers(
	list: (query: NonNullable<HttpRequest['query']>, number: number) => HttpAnswer,
): Promise<AskedTenant & { users: Users }> {
	const tenant = await askedTenant(({ query = {} }, number) => list(query, number));
	const first = await tenant.conversation.get('users', {});
	return { ...tenant, users: await Users.readFrom(tenant.conversation, first, '') };
}

/** What is known of users of whom nothing but this was asked. */
export async function listedUsers(users: Users, known: { isLargestRead?: boolean } = {}) {
	const standard = { kind: 'unclear', longest: 0, requests: 0, keys: [], whole: false } as const;
	const { isLargestRead = false } = known;
	const largest = isLargestRead ? await users.read({ pageSize: MAX_SIZE_ASKED }) : undefined;
	return new ListedUsers(users, standard, largest);
}
