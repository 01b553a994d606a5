import type { IDataObject } from 'n8n-workflow';
import { DAY, HOUR, MINUTE, SECOND } from '../../drawn/polledService';
import type { LogEntry } from '../../host/context';
import { MemoryHost, type NodeSettings } from '../../host/memoryHost';
import { BUDGET, PublishedWorkflow } from '../../host/publishedWorkflow';
import type { VirtualTime } from '../../host/virtualTime';
import type { Fault, JsonObject } from '../../reference-service';
import { withAutomaticPageSize } from '../automaticPageSize';
import { type Act, type History, type Meanwhile, OVERLAP, type Step } from './history';
import { LivedService, type Moment, type Span, type Version } from './livedService';

/** One poll, as n8n and the service saw it. */
export interface PollSeen extends Span {
	/** Milliseconds by the service's clock when it began. */
	startedAt: number;
	items: IDataObject[];
	failure?: string;
	warnings: string[];
	/**
	 * Whether the service responded to all requests, there was time for all of them, and the next
	 * poll does not go on with the same reading.
	 */
	isWhole: boolean;
	/** Whether it goes on with the reading of the poll before. */
	isResumed: boolean;
	/** Whether it may fail: a response was none, time ran out, or the user did what it says. */
	isTroubled: boolean;
	/** Whether records changed or left between its requests. */
	hasMoved: boolean;
	/** Whether the process ended after the workflow was started, before the place was stored. */
	hasDied: boolean;
	isStored: boolean;
	/** Whether the process ended later, and nothing had been stored meanwhile. */
	isForgotten: boolean;
	/** Which process of n8n made it. */
	process: number;
}

/** A moment when everything that shows has to be out. */
export interface Rest {
	at: Moment;
	/** The numbers of the versions that show. */
	shown: Version[];
	/** Whether polls still started the workflow after so many that they never seem to stop. */
	isEndless: boolean;
}

/** Moments of what somebody did to the service besides. */
interface Done extends Record<'clockSetBack' | 'misread' | 'stampedBack' | 'clamped', Moment[]> {
	/** Responds from a copy that lags behind, with the numbers of the versions it holds. */
	copies: Array<Span & { numbers: ReadonlySet<unknown> }>;
}

/** All that is known of a history without asking the trigger. */
export interface Chronicle extends Done {
	history: History;
	versions: readonly Version[];
	absences: ReadonlyArray<Span & { record: number }>;
	polls: readonly PollSeen[];
	rests: readonly Rest[];
	/** Since then nothing is unusual, and something changes that has to come out. */
	probedFrom: Moment;
	/** Milliseconds; undefined = from now on. */
	startedFrom: number | undefined;
	/** By ID, as it is written. */
	recordOf: (id: unknown) => number | undefined;
}

/** Monday, 2 March 2026, 08:07 UTC; times at full hours would look cut to these. */
const START = Date.UTC(2026, 2, 2, 8, 7) + 1234;
const MOST_POLLS = 80;
/** A record nobody else touches. */
const PROBE = 100;

const CALM: Meanwhile = { acts: [], fault: null, latency: 0 };

export async function play(history: History): Promise<Chronicle> {
	const { largerPageSize, pageSize } = history.trigger;
	return await withAutomaticPageSize({ first: pageSize, max: largerPageSize }, async () => {
		const player = new Player(history);
		await player.play();
		return player.chronicle;
	});
}

class Player {
	private readonly time: VirtualTime;

	private readonly lived: LivedService;

	private readonly log: readonly LogEntry[];

	private readonly workflow: PublishedWorkflow;

	private readonly polls: PollSeen[] = [];

	private readonly rests: Rest[] = [];

	private readonly done: Done = {
		...{ clockSetBack: [], copies: [], misread: [], stampedBack: [], clamped: [] },
	};

	private readonly clockSet = { n8n: 0, date: 0 };

	private copy?: { records: JsonObject[]; showsAllBefore: number };

	private process = 0;

	private isPublished = false;

	/** Whether the list may have been read to its end. */
	private hasRead = false;

	private updatedAtPath = '';

	private probedFrom: Moment = 0;

	private meanwhile: { acts: Array<Act | null>; hasMoved: boolean } = { acts: [], hasMoved: false };

