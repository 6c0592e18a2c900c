import { secureServer } from './accounts/secure-server.js';
import { createDetector } from './detector/detector.js';
import { createJobLoop } from './jobs/job-loop.js';
import { createMaintenance } from './maintenance/maintenance.js';
import { sweepScratch } from './scratch/scratch-database.js';
import { createValueIndexWriter } from './values/value-index-writer.js';
import type { WorkerContext } from './worker-context.js';

export interface Worker {
  /** Stops all loops and closes the connections of the context. */
  stop(): Promise<void>;
}

/** Starts the loops of the worker. */
export function startWorker(context: WorkerContext, options: { readonly redisUrl: string }): Worker {
  const stopping = new AbortController();
  const loops = [
    createJobLoop(context, options),
    createDetector(context, options),
    createValueIndexWriter(context, options),
    createMaintenance(context),
  ];
  for (const loop of loops) loop.start();
  void sweepServers(context, stopping.signal);
  return {
    async stop() {
      stopping.abort();
      // The loops are stopped in parallel. If they were stopped one after the other, their deadlines could
      // exceed the time in which the process must stop.
      const stops = await Promise.allSettled(loops.map((loop) => loop.stop()));
      for (const stop of stops)
        if (stop.status === 'rejected')
          context.logger.warn({ err: stop.reason as unknown }, 'a loop did not stop');
      await context.access.close();
      await context.changes.close();
      await context.platform.close();
    },
  };
}

/**
 * Drops the scratch databases of workers that have ended, and updates databases of older versions. If a
 * server is down now, this is done by the next worker that starts.
 */
async function sweepServers(context: WorkerContext, stopping: AbortSignal): Promise<void> {
  const { directory, logger } = context;
  const servers = await directory.listServers().catch((error: unknown) => {
    logger.warn({ err: error }, 'the servers could not be read to sweep their scratch databases');
    return [];
  });
  for (const server of servers) {
    try {
      const dropped = await sweepScratch(context, server);
      if (dropped > 0) logger.info({ server: server.id, dropped }, 'scratch databases swept');
      const secured = await secureServer(context, server, stopping);
      if (secured.adopted + secured.dropped + secured.narrowed > 0)
        logger.info({ server: server.id, ...secured }, 'databases of an older version were secured');
    } catch (error) {
      logger.warn({ server: server.id, err: error }, 'a server could not be swept');
    }
  }
}
