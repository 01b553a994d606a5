/** Where Bull keeps n8n's queue if its prefix is not set (n8n 2.41.1). */
export const QUEUE_KEY = 'bull:jobs';

/**
 * What makes n8n processes one cluster on servers that nobody else uses; the same for each of them.
 */
export function queueEnvironment(
	redis: URL,
	postgres: URL,
	encryptionKey: string,
): Record<string, string> {
	return {
		EXECUTIONS_MODE: 'queue',
		N8N_ENCRYPTION_KEY: encryptionKey,
		QUEUE_BULL_REDIS_HOST: redis.hostname,
		QUEUE_BULL_REDIS_PORT: redis.port,
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: postgres.hostname,
		DB_POSTGRESDB_PORT: postgres.port,
		DB_POSTGRESDB_DATABASE: postgres.pathname.slice(1),
		DB_POSTGRESDB_USER: postgres.username,
		// As in deploy/queue, like what follows.
		DB_POSTGRESDB_POOL_SIZE: '8',
		// Deliveries and executions are not the main process's work.
		N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true',
		OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
		// n8n 2.41 else makes an isolate for each execution, also for one without expressions.
		N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true',
		N8N_EXPRESSION_ENGINE_COMPILE_CACHE: 'true',
		N8N_EXPRESSION_ENGINE_POOL_SIZE: '10',
		// No Code nodes here, so no process that runs their code beside each of n8n's.
		N8N_RUNNERS_MODE: 'external',
		N8N_RUNNERS_AUTH_TOKEN: encryptionKey,
		// How soon n8n takes note of a dead worker: its own times are 60, 10 and 30 s. Nothing but
		// waiting is lost by shorter ones, as long as no execution keeps a worker's thread busy for
		// longer than the lock lasts.
		QUEUE_WORKER_LOCK_DURATION: '10000',
		QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
		QUEUE_WORKER_STALLED_INTERVAL: '3000',
	};
}
