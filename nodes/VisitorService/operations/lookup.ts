import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { type FailureKind, ServiceFailure } from '../failure/serviceFailure';
import { describeListing } from '../listing/describeListing';
import { FieldSelection } from '../match/fieldSelection';
import type { RecordMatcher } from '../match/recordMatch';
import type { TenantHost } from '../tenant/tokenSession';
import { formatCount, formatNumber } from '../values/scalar';
import { addHint, type Work } from './host';
import type { ListSettings } from './listSettings';
import { readList } from './readList';
import { Seeker, Seekers } from './seekers';

type Outcome =
	| { kind: 'read'; recordCount: number; advice: string[] }
	| { kind: 'failed'; error: unknown };

const MOMENTARY: readonly FailureKind[] = ['connection', 'service', 'rateLimit', 'unexpected'];

/** One reading of a list, for an input item or those that differ only in what they look for. */
export class Lookup {
	/** The searches of input items that were not processed yet, in their order. */
	private readonly waiting: Seeker[] = [];

	private isShared = false;

	private outcome?: Promise<Outcome>;

	private wasReadAgain = false;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly host: TenantHost,
		private readonly settings: ListSettings,
	) {}

	/** @returns the work for the input item */
	join(item: number, matcher: RecordMatcher): Work {
		const { isFind, limit } = this.settings;
		const seeker = new Seeker(matcher, limit, isFind && matcher.hasAddress);
		this.isShared = this.waiting.push(seeker) > 1;
		// One object for all records, to save memory. n8n replaces it and never changes it.
		const pairedItem = { item };
		return async () => {
			await this.readFor(seeker);
			// A later node that changes one item must not change the others.
			const own = this.isShared
				? seeker.records.map((json) => structuredClone(json))
				: seeker.records;
			return own.map((json) => ({ json: json as IDataObject, pairedItem }));
		};
	}

	/** @throws ServiceFailure if too little of the list could be read, or Find found nothing */
	private async readFor(seeker: Seeker): Promise<void> {
		this.outcome ??= this.read(this.waiting.filter(({ isOpen }) => isOpen));
		const outcome = await this.outcome;
		this.waiting.shift();
		if (outcome.kind === 'read') {
			if (seeker.records.length === 0) this.checkNotFound(seeker, outcome);
		} else if (seeker.isOpen) {
			if (isMomentary(outcome.error) && !this.wasReadAgain) {
				this.wasReadAgain = true;
				this.outcome = undefined;
			}
			throw outcome.error;
		}
	}

	private async read(seekers: readonly Seeker[]): Promise<Outcome> {
		const { context, host, settings } = this;
		const { match, resource } = settings;
		for (const seeker of seekers) seeker.reset();
		const fields = new FieldSelection(settings.fields);
		const selection = new Seekers(seekers, (record) => fields.pick(record));
		try {
			const stats = await readList(host, settings, selection);
			const isSearch = match.conditions.length > 0;
			const matchCount = isSearch ? new Set(seekers.flatMap((one) => one.records)).size : undefined;
			const listing = describeListing({ ...stats, matchCount });
			// All look at the same fields.
			const matcher = seekers[0]?.matcher;
			const fieldWarnings = matcher?.fieldWarnings(resource.plural) ?? [];
			const isSomeoneMissing = seekers.some(({ records }) => records.length === 0);
			const seen = isSomeoneMissing ? (matcher?.fieldNotes ?? []) : [];
			const own = new Set(seekers.flatMap((one) => one.warnings));
			const ofAll = [...stats.filterWarnings, ...fields.warnings(resource.plural)];
			const warnings = [...ofAll, ...fieldWarnings, ...own];
			const notes = isSearch ? searchNotes(stats, seekers) : [];
			const sentences = [listing.message, ...notes, ...seen, ...warnings].map(stats.redact);
			addHint(
				context,
				sentences.join(' '),
				listing.warning || warnings.length > 0 ? 'warning' : 'info',
			);
			return {
				kind: 'read',
				recordCount: stats.recordCount,
				advice: [...fieldWarnings, ...seen].map(stats.redact),
			};
		} catch (error) {
			return { kind: 'failed', error };
		}
	}

	/** @throws ServiceFailure if the user wants to know that Find found nothing */
	private checkNotFound(
		{ warnings }: Seeker,
		{ recordCount, advice }: Extract<Outcome, { kind: 'read' }>,
	): void {
		const { isFind, ifNotFound, resource } = this.settings;
		if (!isFind || ifNotFound === 'noItem') return;
		const { name, plural } = resource;
		const remedy = 'Check Field and Value, or set If Not Found to Return No Item.';
		throw new ServiceFailure(
			`Found no such ${name} among ${formatCount(recordCount, name, plural)} read.`,
			[...warnings, ...advice, remedy].join(' '),
			{ kind: 'response' },
		);
	}
}

/** Whether the list may be readable at the next attempt. */
function isMomentary(error: unknown): boolean {
	const isOurs = error instanceof ServiceFailure;
	return isOurs && (MOMENTARY.includes(error.kind) || error.retryAfterMs !== undefined);
}

function searchNotes(
	{ match, limit, endedBy, pages }: Awaited<ReturnType<typeof readList>>,
	seekers: readonly Seeker[],
): string[] {
	const { conditions, type } = match;
	const [found = 0, ...others] = seekers.map(({ records }) => records.length);
	if (others.length > 0) {
		const inVain = [found, ...others].filter((count) => count === 0).length;
		const note = `It was read once for ${formatCount(seekers.length, 'input item')}`;
		return [inVain === 0 ? `${note}.` : `${note}, ${formatNumber(inVain)} of which found nothing.`];
	}
	if (endedBy === 'limit') return limit === 1 ? [] : ['Stopped at Limit: there may be more.'];
	const isExact = conditions.some(({ comparison }) => comparison === 'equals');
	const mayBeOnly = isExact && found === 1 && (type === 'all' || conditions.length === 1);
	return mayBeOnly && pages > 1 ? ['To stop at the first match, use Find, or set Limit to 1.'] : [];
}