	constructor(private readonly history: History) {
		const { host, service, trigger } = history;
		const memoryHost = new MemoryHost({ startsAt: START + service.n8nAhead });
		this.log = memoryHost.log;
		this.time = memoryHost.time;
		this.lived = new LivedService(
			service,
			trigger.resource,
			() => this.time.now() - service.n8nAhead - this.clockSet.n8n,
			async (milliseconds) => await this.time.sleep(milliseconds),
		);
		memoryHost.network.add(memoryHost.url, this.lived.service);
		this.workflow = new PublishedWorkflow(memoryHost, this.nodes, host);
		this.lived.service.onListRequest(async () => {
			const act = this.meanwhile.acts.shift();
			// The responses under way wait meanwhile.
			if (act) await this.act(act, (milliseconds) => this.time.pass(milliseconds));
			await this.lived.show();
		});
	}

	async play(): Promise<void> {
		const { history, lived } = this;
		const before = [...history.before].sort((one, other) => other.age - one.age);
		for (const { record, age } of before)
			await lived.change(record, 0, undefined, lived.now() - age);
		await this.pass(SECOND);
		for (const step of history.steps) await this.do(step);
		await this.pass(OVERLAP + HOUR);
		await this.rest();
		if (this.done.misread.length + this.done.stampedBack.length > 0)
			await this.live(DAY + 2 * HOUR);
		await this.probe();
	}

	/** Whatever happened before: what happens now has to come out. */
	private async probe(): Promise<void> {
		const { history, lived } = this;
		this.probedFrom = lived.tick();
		await lived.change(PROBE);
		if (history.trigger.triggerOn === 'removed') {
			for (const isRemoved of [false, true]) {
				await this.pass(MINUTE);
				await this.poll(CALM);
				if (isRemoved) await lived.remove(PROBE);
			}
			await this.rest();
			return;
		}
		await this.rest();
		await this.pass(MINUTE);
		await lived.change(PROBE);
		await this.rest();
	}

	get chronicle(): Chronicle {
		const { done, history, lived, polls, probedFrom, rests } = this;
		const { absences, versions } = lived;
		const { startsBefore } = history.trigger;
		const records = new Map(
			versions.map(({ record }) => [String(lived.idOf(record)), record] as const),
		);
		const recordOf = (id: unknown) => records.get(String(id));
		const startedFrom = startsBefore === null ? undefined : START - startsBefore;
		return {
			...{ ...done, history, versions, absences, polls, rests },
			...{ probedFrom, startedFrom, recordOf },
		};
	}

	private async do(step: Step): Promise<void> {
		switch (step.kind) {
			case 'pass':
				await this.pass(step.time);
				break;
			case 'poll':
				await this.poll(step, step.dies && this.isPublished);
				break;
			case 'overlappingPolls':
				if (this.workflow.kind !== 'scheduler' && this.isPublished) await this.pollTwice();
				else await this.poll(CALM);
				break;
			case 'neighbour':
				await this.pollNeighbour();
				break;
			case 'restart':
				this.restart();
				break;
			case 'setClock':
				await this.setClock(step);
				break;
			case 'setStampsBack':
				this.lived.setStampsBack(step.by);
				this.done.stampedBack.push(this.lived.tick());
				break;
			case 'copy':
				this.copy = { records: this.lived.records, showsAllBefore: this.lived.showsAllBefore };
				break;
			case 'respondFromCopy':
				await this.respondFromCopy();
				break;
			case 'renew':
				this.lived.service.set({
					list: { renewed: { every: 'response', as: 'path', ofState: step.ofState } },
				});
				break;
			case 'misread':
				this.readOtherwise(step.how);
				break;
			case 'rest':
				await this.rest();
				break;
			default:
				await this.act(step, async (milliseconds) => await this.pass(milliseconds));
				break;
		}
	}

	private async act(act: Act, pass: (milliseconds: number) => void | Promise<void>): Promise<void> {
		const { lived } = this;
		if (act.kind === 'clamp') {
			lived.service.set({ list: { maxPageSize: act.maxPageSize } });
			this.done.clamped.push(lived.tick());
			return;
		}
		this.meanwhile.hasMoved = true;
		if (act.kind === 'remove') {
			await lived.remove(act.record);
			return;
		}
		// Nothing tells states of one time apart, or records of one ID that were created at one time.
		await pass(lived.isAway(act.record) ? this.timeUnit : lived.hasJustChanged(act.record) ? 1 : 0);
		await lived.change(act.record, act.delay, act.dated);
	}

	/** Within it all changes may be shown with one time. */
	private get timeUnit(): number {
		const { timeUnit, updatedAtFormat } = this.history.service.list;
		if (updatedAtFormat === 'isoDate' || timeUnit === 'day') return DAY;
		return timeUnit === 'hour' ? HOUR : MINUTE;
	}

