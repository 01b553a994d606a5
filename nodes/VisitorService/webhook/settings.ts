import type { Authentication } from './signature/authentication';

/** What the user set on the trigger. */
export interface TriggerSettings {
	authentication: Authentication;
	/** Names of the events to pass on; empty = all. */
	events: string[];
	sources: EventSources;
	/** IP addresses and CIDR ranges, as typed; empty = every IP address. */
	ipAllowlist: readonly string[];
	ignoreRepeats: boolean;
	answersVerificationRequests: boolean;
}

/** Where name, ID and elements of an event are: dot paths and names of headers; `''` = detect. */
export interface EventSources {
	eventPath: string;
	eventHeader: string;
	idPath: string;
	idHeader: string;
	itemsPath: string;
}
