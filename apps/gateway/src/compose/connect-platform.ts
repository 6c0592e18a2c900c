import { createMessageSigner, createSecretBox, deriveRecordKey, type SecretBox } from '@rowhouse/credentials';
import { createPlatformPool } from '@rowhouse/mysql';
import {
  createGatewayChanges,
  createGatewayDirectory,
  type GatewayChanges,
  type GatewayDirectory,
} from '@rowhouse/platform-store';
import {
  connectRedis,
  countIgnored,
  createChangePublisher,
  type ChangePublisher,
  type createChangeSubscriber,
} from '@rowhouse/queue';
import { createId, toKeyRing, type Registry } from '@rowhouse/runtime';
import type { GatewayConfig } from '../config.js';
import { createAccountRepairs, type AccountRepairs } from '../tenant/account-repairs.js';
import { createSharedRecords, type SharedRecords } from '../tenant/shared-records.js';

type ChannelOptions = Pick<
  Parameters<typeof createChangeSubscriber>[0],
  'redisUrl' | 'cellId' | 'signer' | 'onIgnored'
>;

/** The connections to the platform database and to Redis, and the stores that use them. */
export interface PlatformConnections {
  readonly pool: ReturnType<typeof createPlatformPool>;
  readonly cellId: string;
  /** Identifies this process among the gateways of the cell. */
  readonly identity: { readonly gatewayId: string; readonly epoch: number };
  readonly directory: GatewayDirectory;
  readonly changes: GatewayChanges;
  readonly channel: ChannelOptions;
  readonly publisher: ChangePublisher;
  readonly box: SecretBox;
  readonly shared: SharedRecords;
  readonly accountRepairs: AccountRepairs;
  close(): Promise<void>;
}

/** Opens the connections. They connect when they are first used. */
export function connectPlatform(config: GatewayConfig, registry: Registry): PlatformConnections {
  const { cellId } = config;
  const masterKeys = toKeyRing(config.masterKey, config.previousMasterKeys);
  const pool = createPlatformPool(config.platformUrl.reveal(), {
    connectionsMax: 8,
    connectTimeoutMs: 1_000,
    statementTimeoutMs: 1_500,
  });
  const changes = createGatewayChanges(pool, cellId);
  const redis = connectRedis(config.redisUrl.reveal(), 'gateway');
  const channel = {
    redisUrl: config.redisUrl.reveal(),
    cellId,
    signer: createMessageSigner(masterKeys),
    onIgnored: countIgnored(registry),
  };
  const publisher = createChangePublisher(channel);
  const box = createSecretBox(masterKeys);
  return {
    pool,
    cellId,
    identity: { gatewayId: config.gatewayId ?? createId('gw'), epoch: Date.now() },
    directory: createGatewayDirectory(pool, cellId),
    changes,
    channel,
    publisher,
    box,
    shared: createSharedRecords(redis, { recordKey: deriveRecordKey(masterKeys[0]), box, cellId }),
    accountRepairs: createAccountRepairs(publisher, changes),
    async close() {
      redis.disconnect();
      await pool.close();
    },
  };
}
