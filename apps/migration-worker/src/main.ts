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
import { startWorker } from './start-worker.js';

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
  const worker = startWorker(context, { redisUrl: config.redisUrl.reveal() });
  shutdown.register('loops', () => worker.stop());
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
