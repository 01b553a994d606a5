import type { JsonObject } from '../../../../../nodes/VisitorService/values/json';
import { defaultSwitches, type ListSwitches } from '../../../../reference-service';
import { BadParameter, listQuery } from '../../../../reference-service/listQuery';
import { cutPage, type Page } from '../../../../reference-service/page';
import { shownRecord } from '../../../../reference-service/recordShape';
import { type StoredRecord, storedRecord } from '../../../../reference-service/recordStore';
import { type Sizing, sized } from '../../../../simulation/sizing';

/** Never more than the maximum, which is another one after so many answers. */
export interface ChangingSizing {
	kind: 'changing';
	maximum: number;
	later: number;
	after: number;
}

/**
 * Of what a total is: of the list, of the page it stands on, or of the list when more or fewer
 * records were in it.
 */
export type TotalKind =
	| { kind: 'list' }
	| { kind: 'page' }
	| { kind: 'off'; by: number }
	/** Lower by so many with each answer. */
	| { kind: 'falling'; by: number };

/** What comes after the last page. `wrap`: the list starts over. */
export type EndStyle =
	| 'empty'
	| 'null'
	| 'missing'
	| 'noContent'
	| 'lastPage'
	| 'wrap'
	| 'noData'
	| 404
	| 400
	| 422
	| 416;

/** A wrong answer in place of a page. */
export type Mistake =
	| 'null'
	| 'emptyObject'
	| 'noContent'
	| 'empty'
	| 'earlierPage'
	| 'errorWith200'
	| 'shortPage'
	| 404
	| 400;

export interface ListHabits {
	records: JsonObject[];
	sizing: Sizing | ChangingSizing;
	/** Places of records that are taken out after the page was cut. */
	hidden: ReadonlySet<number>;
	metadata: ReadonlyArray<'total' | 'totalPages' | 'last' | 'hasMore' | 'pageSize'>;
	total: TotalKind;
	/**
	 * Whether page count and flags are computed from the size asked for, instead of the one that is
	 * sent.
	 */
	countsByAskedSize: boolean;
	/** Whether `last` and `hasMore` only say whether the page is full. */
	flagsByFullness: boolean;
	end: EndStyle;
	firstNumber: 0 | 1;
	pageIgnored: boolean;
	/** Whether each answer signs the addresses of the photos anew. */
	signsPhotos: boolean;
	/** After so many answers the records are in another order: that of these numbers, in turn. */
	sortedAnew?: { after: number; order: readonly number[] };
	/** Answered wrongly: this page, so many times; 0 = always. */
	mistake?: { page: number; kind: Mistake; times: number };
	envelope: (records: JsonObject[] | null | undefined, metadata: JsonObject) => unknown;
}

export const honestList: ListHabits = {
	records: [],
	sizing: { kind: 'honoured' },
	hidden: new Set(),
	metadata: [],
	total: { kind: 'list' },
	countsByAskedSize: false,
	flagsByFullness: false,
	end: 'empty',
	firstNumber: 0,
	pageIgnored: false,
	signsPhotos: false,
	envelope: (records, metadata) => ({ data: records, ...metadata }),
};

export interface ListAnswer {
	page: number;
	pageSize: number;
	statusCode: number;
	body: unknown;
	/** The records in the answer, and what it says of the list. */
	records: JsonObject[];
	said: JsonObject;
}

/**
 * A service with these habits, without a network: the same question may get another answer the next
 * time. It reads queries and cuts pages as the reference service does, and answers at once, so that
 * thousands can be drawn.
 */
export class DrawnService {
	readonly answers: ListAnswer[] = [];

	private mistakes = 0;

	private readonly switches: ListSwitches;

	private list: readonly StoredRecord[];

	constructor(readonly habits: ListHabits) {
		this.switches = switchesOf(habits);
		this.list = habits.records.map((record, place) => storedRecord(place, JSON.stringify(record)));
	}

	answer(page: number, pageSize: number): ListAnswer {
		const { mistake } = this.habits;
		const isDue = mistake?.page === page && (mistake.times === 0 || this.mistakes < mistake.times);
		let given = { page, pageSize, ...this.rightly(page, pageSize) };
		if (isDue && given.records.length > 0) {
			this.mistakes++;
			given = this.wrongly(mistake.kind, given);
		}
		this.answers.push(given);
		return given;
	}

