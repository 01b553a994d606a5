import { createHmac } from 'node:crypto';
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import type { DeepPartial, Switches } from '../reference-service';
import type { VisitorService } from '../reference-service/service';
import type { NodeName } from './memoryHost';

/** A webhook request, with what `fetch` can send. */
export interface SentDelivery {
	body: string;
	headers: Record<string, string>;
}

/**
 * What happens to a workflow, in this order: it runs (or polls, or the credential is tested), a
 * webhook comes, or something happens at the service.
 */
export type Step = 'run' | SentDelivery | ((service: VisitorService) => void | Promise<void>);

/** A workflow of one node of the package, and a service. */
export interface Workflow {
	title: string;
	node: NodeName | 'credential';
	parameters?: INodeParameters;
	/** Input of the action node; default: one empty item. */
	items?: IDataObject[];
	onError?: INode['onError'];
	/** What was set before there was `onError`. */
	continueOnFail?: boolean;
	/** Changes to the credential. */
	credential?: IDataObject;
	switches?: DeepPartial<Switches>;
	/** How many users there are. */
	users?: number;
	steps: Step[];
}

const SECRET = 'webhook-secret-0123456789';

function signed(body: unknown, secret = SECRET): SentDelivery {
	const text = JSON.stringify(body);
	return {
		body: text,
		headers: {
			'content-type': 'application/json',
			'x-signature': createHmac('sha256', secret).update(text).digest('hex'),
		},
	};
}

const event = { event: 'visit.created', id: 'event-1', data: { id: 'visit-1', floor: 3 } };

const listing = (workflow: Partial<Workflow> & Pick<Workflow, 'title'>): Workflow => ({
	node: 'action',
	users: 120,
	steps: ['run'],
	...workflow,
	parameters: { resource: 'user', operation: 'list', ...workflow.parameters },
});

const webhook = (title: string, steps: Step[], parameters: INodeParameters = {}): Workflow => ({
	title,
	node: 'webhook',
	parameters,
	credential: { webhookSecret: SECRET },
	steps,
});

/**
 * Run in the host in memory, in n8n-core and in the real n8n, which have to show the same items,
 * errors and hints: so what a test sees in memory is what a user sees.
 */
export const WORKFLOWS: Workflow[] = [
	listing({ title: 'the first users' }),
	listing({ title: 'all users', users: 250, parameters: { returnAll: true } }),
	listing({
		title: 'a page, in a size and an order',
		parameters: { limit: 20, page: 1, options: { pageSize: 20, sort: 'id,asc' } },
	}),
	listing({
		title: 'users updated since a time without a zone',
		parameters: { returnAll: true, filters: { updatedSince: '2025-10-01T12:00:00' } },
	}),
	listing({
		title: 'an expression for each item, one of which fails',
		items: [{ size: 7 }, { size: 0 }, { size: 9 }],
		parameters: { limit: 9, options: { pageSize: '={{ $json.size }}' } },
		onError: 'continueRegularOutput',
	}),
	listing({
		title: 'a failed item at the error output',
		items: [{ size: 7 }, { size: 0 }],
		parameters: { limit: 9, options: { pageSize: '={{ $json.size }}' } },
		onError: 'continueErrorOutput',
	}),
	listing({ title: 'a wrong secret', credential: { clientSecret: 'wrong' } }),
	listing({
		title: 'a client without permission',
		switches: { authorization: { permission: 'none' } },
	}),
	listing({
		title: 'a list that is not there',
		parameters: { resource: 'company', pathSegment: 'firms' },
	}),
	listing({
		title: 'a limit of requests, with Retry-After',
		switches: { list: { faults: [{ status: 429, retryAfter: 1 }] } },
	}),
	listing({
		title: 'a stored token that has expired',
		steps: ['run', (service) => service.expireTokens(), 'run'],
	}),
	listing({
		title: 'users who match',
		parameters: {
			limit: 3,
			match: { conditions: [{ field: 'role', condition: 'equals', value: 'Receptionist' }] },
		},
	}),
	listing({
		title: 'a condition without a value',
		parameters: { match: { conditions: [{ field: 'email', condition: 'contains' }] } },
	}),
	listing({
		title: 'the first user who has a value',
		parameters: {
			...{ operation: 'find', value: 'user-000042' },
			field: { __rl: true, mode: 'name', value: '={{ "id" }}' },
		},
	}),
	listing({
		title: 'some fields, one of which nobody has',
		parameters: { limit: 3, options: { fields: ['id', 'email', 'nickname'] } },
	}),
	listing({ title: 'an empty list', users: 0, parameters: { returnAll: true } }),
	listing({ title: 'an error with status 200', switches: { list: { force: 'errorObject200' } } }),
	listing({ title: 'a web page instead of a response', switches: { list: { force: 'html' } } }),
	listing({
		title: 'a server that is silent',
		switches: { list: { force: 'hang' } },
		parameters: { options: { timeout: 300, maxRetries: 0 } },
	}),
	listing({
		title: 'a connection that breaks',
		switches: { list: { force: 'cut' } },
		parameters: { options: { maxRetries: 0 } },
	}),
	{
		title: 'the settings of a service',
		node: 'action',
		users: 120,
		parameters: { resource: 'connection', operation: 'diagnose' },
		steps: ['run'],
	},
	{
		title: 'a user who is new',
		node: 'polling',
		users: 30,
		steps: [
			'run',
			async (service) => await service.upsert('users', { id: 'new-1', name: 'New' }),
			'run',
			'run',
		],
	},
	{
		title: 'a user who is removed',
		node: 'polling',
		users: 30,
		parameters: { triggerOn: 'removed' },
		steps: [
			'run',
			async (service) => await service.remove('users', 'user-000007'),
			'run',
			'run',
			'run',
		],
	},
	webhook('a signed event', [signed(event)]),
	webhook(
		'a forged event, and one that is left out',
		[signed(event, 'another-secret'), signed({ ...event, event: 'visit.updated' }), signed(event)],
		{ events: 'visit.created' },
	),
	webhook('events that come together', [signed([event, { ...event, id: 'event-2' }])]),
	{ title: 'a good connection', node: 'credential', users: 3, steps: ['run'] },
	{
		title: 'a connection with a wrong secret',
		node: 'credential',
		credential: { clientSecret: 'wrong' },
		steps: ['run'],
	},
];
