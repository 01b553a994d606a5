import type { JsonObject } from '../../../../../nodes/VisitorService/listing/findRecords';

/** What a service does with `pageSize`. */
export type Sizing =
	| { kind: 'honoured' }
	/** Never more than the maximum; offsets are computed from what is sent. */
	| { kind: 'clamped'; maximum: number }
	/** Never more than the maximum, but the offset is the one of the size asked for. */
	| { kind: 'clampedKeepingOffset'; maximum: number }
	/** A size of its own where more than the maximum is asked for. */
	| { kind: 'default'; maximum: number; size: number }
	/** Always a size of its own. */
	| { kind: 'ignored'; size: number }
	/** Never fewer than the minimum. */
	| { kind: 'raised'; minimum: number };

export type MetadataField = 'total' | 'totalPages' | 'last' | 'hasMore';

export interface SimulatedList {
	records: JsonObject[];
	sizing: Sizing;
	/** Places of records that are taken out after the page was cut. */
	hidden: ReadonlySet<number>;
	metadata: readonly MetadataField[];
	/** Whether page count and end are computed from the size asked for, instead of the one that is sent. */
	metadataOfAskedSize: boolean;
	/** Added to the true total. */
	totalLag: number;
	totalCountsHidden: boolean;
	/** `wrap`: the list starts over. */
	beyondEnd: 'empty' | 'null' | 'missing' | 'notFound' | 'badRequest' | 'lastPage' | 'wrap';
	firstNumber: 0 | 1;
	pageIgnored: boolean;
	envelope: (records: JsonObject[] | null | undefined, metadata: JsonObject) => unknown;
}

export interface SimulatedAnswer {
	statusCode: number;
	body: unknown;
}

export const plainList: SimulatedList = {
	records: [],
	sizing: { kind: 'honoured' },
	hidden: new Set(),
	metadata: [],
	metadataOfAskedSize: false,
	totalLag: 0,
	totalCountsHidden: true,
	beyondEnd: 'empty',
	firstNumber: 0,
	pageIgnored: false,
	envelope: (records, metadata) => ({ data: records, ...metadata }),
};

/** Records with ids, as obviously synthetic as the numbers they hold. */
export function numbered(count: number, from = 0): JsonObject[] {
	return Array.from({ length: count }, (_, place) => ({ id: `user-${from + place}` }));
}

/** Answers a list request as a service with these habits does. */
export function answerPage(list: SimulatedList, page: number, asked: number): SimulatedAnswer {
	const { records, hidden, beyondEnd } = list;
	const { size, stride } = sizeUsed(list.sizing, asked);
	const lastPage = Math.max(0, Math.ceil(records.length / stride) - 1);
	let number = list.pageIgnored ? 0 : Math.max(0, page - list.firstNumber);
	const beyond = number > lastPage;
	if (beyond && beyondEnd === 'notFound')
		return { statusCode: 404, body: { message: 'No such page.' } };
	if (beyond && beyondEnd === 'badRequest')
		return { statusCode: 400, body: { message: 'Bad page.' } };
	if (beyond && beyondEnd === 'lastPage') number = lastPage;
	if (beyond && beyondEnd === 'wrap') number %= lastPage + 1;

	const start = number * stride;
	const shown = records.slice(start, start + size).filter((_, place) => !hidden.has(start + place));
	const counted = list.totalCountsHidden ? records.length : records.length - hidden.size;
	const total = Math.max(0, counted + list.totalLag);
	const unit = list.metadataOfAskedSize ? asked : size;
	const last = (number + 1) * (list.metadataOfAskedSize ? asked : stride) >= records.length;
	const facts: Record<MetadataField, unknown> = {
		total,
		totalPages: Math.ceil(Math.max(0, records.length + list.totalLag) / unit),
		last,
		hasMore: !last,
	};
	const metadata = Object.fromEntries(list.metadata.map((field) => [field, facts[field]]));
	const nothing = beyond && shown.length === 0;
	const written =
		nothing && beyondEnd === 'null' ? null : nothing && beyondEnd === 'missing' ? undefined : shown;
	const text = JSON.stringify(list.envelope(written, metadata));
	return { statusCode: 200, body: JSON.parse(text) as unknown };
}

/** How many records a page holds, and how far pages lie apart. */
export function sizeUsed(sizing: Sizing, asked: number): { size: number; stride: number } {
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
	}
}