	private rightly(page: number, pageSize: number): Given {
		const { habits, switches } = this;
		const { sizing, sortedAnew, total } = habits;
		const answered = this.answers.length;
		if (answered === sortedAnew?.after) this.list = sortedBy(sortedAnew.order, this.list);
		const { list } = this;
		if (sizing.kind === 'changing') {
			switches.maxPageSize = answered < sizing.after ? sizing.maximum : sizing.later;
		}
		if (total.kind === 'falling') switches.totalLag = -total.by * answered;
		const parameters = { page: String(page), pageSize: String(pageSize) };
		const query = listQuery('users', parameters, switches, null);
		const cut = query instanceof BadParameter ? query : cutPage(list, query, switches);
		if (query instanceof BadParameter || cut instanceof BadParameter) return this.atTheEnd();
		const lastPage = Math.max(0, Math.ceil(list.length / query.stride) - 1);
		return (query.pagesBefore ?? 0) > lastPage && cut.records.length === 0
			? this.atTheEnd(this.said(cut))
			: this.page(cut);
	}

	/** Instead of a page after the last one. */
	private atTheEnd(said: JsonObject = {}): Given {
		const { end, envelope } = this.habits;
		const nothing = { statusCode: 200, records: [], said };
		if (typeof end === 'number') {
			return { ...nothing, statusCode: end, body: { message: 'No such page.' } };
		}
		switch (end) {
			case 'noContent':
				return { ...nothing, statusCode: 204, body: '' };
			case 'noData':
				return { ...nothing, body: { code: 404, message: 'No data.', data: [] } };
			case 'null':
				return { ...nothing, body: throughJson(envelope(null, said)) };
			case 'missing':
				return { ...nothing, body: throughJson(envelope(undefined, said)) };
			default:
				return { ...nothing, body: throughJson(envelope([], said)) };
		}
	}

	private page(cut: Page): Given {
		const said = this.said(cut);
		const records = cut.records.map((record) => this.sign(shownRecord(record, this.switches)));
		return {
			statusCode: 200,
			records,
			said,
			body: throughJson(this.habits.envelope(records, said)),
		};
	}

	private said({ metadata: { total, totalPages, last, pageSize } }: Page): JsonObject {
		const facts = { total, totalPages, last, hasMore: !last, pageSize };
		return Object.fromEntries(this.habits.metadata.map((field) => [field, facts[field]]));
	}

	private sign(record: JsonObject): JsonObject {
		if (!this.habits.signsPhotos) return record;
		return { ...record, photo: `photo-${this.answers.length}-${JSON.stringify(record.name)}` };
	}

	private wrongly(kind: Mistake, right: ListAnswer): ListAnswer {
		const { envelope } = this.habits;
		const nothing = { ...right, records: [], said: {} };
		if (typeof kind === 'number') {
			return { ...nothing, statusCode: kind, body: { message: 'Not now.' } };
		}
		switch (kind) {
			case 'null':
				return { ...nothing, body: null };
			case 'emptyObject':
				return { ...nothing, body: {} };
			case 'noContent':
				return { ...nothing, statusCode: 204, body: '' };
			case 'empty':
				return { ...nothing, body: throughJson(envelope([], {})) };
			case 'errorWith200':
				return { ...nothing, body: { error: 'The database is away.' } };
			case 'shortPage': {
				const records = right.records.slice(0, Math.ceil(right.records.length / 2));
				return { ...right, records, body: throughJson(envelope(records, right.said)) };
			}
			case 'earlierPage': {
				const earlier = this.answers.find(({ records }) => records.length > 0);
				return earlier === undefined
					? right
					: { ...earlier, page: right.page, pageSize: right.pageSize };
			}
		}
	}
}

const BEYOND_END: Partial<Record<EndStyle, ListSwitches['pageBeyondEnd']>> = {
	lastPage: 'lastPage',
	wrap: 'startsOver',
	noContent: 'error',
	noData: 'error',
	404: 'error',
	400: 'error',
	422: 'error',
	416: 'error',
};

type Given = Omit<ListAnswer, 'page' | 'pageSize'>;

function switchesOf({ sizing, hidden, total, end, ...habits }: ListHabits): ListSwitches {
	return {
		...defaultSwitches().list,
		maxPageSize: Infinity,
		...(sizing.kind !== 'changing' && sized(sizing)),
		hiddenAfterPaging: (_, place) => hidden.has(place),
		totalOf: total.kind === 'page' ? 'page' : 'list',
		totalLag: total.kind === 'off' ? total.by : 0,
		countsByAskedSize: habits.countsByAskedSize,
		lastIfNotFull: habits.flagsByFullness,
		pageBeyondEnd: BEYOND_END[end] ?? 'empty',
		firstPageNumber: habits.firstNumber,
		pageIgnored: habits.pageIgnored,
	};
}

function sortedBy<T>(order: readonly number[], list: readonly T[]): T[] {
	const placeOf = (place: number) => order[place % order.length] ?? 0;
	return [...list.entries()]
		.sort(([one], [other]) => placeOf(one) - placeOf(other) || one - other)
		.map(([, record]) => record);
}

function throughJson(value: unknown): unknown {
	return JSON.parse(JSON.stringify(value)) as unknown;
}
