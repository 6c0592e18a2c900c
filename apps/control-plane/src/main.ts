import type { AddressInfo } from 'node:net';
import { createMessageSigner } from '@rowhouse/credentials';
import { connectRedis, createChangePublisher } from '@rowhouse/queue';
import { createJobNotificationProducer } from '@rowhouse/queue/job-notifications';
import {
  createLogger,
  createMetrics,
  createShutdown,
  cacheCompiledCode,
  markReady,
  startOpsServer,
  toKeyRing,
  type Logger,
  type Registry,
} from '@rowhouse/runtime';
import type { Resources } from './app-module.js';
import { readControlPlaneConfig, type Config } from './config.js';
import { createApp } from './create-app.js';
import { createCellDataSource, createGlobalDataSource, SERVING_BOUNDS } from './platform-db/data-sources.js';
import { findForeignSecrets } from './platform-db/installation.js';
import { PlatformDb, startPlatformClock } from './platform-db/platform-db.js';
import { watchReadiness } from './platform/readiness.js';
import { startSweeper } from './modules/sweeper.js';

const STOP_DEADLINE_MS = 1_800;

/** Entry point of `node dist/main.js`, the control plane of one cell. */
async function startControlPlane(): Promise<void> {
  const config = readControlPlaneConfig();
  const logger = createLogger('control-plane', config.logLevel);
  const shutdown = createShutdown(logger, { deadlineMs: STOP_DEADLINE_MS, parentPid: config.parentPid });
  const registry = createMetrics('control-plane');
  const readiness = watchReadiness();
  const ops = await startOpsServer({
    host: config.metricsHost,
    port: config.metricsPort,
    registry,
    readiness: () => readiness.report(),
  });
  shutdown.register('ops server', () => ops.close());

  const resources = await openResources(config, logger, registry);
  shutdown.register('resources', () => closeResources(resources));
  readiness.start(resources.db);
  shutdown.register('readiness', () => readiness.stop());

  const app = await createApp(resources);
  cacheCompiledCode('now');
  await app.listen({ host: config.host, port: config.port });
  shutdown.register('http', () => app.close());
  shutdown.register('sweeper', startSweeper(app, logger));
  readiness.markListening();
  markReady(registry);
  const { port } = app.getHttpServer().address() as AddressInfo;
  logger.info({ port, ops_port: ops.port, cell: config.cellId }, 'control plane is listening');
}

async function openResources(config: Config, logger: Logger, registry: Registry): Promise<Resources> {
  const globalDb = await (
    await createGlobalDataSource(config.globalUrl.reveal(), SERVING_BOUNDS)
  ).initialize();
  const cellDb = await (await createCellDataSource(config.cellUrl.reveal(), SERVING_BOUNDS)).initialize();
  if ((await globalDb.showMigrations()) || (await cellDb.showMigrations()))
    throw new Error('the platform tables are not up to date. Run dist/platform-db/migrate.js first');
  const secrets = {
    masterKeys: toKeyRing(config.masterKey, config.previousMasterKeys),
    pepper: Buffer.from(config.pepper.reveal(), 'base64url'),
  };
  const foreign = await findForeignSecrets(globalDb, secrets);
  if (foreign.length > 0)
    throw new Error(`this platform database was created with another ${foreign.join(' and ')}`);
  const redisUrl = config.redisUrl.reveal();
  const clock = await startPlatformClock(cellDb, (error) =>
    logger.warn({ err: error }, 'the time of the platform database could not be read'),
  );
  return {
    config,
    logger,
    registry,
    db: new PlatformDb(globalDb, cellDb, config.cellId, clock),
    redis: connectRedis(redisUrl, 'control-plane'),
    changePublisher: createChangePublisher({
      redisUrl,
      cellId: config.cellId,
      signer: createMessageSigner(secrets.masterKeys),
    }),
    notificationProducer: createJobNotificationProducer({ redisUrl, cellId: config.cellId, logger }),
  };
}

async function closeResources({
  db,
  redis,
  changePublisher,
  notificationProducer,
}: Resources): Promise<void> {
  redis.disconnect();
  await Promise.allSettled([changePublisher.close(), notificationProducer.close(), db.close()]);
}

startControlPlane().catch((error: unknown) => {
  process.stderr.write(
    `The control plane could not start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exit(1);
});