	/** What polls left under way goes on meanwhile, as in a process of n8n. */
	private async pass(milliseconds: number): Promise<void> {
		await this.time.during(async () => await this.time.sleep(milliseconds));
		await this.lived.show();
	}

	/** Changes of two records, as one alone may be stamped wrong, and polls. */
	private async live(milliseconds: number): Promise<void> {
		for (let passed = 0; passed < milliseconds; passed += HOUR) {
			await this.pass(HOUR);
			await this.lived.change(PROBE + 1);
			await this.lived.change(PROBE + 2);
			await this.poll(CALM);
		}
	}

	/** Polls until nothing comes any more. */
	private async rest(): Promise<void> {
		// The first one may only end a reading, and an older state counts if the next one shows it
		// again; a removal is told after six at the latest.
		const needed = this.history.trigger.triggerOn === 'removed' ? 7 : 3;
		let idle = 0;
		let polls = 0;
		while (idle < needed && polls < MOST_POLLS) {
			await this.pass(MINUTE);
			await this.poll(CALM);
			polls++;
			const showsAll = this.lived.showsAllBefore === this.lived.now();
			idle = showsAll && this.polls.at(-1)?.items.length === 0 ? idle + 1 : 0;
		}
		const shown = [...this.lived.shown];
		this.rests.push({ at: this.lived.tick(), shown, isEndless: idle < needed });
	}

	private async poll({ acts, fault, latency }: Meanwhile, dies = false): Promise<void> {
		const { service } = this.lived;
		const slow = this.hasRead ? latency : Math.max(latency, this.history.firstLatency);
		const latencyMs = Math.min(slow, BUDGET[this.workflow.kind] / 6);
		const faults: Fault[] =
			fault === null
				? []
				: // Twice, because it is asked for once more with a new token.
					[...Array<Fault>(fault.request).fill('none'), fault.fault, fault.fault];
		service.set({ list: { latencyMs, faults } });
		const first = this.polls.length === 0 ? (this.history.firstActs ?? []) : [];
		this.meanwhile = { acts: [...first, ...acts], hasMoved: false };
		const startedAt = this.lived.now();
		const seen = await this.pollNode(dies);
		const { faults: left } = service.switches.list;
		const hasFailed = fault !== null && left.length < 2;
		const isSlow = this.lived.now() - startedAt >= BUDGET[this.workflow.kind] / 2;
		service.set({ list: { latencyMs: 0, faults: [] } });
		const isTroubled = hasFailed || isSlow;
		const isWhole = !isTroubled && seen.failure === undefined;
		const poll = { ...seen, isWhole, isTroubled, hasMoved: this.meanwhile.hasMoved };
		this.meanwhile = { acts: [], hasMoved: false };
		const isFollowed = this.follows(poll);
		this.note({ ...poll, isTroubled: poll.isTroubled || isFollowed });
		if (dies) this.forget();
		if (isFollowed) await this.poll(CALM);
	}

	private async pollTwice(): Promise<void> {
		const polls = await Promise.all([this.pollNode(), this.pollNode()]);
		// Both go on with what the poll before left, or, after a crash, with what one left before it.
		const last = this.polls.at(-1);
		const wasWhole = last?.isWhole === true && last.process === this.process;
		const isTroubled = polls.some((poll) => this.follows(poll));
		for (const poll of polls)
			this.note({ ...poll, isWhole: wasWhole, isTroubled, hasMoved: false });
		// Publishing polls.
		if (isTroubled) await this.poll(CALM);
	}

	/**
	 * What a process saves of one trigger holds what it knows of the others of the workflow too: the
	 * place of a poll that n8n did not save itself is not forgotten then.
	 */
	private async pollNeighbour(): Promise<void> {
		const { isStored } = await this.pollNode(false, 1);
		const last = this.polls.at(-1);
		if (isStored && last && this.workflow.kind === 'process') last.isStored = true;
	}

	private async pollNode(
		dies = false,
		index = 0,
	): Promise<Omit<PollSeen, 'isWhole' | 'isTroubled' | 'hasMoved'>> {
		const { lived, log, workflow } = this;
		const from = lived.tick();
		const startedAt = lived.now();
		const loggedBefore = log.length;
		const { requests } = lived.service;
		const requestsBefore = requests.length;
		const { failure, items, isStored } = await workflow.tryPoll(index, dies);
		const until = lived.tick();
		// What begins in the middle of the list goes on with the reading of the poll before.
		const pages = requests.slice(requestsBefore).flatMap(({ query }) => query.page ?? []);
		const isResumed = Number(pages[0] ?? 0) > 0;
		const last = this.polls.at(-1);
		if (last && isResumed) last.isWhole = false;
		const warnings = log.slice(loggedBefore).map(({ message }) => message);
		return {
			...{ from, until, startedAt, items, failure, warnings, isResumed, isStored },
			...{ hasDied: dies, isForgotten: false, process: this.process },
		};
	}

