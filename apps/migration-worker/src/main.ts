import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import {
  createLogger,
  createMetrics,
  createShutdown,
  cacheCompiledCode,
  markReady,
  startOpsServer,
  type ReadinessReport,
} from '@rowhouse/runtime';
import { readWorkerConfig } from './config.js';
import { createContext } from './create-context.js';
import { WorkerModule } from './worker-module.js';

const STOP_DEADLINE_MS = 8_000;

async function start(): Promise<void> {
  const config = readWorkerConfig();
  const logger = createLogger('migration-worker', config.logLevel);
  const shutdown = createShutdown(logger, { deadlineMs: STOP_DEADLINE_MS, parentPid: config.parentPid });
  const registry = createMetrics('migration-worker');
  const context = createContext(config, logger, registry);
  let reasons: ReadinessReport = { jobs: 'starting' };
  const ops = await startOpsServer({
    host: config.metricsHost,
    port: config.metricsPort,
    registry,
    readiness: () => reasons,
  });
  shutdown.register('ops', () => ops.close());
  await context.directory.listServers();
  const app = await NestFactory.createApplicationContext(
    WorkerModule.create({ context, redisUrl: config.redisUrl.reveal() }),
    { logger: false },
  );
  shutdown.register('application', () => app.close());
  reasons = {};
  markReady(registry);
  cacheCompiledCode();
  logger.info({ worker: config.workerId, cell: config.cellId, metricsPort: ops.port }, 'worker ready');
}

start().catch((error: unknown) => {
  process.stderr.write(
    `The worker could not start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exit(1);
});
