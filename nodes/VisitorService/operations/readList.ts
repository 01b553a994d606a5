import { AdaptiveRateLimiter } from '../http/adaptiveRateLimiter';
import { readInto } from '../listing/listRecords';
import type { Selection } from '../listing/selection';
import { UpdatedSinceCheck } from '../listing/updatedSinceCheck';
import { connectToTenant } from '../tenant/connection';
import type { TenantHost } from '../tenant/tokenSession';
import { type ListSettings, toQuery } from './listSettings';

/** Reads a list into a selection. @returns what `describeListing` needs */
export async function readList(host: TenantHost, settings: ListSettings, selection: Selection) {
	const { resource, itemsPath, maxRetries, timeout: timeoutMs } = settings;
	const { name: singular, plural, listNames } = resource;
	const query = toQuery(settings);
	const tenant = await connectToTenant(host, { ...resource, itemsPath });
	const limiter = new AdaptiveRateLimiter(settings.concurrency, host.clock);
	const startedAt = host.clock.now();
	const sinceCheck = new UpdatedSinceCheck(settings.sinceAt, singular);
	let fetchCount = 0;
	let retries = 0;
	const reading = readInto(selection, {
		...{ ...settings, resource: singular, listNames, onRecord: sinceCheck.add },
		explainsRepeats: true,
		onPage: (_page, _pageSize, { records }) => sinceCheck.detectField(records),
		fetchPage: async (page, pageSize, trialTimeoutMs) => {
			fetchCount++;
			return await tenant.get(
				{ page, pageSize, ...query },
				{ timeoutMs, trialTimeoutMs, maxRetries, limiter, onRetry: () => retries++ },
			);
		},
	});
	const report = await tenant.outcomeOf(reading, limiter);
	return {
		...{ ...settings, ...report, singular, plural, retries, requests: fetchCount + retries },
		durationMs: host.clock.now() - startedAt,
		filterWarnings: sinceCheck.warnings(plural),
		redact: tenant.redact,
	};
}
