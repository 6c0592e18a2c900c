import { parseRedisAddress, type RedisAddress } from '@rowhouse/contracts';
import { Cluster, Redis, type RedisOptions } from 'ioredis';

/**
 * A client for a single server, for the primary that Sentinels report, or for a cluster. The commands are the
 * same, provided that all keys of a command are in one hash slot.
 */
export type RedisClient = Redis | Cluster;

export interface RedisBehavior {
  /** The name of the connection in CLIENT LIST. */
  readonly name?: string;
  /**
   * How many times a command is sent again after its connection was lost. Null means until there is a
   * response.
   */
  readonly retriesMax: number | null;
  /** Whether commands wait while the connection is lost. If not, they fail immediately. */
  readonly isQueuing: boolean;
  readonly commandTimeoutMs?: number;
}

const CONNECT_TIMEOUT_MS = 1_500;
/** The maximum number of redirects or CLUSTERDOWN replies that a command follows before it fails. */
const REDIRECTIONS_MAX = { patient: 16, hasty: 3 } as const;
const REDIRECTION_PAUSE_MS = 100;
/**
 * The interval in milliseconds at which the slots of a cluster are read from other nodes. This detects a node
 * that no longer responds.
 */
const SLOTS_REFRESH_MS = 5_000;

const pauseBefore = (attempt: number): number => Math.min(50 * attempt, 1_000);

/**
 * Opens a connection that fails immediately while Redis is not available (it has no offline queue), and that
 * reconnects by itself. Callers must handle rejected promises. Redis never contains the only copy of data.
 */
export function connectRedis(url: string, name: string): RedisClient {
  return openRedis(url, { name, retriesMax: 0, isQueuing: false, commandTimeoutMs: 1_000 });
}

/**
 * Opens a connection to Redis. All connections are opened by this function. `url` is described at
 * `parseRedisAddress`. The client never ends the process: it reports errors as events.
 */
export function openRedis(url: string, behavior: RedisBehavior): RedisClient {
  const address = parseRedisAddress(url);
  if (address === null) throw new Error('the address of Redis does not have a supported form');
  const client = create(address, behavior);
  client.on('error', () => undefined);
  return client;
}

function create(address: RedisAddress, behavior: RedisBehavior): RedisClient {
  const shared: RedisOptions = {
    ...(behavior.name === undefined ? {} : { connectionName: behavior.name }),
    maxRetriesPerRequest: behavior.retriesMax,
    connectTimeout: CONNECT_TIMEOUT_MS,
    ...(behavior.commandTimeoutMs === undefined ? {} : { commandTimeout: behavior.commandTimeoutMs }),
  };
  // Listeners subscribe after each `ready` event and handle failures themselves. With `autoResubscribe`, a
  // failure would be an unhandled rejection.
  const alone: RedisOptions = {
    ...shared,
    enableOfflineQueue: behavior.isQueuing,
    retryStrategy: pauseBefore,
    autoResubscribe: false,
  };
  switch (address.kind) {
    case 'single':
      return new Redis(address.url, alone);
    case 'sentinel':
      return new Redis({ ...alone, ...toSentinelOptions(address) });
    case 'cluster':
      return new Cluster([...address.nodes], {
        enableOfflineQueue: behavior.isQueuing,
        clusterRetryStrategy: pauseBefore,
        slotsRefreshTimeout: CONNECT_TIMEOUT_MS,
        slotsRefreshInterval: SLOTS_REFRESH_MS,
        maxRedirections: behavior.retriesMax === 0 ? REDIRECTIONS_MAX.hasty : REDIRECTIONS_MAX.patient,
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
    // A READONLY error means that the server was the primary until now and has become a replica.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  };
}

function toLogin({ user, password, isTls }: Exclude<RedisAddress, { kind: 'single' }>): RedisOptions {
  return {
    ...(user === null ? {} : { username: user }),
    ...(password === null ? {} : { password }),
    ...(isTls ? { tls: {} } : {}),
  };
}
