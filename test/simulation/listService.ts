import type { JsonObject } from '../../nodes/VisitorService/values/json';

/** What a service does with `pageSize`. */
export type Sizing =
	| { kind: 'honoured' }
	/** Never more than the maximum; offsets are computed from what is sent. */
	| { kind: 'clamped'; maximum: number }
	/** Never more than the maximum, but the offset is the one of the size asked for. */
	| { kind: 'clampedKeepingOffset'; maximum: number }
	/** A size of its own if more than the maximum is asked for. */
	| { kind: 'default'; maximum: number; size: number }
	/** Always a size of its own. */
	| { kind: 'ignored'; size: number }
	/** Never fewer than the minimum. */
	| { kind: 'raised'; minimum: number };

/** Never more than the maximum, which is another one after so many answers. */
export interface ChangingSizing {
	kind: 'changing';
	maximum: number;
	later: number;
	after: number;
}

export type MetadataField = 'total' | 'totalPages' | 'last' | 'hasMore' | 'pageSize';

/** Of what a total is: of the list, of the page it stands on, or of the list when more or fewer records were in it. */
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
	metadata: readonly MetadataField[];
	total: TotalKind;
	/** Whether page count and flags are computed from the size asked for, instead of the one that is sent. */
	countsByAskedSize: boolean;
	/** Whether `last` and `hasMore` only say whether the page is full. */
	flagsByFullness: boolean;
	end: EndStyle;
	firstNumber: 0 | 1;
	pageIgnored: boolean;
	/** Whether each answer signs the addresses of the photos anew. */
	signsPhotos: boolean;
	/** Answered wrongly: this page, so many times; 0 = always. */
	mistake?: { page: number; kind: Mistake; times: number };
	/** Changes the list before the answer with this number. */
	moves: ReadonlyArray<{ before: number; kind: 'addFirst' | 'addLast' | 'removeFirst' }>;
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
	moves: [],
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

/** One service with these habits, in memory: the same question may get another answer the next time. */
export class ListService {
	readonly answers: ListAnswer[] = [];

	private mistakes = 0;

	constructor(readonly habits: ListHabits) {}

	answer(page: number, pageSize: number): ListAnswer {
		this.move();
		const { habits } = this;
		const { mistake } = habits;
		const isDue = mistake?.page === page && (mistake.times === 0 || this.mistakes < mistake.times);
		let given = this.rightly(page, pageSize);
		if (isDue && given.records.length > 0) {
			this.mistakes++;
			given = this.wrongly(mistake.kind, given);
		}
		this.answers.push(given);
		return given;
	}

	private move(): void {
		const { habits, answers } = this;
		for (const { before, kind } of habits.moves) {
			if (before !== answers.length) continue;
			const number = `${kind}-${before}`;
			const added = { id: number, name: number, floor: 1 };
			if (kind === 'addFirst') habits.records.unshift(added);
			else if (kind === 'addLast') habits.records.push(added);
			else habits.records.shift();
		}
	}

	private rightly(page: number, pageSize: number): ListAnswer {
		const { habits } = this;
		const { records, hidden, end } = habits;
		const { size, stride } = sizeUsed(habits.sizing, pageSize, this.answers.length);
		const lastPage = Math.max(0, Math.ceil(records.length / stride) - 1);
		let number = habits.pageIgnored ? 0 : Math.max(0, page - habits.firstNumber);
		const isBeyond = number > lastPage;
		const base = { page, pageSize, records: [], said: {} };
		if (isBeyond) {
			if (typeof end === 'number') {
				return { ...base, statusCode: end, body: { message: 'No such page.' } };
			}
			if (end === 'noContent') return { ...base, statusCode: 204, body: '' };
			if (end === 'noData') {
				return { ...base, statusCode: 200, body: { code: 404, message: 'No data.', data: [] } };
			}
			if (end === 'lastPage') number = lastPage;
			if (end === 'wrap') number %= lastPage + 1;
		}
		const start = number * stride;
		const shown = records
			.slice(start, start + size)
			.filter((_, place) => !hidden.has(start + place))
			.map((record) => this.sign(record));
		const said = this.metadata(shown.length, number, { size, stride, asked: pageSize });
		const written =
			isBeyond && shown.length === 0 && end === 'null'
				? null
				: isBeyond && shown.length === 0 && end === 'missing'
					? undefined
					: shown;
		return {
			...base,
			statusCode: 200,
			body: throughJson(habits.envelope(written, said)),
			records: shown,
			said,
		};
	}

	private metadata(
		came: number,
		number: number,
		{ size, stride, asked }: { size: number; stride: number; asked: number },
	): JsonObject {
		const { records, metadata, total, countsByAskedSize, flagsByFullness } = this.habits;
		const { length } = records;
		const named = {
			list: () => length,
			page: () => came,
			off: () => Math.max(0, length + (total.kind === 'off' ? total.by : 0)),
			falling: () =>
				Math.max(0, length - (total.kind === 'falling' ? total.by : 0) * this.answers.length),
		}[total.kind]();
		const isLast = flagsByFullness
			? came < size
			: (number + 1) * (countsByAskedSize ? asked : stride) >= length;
		const facts: Record<MetadataField, unknown> = {
			total: named,
			totalPages: Math.ceil(named / (countsByAskedSize ? asked : size)),
			last: isLast,
			hasMore: !isLast,
			pageSize: size,
		};
		return Object.fromEntries(metadata.map((field) => [field, facts[field]]));
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

/** How many records a page holds, and how far pages lie apart. */
export function sizeUsed(
	sizing: Sizing | ChangingSizing,
	asked: number,
	answers = 0,
): { size: number; stride: number } {
	switch (sizing.kind) {
		case 'honoured':
			return { size: asked, stride: asked };
		case 'clamped': {
			const size = Math.min(asked, sizing.maximum);
			return { size, stride: size };
		}
		case 'clampedKeepingOffset':
			return { size: Math.min(asked, sizing.maximum), stride: asked };
		case 'default': {
			const size = asked > sizing.maximum ? sizing.size : asked;
			return { size, stride: size };
		}
		case 'ignored':
			return { size: sizing.size, stride: sizing.size };
		case 'raised': {
			const size = Math.max(asked, sizing.minimum);
			return { size, stride: size };
		}
		case 'changing': {
			const size = Math.min(asked, answers < sizing.after ? sizing.maximum : sizing.later);
			return { size, stride: size };
		}
	}
}

function throughJson(value: unknown): unknown {
	return JSON.parse(JSON.stringify(value)) as unknown;
}
