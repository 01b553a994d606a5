import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { MemoryHost } from './memoryHost';
import { PublishedWorkflow } from './publishedWorkflow';
import type { Workflow } from './workflows';

/** What a user sees of one step of a workflow. */
export interface Outcome {
	items?: object[];
	errorItems?: object[];
	hints?: ReadonlyArray<{ message: string; type?: string | null }>;
	error?: object | null;
	/** What the sender of a webhook gets. */
	statusCode?: number;
	response?: unknown;
}

/** What is compared of an error. */
export function errorShown(error: object | null | undefined): object | undefined {
	if (error === undefined || error === null) return undefined;
	const { message, description, httpCode, name, context, itemIndex } = error as Record<
		string,
		unknown
	>;
	const index = itemIndex ?? (context as { itemIndex?: unknown } | undefined)?.itemIndex;
	return { message, description, httpCode: httpCode ?? null, name, itemIndex: index ?? null };
}

/** Only what is the same at every place and time. */
export function comparable(outcomes: readonly Outcome[], serviceUrl: string): unknown {
	const { host } = new URL(serviceUrl);
	const text = JSON.stringify(
		outcomes.map(({ items = [], errorItems = [], hints = [], error, statusCode, response }) => ({
			statusCode,
			response,
			items: items.map(comparableItem),
			errorItems,
			hints: hints.map(({ message, type }) => ({ message, type })),
			error: errorShown(error) ?? null,
		})),
	)
		.replaceAll(serviceUrl, '<service>')
		.replaceAll(host, '<host>')
		.replace(/\b[\d,.]+ m?s(?=[,)])/g, '<duration>')
		.replace(/"20(?!25)\d\d-\d\d-\d\dT[^"]*Z"/g, '"<time>"');
	return JSON.parse(text);
}

/** Headers of an event are those of its sender; a clock is measured through a network. */
function comparableItem(item: object): object {
	if ('headers' in item) return { ...item, headers: '<headers>' };
	if ('check' in item && item.check === 'clockDifference') return { check: item.check };
	return item;
}

/** Of a poll that starts nothing there is nothing to see. */
export async function outcomeOfPoll(started: Promise<object[]>): Promise<Outcome | undefined> {
	try {
		const items = await started;
		return items.length > 0 ? { items } : undefined;
	} catch (error) {
		return { error: error as Error };
	}
}

/** Runs a workflow in the host in memory. */
export async function inMemory(workflow: Workflow): Promise<unknown> {
	const { continueOnFail, credential, items, node, onError } = workflow;
	const { parameters, steps, switches, users = 0 } = workflow;
	const host = new MemoryHost({ switches });
	await host.service.seed('users', users);
	const fields = host.credential(credential as ICredentialDataDecryptedObject);
	host.credentials.put('one', fields);
	const published =
		node === 'polling' || node === 'webhook'
			? new PublishedWorkflow(host, [{ node, parameters }])
			: undefined;
	if (node === 'webhook') await published?.publish();

	const outcomes: Outcome[] = [];
	let runs = 0;
	for (const step of steps) {
		if (typeof step === 'function') await host.during(async () => await step(host.service));
		else if (typeof step === 'object') {
			const { statusCode, body, items: started } = (await published?.deliver(step)) ?? {};
			outcomes.push({ statusCode, response: body, items: started });
		} else if (node === 'credential') {
			outcomes.push({ items: [await host.testConnection(fields)] });
		} else if (published !== undefined) {
			// Those that start nothing cannot be told apart in the real n8n.
			const begin = runs++ === 0 ? published.publish() : published.poll();
			const outcome = await outcomeOfPoll(begin);
			if (outcome !== undefined) outcomes.push(outcome);
			host.time.pass(10_000);
		} else outcomes.push(await host.execute(parameters ?? {}, { items, onError, continueOnFail }));
	}
	return comparable(outcomes, host.url);
}
