import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonValue } from '../reference-service';

/** An answer of another service, and what is true of it: null if it does not say so. */
export interface Envelope {
	name: string;
	expected: {
		resource: 'user' | 'company' | 'visit' | 'task';
		itemsPath: string | null;
		records: number;
		idField: string | null;
		updatedAt: string | null;
		total: number | null;
		totalPages: number | null;
		more: boolean | null;
		/** Whether there is no list to be found. */
		error?: boolean;
	};
	headers: Record<string, string>;
	body: JsonValue;
}

/** By how they came here. */
export const COLLECTIONS = {
	collected: 'that was collected',
	further: 'written down before the rules were tuned',
	unseen: 'of a service that no rule was made for',
	mended: 'that was misread once',
};

export function readEnvelopes(collection: keyof typeof COLLECTIONS): Envelope[] {
	const text = readFileSync(join(__dirname, `${collection}.jsonl`), 'utf8');
	return text
		.trim()
		.split('\n')
		.map((line) => JSON.parse(line) as Envelope);
}
