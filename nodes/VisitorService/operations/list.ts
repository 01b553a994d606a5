import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';
import { withoutToken } from '../authorization/storedToken';
import { CREDENTIAL } from '../http/hostTransports';
import { RecordMatcher } from '../match/recordMatch';
import { sha256 } from '../values/digest';
import type { GetValue } from '../values/parameters';
import type { Execution } from './execution';
import { clock, type Work } from './host';
import { type ListSettings, readFindSettings, readListSettings } from './listSettings';
import { Lookup } from './lookup';

/** Lists one resource for one input item. */
export const list = prepareWith(readListSettings);

/** Finds the first record whose field equals a value, for one input item. */
export const find = prepareWith(readFindSettings);

function prepareWith(readSettings: (valueOf: GetValue, zone: string) => ListSettings) {
	return async (
		context: IExecuteFunctions,
		itemIndex: number,
		execution: Execution,
	): Promise<Work> => {
		const zone = context.getTimezone();
		const settings = readSettings(
			(name, missing) => context.getNodeParameter(name, itemIndex, missing),
			zone,
		);
		const matcher = new RecordMatcher(settings.match, { now: clock.now(), zone });
		const open = () => new Lookup(context, execution.tenantHost(context, itemIndex), settings);
		// One momentary failure would be that of every list without conditions.
		const mayShare = settings.match.conditions.length > 0 && context.getInputData().length > 1;
		if (!mayShare) return open().join(itemIndex, matcher);
		// An expression in the credential may return something else for each input item.
		const credential = await context.getCredentials(CREDENTIAL, itemIndex);
		const key = groupKey(settings, credential);
		const lookup = execution.lookups.get(key) ?? open();
		execution.lookups.set(key, lookup);
		return lookup.join(itemIndex, matcher);
	};
}

/** The same for input items that can share one reading. Contains no secret. */
function groupKey(
	{ match: { conditions, type }, ...settings }: ListSettings,
	credential: ICredentialDataDecryptedObject,
): string {
	const compared = conditions.map(({ field, comparison }) => [field, comparison]);
	const parts = [settings, type, compared, withoutToken(credential)];
	return sha256(JSON.stringify(parts)).toString('base64');
}
