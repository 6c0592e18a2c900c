import { parseRedisAddress, type RedisAddress } from '@rowhouse/contracts';
import { Cluster, Redis, type RedisOptions } from 'ioredis';

/** One server, the primary that Sentinels name, or a cluster: commands are the same, as long as all keys of one lie in one slot. */
export type RedisClient = Redis | Cluster;

export interface RedisManners {
  /** Shown by CLIENT LIST. */
  readonly name?: string;
  /** How often a command is sent anew when its connection was lost under it; null: until it is answered. */
  readonly retriesMax: number | null;
  /** Commands wait for a connection that is away; otherwise they fail at once. */
  readonly isQueuing: boolean;
  readonly commandTimeoutMs?: number;
}

const CONNECT_TIMEOUT_MS = 1_500;
/** How often a node may point elsewhere, or say that nobody serves the slot, until the command fails. */
const REDIRECTIONS_MAX = { patient: 16, hasty: 3 } as const;
const REDIRECTION_PAUSE_MS = 100;
/** A node that has fallen silent is found out about by asking others. */
const SLOTS_REFRESH_MS = 5_000;

const pauseBefore = (attempt: number): number => Math.min(50 * attempt, 1_000);

/**
 * A connection that fails fast while Redis is away (no offline queue) and keeps trying to come back.
 * Callers handle rejections: Redis is a helper, never a store of record.
 */
export function connectRedis(url: string, name: string): RedisClient {
  return openRedis(url, { name, retriesMax: 0, isQueuing: false, commandTimeoutMs: 1_000 });
}

/** The one way to Redis. `url`: see `parseRedisAddress`. It never throws and never ends the process; it tells of itself by events. */
export function openRedis(url: string, manners: RedisManners): RedisClient {
  const address = parseRedisAddress(url);
  if (address === null) throw new Error('the address of Redis has none of the known forms');
  const client = create(address, manners);
  client.on('error', () => undefined);
  return client;
}

function create(address: RedisAddress, manners: RedisManners): RedisClient {
  const shared: RedisOptions = {
    ...(manners.name === undefined ? {} : { connectionName: manners.name }),
    maxRetriesPerRequest: manners.retriesMax,
    connectTimeout: CONNECT_TIMEOUT_MS,
    ...(manners.commandTimeoutMs === undefined ? {} : { commandTimeout: manners.commandTimeoutMs }),
  };
  // Who listens subscribes at each `ready`, and handles the fault: the client's own attempt would be a rejection that nobody hears.
  const alone: RedisOptions = { ...shared, enableOfflineQueue: manners.isQueuing, retryStrategy: pauseBefore, autoResubscribe: false };
  switch (address.kind) {
    case 'single':
      return new Redis(address.url, alone);
    case 'sentinel':
      return new Redis({ ...alone, ...toSentinelOptions(address) });
    case 'cluster':
      return new Cluster([...address.nodes], {
        enableOfflineQueue: manners.isQueuing,
        clusterRetryStrategy: pauseBefore,
        slotsRefreshTimeout: CONNECT_TIMEOUT_MS,
        slotsRefreshInterval: SLOTS_REFRESH_MS,
        maxRedirections: manners.retriesMax === 0 ? REDIRECTIONS_MAX.hasty : REDIRECTIONS_MAX.patient,
        retryDelayOnFailover: REDIRECTION_PAUSE_MS,
        retryDelayOnClusterDown: REDIRECTION_PAUSE_MS,
        redisOptions: { ...shared, ...toLogin(address) },
      });
  }
}

function toSentinelOptions(address: Extract<RedisAddress, { kind: 'sentinel' }>): RedisOptions {
  return {
    ...toLogin(address),
    sentinels: [...address.nodes],
    name: address.primary,
    db: address.db,
    ...(address.sentinelUser === null ? {} : { sentinelUsername: address.sentinelUser }),
    ...(address.sentinelPassword === null ? {} : { sentinelPassword: address.sentinelPassword }),
    ...(address.isTls ? { enableTLSForSentinelMode: true, sentinelTLS: {} } : {}),
    sentinelRetryStrategy: pauseBefore,
    // One that was the primary until now, and lives on.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  };
}

function toLogin({ user, password, isTls }: Exclude<RedisAddress, { kind: 'single' }>): RedisOptions {
  return { ...(user === null ? {} : { username: user }), ...(password === null ? {} : { password }), ...(isTls ? { tls: {} } : {}) };
}
