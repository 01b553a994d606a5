import { changesBefore, type ListTraits, sortedBy, switchesOf } from '../../drawn/listTraits';
import { recordsOf } from '../../drawn/records';
import type { MemoryHost } from '../../host/memoryHost';
import type { VirtualTime } from '../../host/virtualTime';
import type { JsonObject } from '../../reference-service';
import { isJsonObject } from '../../reference-service/json';
import type { RecordedRequest } from '../../reference-service/requestLog';
import { requestUrl } from '../../reference-service/requestParts';
import type { Outcome as ServiceOutcome } from '../../reference-service/responses';
import { type ServiceOptions, VisitorService } from '../../reference-service/service';
import type { ServiceRequest } from '../../reference-service/state';

/** One response to a question for a page, as it went out. */
export interface GivenResponse {
	page: number;
	pageSize: number;
	outcome: ServiceOutcome;
	/** Whether it was a mistake that was drawn. */
	isMistake: boolean;
}

/** Which of the questions that wait gets its response next: its place among them. */
export type Order = (waiting: ReadonlyArray<{ page: number }>) => number;

/** The lowest page first, so that a reader has no more responses than those it needs. */
export const inTurn: Order = (waiting) => {
	const pages = waiting.map(({ page }) => page);
	return pages.indexOf(Math.min(...pages));
};

export function shuffled(seed: number): Order {
	let state = seed;
	return (waiting) => {
		state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
		return (state >> 8) % waiting.length;
	};
}

interface Waiting {
	page: number;
	respond: () => Promise<void>;
}

/** Far more than any drawn list needs. */
const TOO_MANY = 5_000;

/**
 * A service that gives one response at a time, and only when its client can do nothing more without
 * one. What got a response is all that the client knows.
 */
export class ListService extends VisitorService {
	readonly given: GivenResponse[] = [];
	/** Most questions that waited at a time. */
	mostWaiting = 0;

	private readonly waiting: Waiting[] = [];

	private isResponding = false;

	constructor(
		private readonly time: VirtualTime,
		private readonly order: Order,
		switches: ServiceOptions['switches'] = {},
	) {
		super({ switches, clock: () => time.now() });
	}

	override async respond(
		request: ServiceRequest,
		recorded: RecordedRequest,
	): Promise<ServiceOutcome> {
		const { path, query } = requestUrl(request.url);
		if (!path.startsWith('/api/external/')) return await super.respond(request, recorded);
		if (this.given.length > TOO_MANY) throw new Error('The listing does not end.');
		const page = Number(query.page);
		const pageSize = Number(query.pageSize);
		return await new Promise((resolve, reject) => {
			const respond = async () => {
				const faults = this.mistakesLeft();
				const outcome = await super.respond(request, recorded);
				this.given.push({ page, pageSize, outcome, isMistake: this.mistakesLeft() < faults });
				resolve(outcome);
			};
			this.waiting.push({ page, respond: () => respond().catch(reject) });
			this.mostWaiting = Math.max(this.mostWaiting, this.waiting.length);
			void this.respondToAll();
		});
	}

	private mistakesLeft(): number {
		return this.switches.list.pageFaults.length;
	}

	private async respondToAll(): Promise<void> {
		if (this.isResponding) return;
		this.isResponding = true;
		for (;;) {
			// The time jumps when nothing else is left to do.
			await this.time.sleep(1);
			const [next] = this.waiting.splice(this.order(this.waiting), 1);
			if (next === undefined) break;
			await next.respond();
		}
		this.isResponding = false;
	}
}

/** A service with these traits. */
export async function serve(
	traits: ListTraits,
	order: Order,
	{ time }: MemoryHost,
): Promise<ListService> {
	const service = new ListService(time, order, { list: switchesOf(traits) });
	const records = recordsOf(traits.kind, traits.count);
	await service.seed('users', records);
	service.onListRequest(async ({ number }) => {
		service.set({ list: changesBefore(traits, number) });
		if (number === (traits.sortedAnew?.after ?? Infinity) + 1)
			await service.seed('users', sortedBy(traits.sortedAnew?.order ?? [], records));
	});
	return service;
}

export interface StatedPage {
	/** None if it is no page. */
	records: JsonObject[];
	/** What else it says. */
	stated: JsonObject;
}

/** What a response tells of the list. */
export function statedBy({ kind, ...outcome }: ServiceOutcome): StatedPage {
	const nothing = { records: [], stated: {} };
	if (kind !== 'response' || !('response' in outcome) || outcome.response.status >= 300)
		return nothing;
	let body: unknown;
	try {
		body = JSON.parse(outcome.response.content.toString());
	} catch {
		return nothing;
	}
	const stated: JsonObject = {};
	let records: JsonObject[] = [];
	const look = (value: unknown) => {
		if (Array.isArray(value)) records = value.filter(isJsonObject);
		else if (isJsonObject(value)) {
			for (const [key, inner] of Object.entries(value)) {
				if (Array.isArray(inner) || isJsonObject(inner)) look(inner);
				// An address has the page in it, and services state any page size.
				else if (/next/i.test(key)) stated[key] = true;
				else if (!/^(size|pageSize)$/.test(key)) stated[key] = inner;
			}
		}
	};
	look(body);
	return { records, stated };
}
