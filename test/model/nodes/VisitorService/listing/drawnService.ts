import type { JsonObject } from '../../../../../nodes/VisitorService/values/json';
import { parsed } from '../../../../diagnose/httpTransport';
import { defaultSwitches, type ListSwitches } from '../../../../reference-service';
import { pageBody } from '../../../../reference-service/envelopes';
import { errorBody } from '../../../../reference-service/errorBodies';
import type { JsonValue } from '../../../../reference-service/json';
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
	envelope: Pick<ListSwitches, 'envelope' | 'metadataUnder' | 'metadataNames'>;
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
	envelope: { envelope: 'data', metadataUnder: null, metadataNames: null },
};

export interface ListAnswer {
	page: number;
	pageSize: number;
	statusCode: number;
	body: unknown;
	/** The records in the answer, and what it says of the list. */
	records: JsonObject[];
	said: JsonObject;
	/** The page it was made of, if it is one. */
	cut?: Page;
}

/**
 * A service with these habits, without a network: the same question may get another answer the next
 * time. Queries, pages and bodies are those of the reference service, whose habits do not change
 * while it answers.
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
		if (sizing.kind === 'changing') {
			switches.maxPageSize = answered < sizing.after ? sizing.maximum : sizing.later;
		}
		if (total.kind === 'falling') switches.totalLag = -total.by * answered;
		const parameters = { page: String(page), pageSize: String(pageSize) };
		const query = listQuery('users', parameters, switches, null);
		const list = habits.signsPhotos ? this.signed() : this.list;
		const cut = query instanceof BadParameter ? query : cutPage(list, query, switches);
		if (!(cut instanceof BadParameter)) return this.page(cut);
		const { status, body } = switches.badParameter;
		const facts = { status, code: 'bad_request', message: cut.message };
		const { text } = errorBody(body ?? 'json', facts);
		return { statusCode: status, records: [], said: {}, body: parsed(text) };
	}

	private page(cut: Page, switches = this.switches): Given {
		const body = pageBody('users', cut, switches, '');
		const { total, totalPages, last, pageSize } = cut.metadata;
		const facts = { total, totalPages, last, hasMore: !last, pageSize };
		return {
			statusCode: body === null ? 204 : 200,
			records: cut.records.map((record) => shownRecord(record, switches)),
			said: Object.fromEntries(this.habits.metadata.map((field) => [field, facts[field]])),
			body: parsed(body ?? ''),
			cut,
		};
	}

	/** The list as this answer shows it. */
	private signed(): StoredRecord[] {
		return this.list.map((stored) => {
			const record = shownRecord(stored, this.switches);
			const photo = `photo-${this.answers.length}-${JSON.stringify(record.name)}`;
			return storedRecord(stored.sequence, JSON.stringify({ ...record, photo }));
		});
	}

	private wrongly(kind: Mistake, right: ListAnswer): ListAnswer {
		const { page, pageSize, cut } = right;
		if (cut === undefined) return right;
		switch (kind) {
			case 'empty': {
				const silent: ListSwitches = { ...this.switches, metadata: 'none' };
				return { page, pageSize, ...this.page({ ...cut, records: [] }, silent), said: {} };
			}
			case 'shortPage': {
				const records = cut.records.slice(0, Math.ceil(cut.records.length / 2));
				return { page, pageSize, ...this.page({ ...cut, records }) };
			}
			case 'earlierPage': {
				const earlier = this.answers.find(({ records }) => records.length > 0);
				return earlier === undefined ? right : { ...earlier, page, pageSize };
			}
			default:
				return { page, pageSize, records: [], said: {}, ...FORCED[kind] };
		}
	}
}

const NOT_NOW = { message: 'Not now.' };

/** What has nothing of a page. */
const FORCED: Record<
	Exclude<Mistake, 'empty' | 'shortPage' | 'earlierPage'>,
	Pick<ListAnswer, 'statusCode' | 'body'>
> = {
	null: { statusCode: 200, body: null },
	emptyObject: { statusCode: 200, body: {} },
	noContent: { statusCode: 204, body: '' },
	errorWith200: { statusCode: 200, body: { error: 'The database is away.' } },
	404: { statusCode: 404, body: NOT_NOW },
	400: { statusCode: 400, body: NOT_NOW },
};

type Given = Omit<ListAnswer, 'page' | 'pageSize'>;

function atTheEnd(end: EndStyle): Partial<ListSwitches> {
	if (typeof end === 'number') return refused(end, { message: 'No such page.' });
	switch (end) {
		case 'empty':
			return {};
		case 'lastPage':
			return { pageBeyondEnd: 'lastPage' };
		case 'wrap':
			return { pageBeyondEnd: 'startsOver' };
		case 'noData':
			return refused(200, { code: 404, message: 'No data.', data: [] });
		default:
			return { emptyAs: end, emptyOnlyBeyondEnd: true };
	}
}

function refused(status: number, template: JsonValue): Partial<ListSwitches> {
	return { pageBeyondEnd: 'error', badParameter: { status, body: { template } } };
}

function switchesOf({ sizing, hidden, total, end, ...habits }: ListHabits): ListSwitches {
	return {
		...defaultSwitches().list,
		maxPageSize: Infinity,
		...(sizing.kind !== 'changing' && sized(sizing)),
		...atTheEnd(end),
		...habits.envelope,
		metadata: [...habits.metadata],
		hiddenAfterPaging: (_, place) => hidden.has(place),
		totalOf: total.kind === 'page' ? 'page' : 'list',
		totalLag: total.kind === 'off' ? total.by : 0,
		countsByAskedSize: habits.countsByAskedSize,
		lastIfNotFull: habits.flagsByFullness,
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
