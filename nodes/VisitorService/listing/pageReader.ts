import { ServiceFailure } from '../transport/serviceFailure';
import {
	type AnswerShape,
	findRecords,
	type JsonObject,
	type RecordsSought,
	readRecords,
	shapeOf,
} from './findRecords';
import { type PagingMetadata, readPagingMetadata } from './pagingMetadata';

/** The answer to one list request; status 2xx, header names in lower case. */
export interface PageAnswer {
	statusCode: number;
	headers: Readonly<Record<string, string>>;
	body: unknown;
}

/** @throws ServiceFailure for everything but status 2xx */
export type FetchPage = (page: number, pageSize: number) => Promise<PageAnswer>;

/** What one page held. */
export interface Page {
	records: JsonObject[];
	metadata: PagingMetadata;
	/** The refusal that came instead of a page; some services send one beyond the end. */
	refusal?: ServiceFailure;
}

/** Bad Request, Not Found, Gone, Range Not Satisfiable, Unprocessable Content (RFC 9110 §15.5). */
const REFUSALS = new Set([400, 404, 410, 416, 422]);

/** Reads the pages of one list; knows from the first page with records where they stand. */
export class PageReader {
	/** Dot path of the list; undefined until a page brought records. */
	itemsPath?: string;

	/** Of the first page with records, or of the last one before it. */
	private shape?: AnswerShape;

	private hasRead = false;

	constructor(
		private readonly fetchPage: FetchPage,
		private readonly sought: RecordsSought,
	) {}

	/**
	 * Once a page was read, path and parameters are known to be right: what the service refuses after that is
	 * the number of the page or its size, and comes back as a page without records.
	 *
	 * @throws ServiceFailure where the page cannot be read
	 */
	async read(page: number, pageSize: number): Promise<Page> {
		const answer = await this.fetchPage(page, pageSize).catch((error: unknown) => {
			if (this.hasRead && isRefusal(error)) return error;
			throw error;
		});
		if (answer instanceof ServiceFailure) return { records: [], metadata: {}, refusal: answer };
		const { statusCode, headers, body } = answer;
		const records = statusCode === 204 ? [] : this.findRecords(body);
		this.hasRead = true;
		return { records, metadata: readPagingMetadata(body, headers) };
	}

	private findRecords(body: unknown): JsonObject[] {
		const { itemsPath, shape } = this;
		if (itemsPath !== undefined && shape !== undefined) return readRecords(body, itemsPath, shape);
		const { records, path } = findRecords(body, this.sought, shape);
		this.shape = shapeOf(body);
		if (records.length > 0) this.itemsPath = path;
		return records;
	}
}

export function isRefusal(error: unknown): error is ServiceFailure {
	return error instanceof ServiceFailure && REFUSALS.has(error.statusCode ?? 0);
}
