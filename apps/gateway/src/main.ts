import {
  createEventLog,
  createLogger,
  createMetrics,
  createShutdown,
  cacheCompiledCode,
  markReady,
  startOpsServer,
} from '@rowhouse/runtime';
import { readGatewayConfig } from './config.js';
import { createGateway } from './create-gateway.js';
import { createHttpServer } from './http/create-http-server.js';

/** The time after the last request in which remaining data is written, in milliseconds. */
const FLUSH_DEADLINE_MS = 500;

async function main(): Promise<void> {
  const loadedMs = performance.now();
  const config = readGatewayConfig();
  const logger = createLogger('gateway', config.logLevel);
  const shutdown = createShutdown(logger, {
    deadlineMs: config.drain.noticeMs + config.drain.inFlightMs + FLUSH_DEADLINE_MS,
    parentPid: config.parentPid,
  });
  process.on('unhandledRejection', (error) =>
    logger.error({ err: error }, 'a promise rejection was not handled'),
  );
  const registry = createMetrics('gateway');
  const running = await createGateway(
    config,
    logger,
    registry,
    createEventLog({ service: 'gateway', level: config.logLevel }),
  );
  const openedMs = performance.now();
  shutdown.register('gateway', () => running.stop());
  const http = await createHttpServer(running.services, running.observe, config, registry);
  let isDraining = false;
  const ops = await startOpsServer({
    host: config.metricsHost,
    port: config.metricsPort,
    registry,
    readiness: () => (isDraining ? { shutdown: 'draining' } : running.readiness()),
  });
  shutdown.register('ops', () => ops.close());
  const port = await http.listen(config.port, config.host);
  shutdown.register('http', async () => {
    isDraining = true;
    await http.close(config.drain);
  });
  void running.warmedUp.then(() => markReady(registry));
  cacheCompiledCode();
  const startedMs = [loadedMs, openedMs, performance.now()].map(Math.round);
  logger.info(
    { port, ops_port: ops.port, cell: config.cellId, loaded_opened_listening_ms: startedMs },
    'gateway is ready',
  );
}

main().catch((error: unknown) => {
  process.stderr.write(
    `The gateway could not start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exit(1);
});
