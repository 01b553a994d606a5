import { SharedReadings } from './sharedReadings';

/**
 * The readings of webhook secrets in this process. They have to live in the module, for deliveries that come at
 * the same time share nothing else. Nothing stays here once a reading has ended.
 */
export const processSecretReadings = new SharedReadings<string[]>();
