import { createMessageSigner, createSecretBox } from '@rowhouse/credentials';
import { createAdminPool } from '@rowhouse/mysql';
import {
  createAuditOutbox,
  createDetectStore,
  createSoftDeletedStore,
  createMigrationJournal,
  createMoveJournal,
  createRequestPauses,
  createRetentionStore,
  createShareStore,
  createStepJournal,
  createStorageStore,
  createTaskJournal,
  createTransferStore,
  createValueIndexJournal,
  createWorkerDirectory,
} from '@rowhouse/platform-store';
import { countIgnored, createChangePublisher } from '@rowhouse/queue';
import { toKeyRing, type Logger, type Registry } from '@rowhouse/runtime';
import { createOwnSessions } from './accounts/sessions/own-sessions.js';
import { createPlatformSessions } from './accounts/sessions/platform-sessions.js';
import { createAccountRepairs } from './accounts/repair/repair-account.js';
import type { Config } from './config.js';
import { createFailPoint } from './fail-points.js';
import { watchMigrations } from './jobs/job-loop.js';
import { createPlanCache } from './scratch/plan-cache.js';
import { createServerAccess, createServerLogins } from './servers/server-access.js';
import { createServerMarks } from './servers/server-marks.js';
import type { WorkerContext } from './worker-context.js';

const PLATFORM_CONNECTIONS_MAX = 12;

export function createContext(config: Config, logger: Logger, registry: Registry): WorkerContext {
  const { cellId, workerId: owner } = config;
  const platform = createAdminPool(config.platformUrl.reveal(), { connectionsMax: PLATFORM_CONNECTIONS_MAX });
  const masterKeys = toKeyRing(config.masterKey, config.previousMasterKeys);
  const box = createSecretBox(masterKeys);
  const signer = createMessageSigner(masterKeys);
  const directory = createWorkerDirectory(platform, cellId);
  const audits = createAuditOutbox(platform, cellId);
  const servers = connectServers(config, { logger, directory, audits, box });
  return {
    cellId,
    owner,
    logger,
    platform,
    directory,
    audits,
    ...servers,
    tasks: createTaskJournal(platform, { cellId, owner }),
    migrations: watchMigrations(registry, createMigrationJournal(platform, { cellId, owner })),
    steps: createStepJournal(platform, { cellId, owner }),
    moves: createMoveJournal(platform, { cellId, owner }),
    pauses: createRequestPauses(platform, { cellId, owner }),
    softDeleted: createSoftDeletedStore(platform, { cellId, owner }),
    detects: createDetectStore(platform, { cellId, owner }),
    transfers: createTransferStore(platform, cellId),
    values: createValueIndexJournal(platform, { cellId, owner }),
    retention: createRetentionStore(platform, cellId),
    storage: createStorageStore(platform, cellId),
    shares: createShareStore(platform, { cellId, owner }),
    changes: createChangePublisher({ redisUrl: config.redisUrl.reveal(), cellId, signer }),
    signer,
    countIgnored: countIgnored(registry),
    box,
    planCache: createPlanCache(),
    isDdlLocked: config.isDdlLocked,
    movePauseMs: config.movePauseMs,
    accountSweepMs: config.accountSweepMs,
    shareSettings: config.shareSettings,
    failPoint: createFailPoint(config.failPoints, config.failPointFile),
  };
}

type ServerConnections = Pick<WorkerContext, 'own' | 'repairs' | 'access'>;

/** Opens sessions on tenant servers, and repairs accounts that a server rejects. */
function connectServers(
  { serverPrivateKey }: Config,
  { logger, directory, audits, box }: Pick<WorkerContext, 'logger' | 'directory' | 'audits' | 'box'>,
): ServerConnections {
  const own = createOwnSessions();
  const marks = createServerMarks(directory, logger);
  const logins = createServerLogins({
    serverPrivateKey,
    onRejected: (...values) => marks.rejected(...values),
  });
  const repairs = createAccountRepairs({
    logins,
    directory,
    audits,
    box,
    logger,
    own,
    openMigrator: async (server, database) =>
      access.openMigrator(server, database, await directory.listAccounts(database.id)),
  });
  const sessions = createPlatformSessions({
    logins,
    box,
    logger,
    own,
    readAccount: (account) => directory.findAccount(account),
    repair: (...values) => repairs.repair(...values),
  });
  const access = createServerAccess(logins, sessions);
  return { own, repairs, access };
}