	private note(poll: PollSeen): void {
		this.polls.push(poll);
		if (poll.failure === undefined) this.isPublished = true;
		if (poll.isWhole) this.hasRead = true;
	}

	/** The trigger, and its neighbour with the same parameters. */
	private get nodes(): NodeSettings[] {
		const { service, trigger } = this.history;
		const { largerPageSize, maxItems, pageSize, resource, startsBefore, triggerOn } = trigger;
		const names = { users: 'user', companies: 'company', visits: 'visit', tasks: 'task' };
		const parameters = {
			resource: names[resource],
			...(resource !== 'users' && { pathSegment: resource }),
			triggerOn,
			...(triggerOn === 'startsToMatch' && {
				match: { conditions: [{ field: 'state', condition: 'equals', value: 'arrived' }] },
			}),
			startFrom: startsBefore === null ? 'now' : 'date',
			...(startsBefore !== null && { startDate: new Date(START - startsBefore).toISOString() }),
			options: {
				maxItems,
				...(largerPageSize === undefined && { pageSize }),
				updatedSinceFormat: service.format,
				updatedAtPath: this.updatedAtPath,
			},
		};
		return ['node', 'neighbour'].map((name) => ({ node: 'polling', name, id: name, parameters }));
	}

	/** Does what an error tells the user to do. @returns whether to poll again */
	private follows({ failure = '' }: Pick<PollSeen, 'failure'>): boolean {
		const { history, workflow } = this;
		const { undated } = history.service;
		if (undated !== null && this.updatedAtPath === '' && failure.includes('Updated At Path'))
			this.updatedAtPath = 'updatedAt';
		else if (workflow.kind !== 'durable' && failure.includes('N8N_POLLER_DURABLE_CURSORS_ENABLED'))
			workflow.kind = 'durable';
		else return false;
		workflow.nodes = this.nodes;
		this.restart();
		return true;
	}

	private restart(): void {
		this.workflow.restart();
		this.forget();
	}

	/** What was not stored before the process ended, nobody remembers. */
	private forget(): void {
		this.process++;
		const last = this.polls.map(({ isStored }) => isStored).lastIndexOf(true);
		for (const poll of this.polls.slice(last + 1)) poll.isForgotten = true;
	}

	private async setClock({ by, of }: Extract<Step, { kind: 'setClock' }>): Promise<void> {
		const { clockSet, done, history, lived, time } = this;
		if (of === 'service') {
			lived.setStampsBack(-by);
			clockSet.date += by;
			lived.setDate(clockSet.date);
			if (by < 0) done.clockSetBack.push(lived.tick());
			// Nothing but the times shows it.
			if (by < 0 && !history.service.dateHeader) done.stampedBack.push(lived.tick());
			await lived.show();
			return;
		}
		const date = history.service.dateAhead + clockSet.date + by;
		// A `Date` that is off by more is not of the clock that stamps changes.
		if (of === 'date' && Math.abs(date) > 2 * HOUR) return;
		clockSet[of] += by;
		if (of === 'n8n') time.pass(by);
		else lived.setDate(clockSet.date);
		if (of === 'date' && by < 0) done.clockSetBack.push(lived.tick());
		await lived.show();
	}

	private async respondFromCopy(): Promise<void> {
		const { copy, history, lived } = this;
		if (copy === undefined || lived.now() - copy.showsAllBefore > OVERLAP) return;
		if (!this.isPublished) await this.poll(CALM);
		const { resource } = history.trigger;
		const from = lived.tick();
		await lived.service.seed(resource, copy.records);
		await this.poll(CALM);
		await lived.service.seed(resource, lived.records);
		const numbers = new Set(copy.records.map(({ revision }) => revision));
		this.done.copies.push({ from, until: lived.tick(), numbers });
	}

	private readOtherwise(how: 'asLater' | 'ignored'): void {
		// What is misread stays so: until that shows, which may take a day, nothing is promised.
		if (this.done.misread.length > 0) return;
		const updatedSince = how === 'ignored' ? { ignored: true } : { aheadMs: -10 * 366 * DAY };
		this.lived.service.set({ list: { updatedSince } });
		if (how === 'asLater') this.done.misread.push(this.lived.tick());
	}
}
