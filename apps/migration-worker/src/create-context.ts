import { createMessageSigner, createSecretBox } from '@rowhouse/credentials';
import { createAdminPool } from '@rowhouse/mysql';
import { createDetectStore, createKeptStore, createMigrationJournal, createMoveJournal, createRetentionStore, createStepJournal, createStorageStore, createTaskJournal, createTransferStore, createValueIndexJournal, createWorkerDirectory } from '@rowhouse/platform-store';
import { countIgnored, createChangePublisher } from '@rowhouse/queue';
import { toKeyRing, type Logger, type Registry } from '@rowhouse/runtime';
import type { Config } from './config.js';
import { createFailPoint } from './fail-points.js';
import { watchMigrations } from './jobs/watch-migrations.js';
import { createServerAccess } from './servers/server-access.js';
import type { WorkerContext } from './worker-context.js';

const PLATFORM_CONNECTIONS_MAX = 12;

export function createContext(config: Config, logger: Logger, registry: Registry): WorkerContext {
  const { cellId, workerId: owner } = config;
  const platform = createAdminPool(config.platformUrl.reveal(), { connectionsMax: PLATFORM_CONNECTIONS_MAX });
  const masterKeys = toKeyRing(config.masterKey, config.previousMasterKeys);
  const box = createSecretBox(masterKeys);
  const signer = createMessageSigner(masterKeys);
  return {
    cellId,
    owner,
    logger,
    platform,
    directory: createWorkerDirectory(platform, cellId),
    tasks: createTaskJournal(platform, { cellId, owner }),
    migrations: watchMigrations(registry, createMigrationJournal(platform, { cellId, owner })),
    steps: createStepJournal(platform, { cellId, owner }),
    moves: createMoveJournal(platform, { cellId, owner }),
    kept: createKeptStore(platform, { cellId, owner }),
    detects: createDetectStore(platform, { cellId, owner }),
    transfers: createTransferStore(platform, cellId),
    values: createValueIndexJournal(platform, { cellId, owner }),
    retention: createRetentionStore(platform, cellId),
    storage: createStorageStore(platform, cellId),
    changes: createChangePublisher({ redisUrl: config.redisUrl.reveal(), cellId, signer }),
    signer,
    countIgnored: countIgnored(registry),
    box,
    access: createServerAccess({ serverPrivateKey: config.serverPrivateKey, box }),
    isDdlLocked: config.isDdlLocked,
    movePauseMs: config.movePauseMs,
    failPoint: createFailPoint(config.failPoints, config.failPointFile),
  };
}
