import { RepeatMemory } from './repeatMemory';

/**
 * The one memory of this process. It has to live in the module: n8n loads the static data of the workflow anew
 * for each delivery and saves it after the execution was made (2.41.1, webhooks/live-webhooks.js), so that
 * deliveries that come at the same time see nothing of each other there. Bounded, and nothing but digests.
 */
export const processRepeats = new RepeatMemory();
