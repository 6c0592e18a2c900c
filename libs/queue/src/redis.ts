import { Redis } from 'ioredis';

/**
 * A connection that fails fast while Redis is away (no offline queue) and keeps trying to come back.
 * Callers handle rejections: Redis is a helper, never a store of record.
 */
export function connectRedis(url: string, name: string): Redis {
  const redis = new Redis(url, {
    connectionName: name,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 1_500,
    commandTimeout: 1_000,
    retryStrategy: (attempt) => Math.min(50 * attempt, 1_000),
  });
  redis.on('error', () => undefined);
  return redis;
}
