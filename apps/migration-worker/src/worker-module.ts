import {
  Inject,
  Injectable,
  Module,
  type DynamicModule,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { createDetector, type Detector } from './detector/detector.js';
import { createJobLoop, type JobLoop } from './jobs/job-loop.js';
import { secureServer } from './accounts/secure-server.js';
import { sweepScratch } from './scratch/scratch-database.js';
import { createMaintenance, type Maintenance } from './maintenance/maintenance.js';
import { createValueIndexWriter, type ValueIndexWriter } from './values/value-index-writer.js';
import type { WorkerContext } from './worker-context.js';

export interface WorkerParts {
  readonly context: WorkerContext;
  readonly redisUrl: string;
}

const PARTS = Symbol('worker parts');

/** Starts and stops the worker's loops with the application. */
@Injectable()
class WorkerLifecycle implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #context: WorkerContext;
  readonly #jobs: JobLoop;
  readonly #detector: Detector;
  readonly #values: ValueIndexWriter;
  readonly #maintenance: Maintenance;
  readonly #stopping = new AbortController();

  constructor(@Inject(PARTS) parts: WorkerParts) {
    this.#context = parts.context;
    this.#jobs = createJobLoop(parts.context, { redisUrl: parts.redisUrl });
    this.#detector = createDetector(parts.context, { redisUrl: parts.redisUrl });
    this.#values = createValueIndexWriter(parts.context, { redisUrl: parts.redisUrl });
    this.#maintenance = createMaintenance(parts.context);
  }

  onApplicationBootstrap(): void {
    this.#jobs.start();
    this.#detector.start();
    this.#values.start();
    this.#maintenance.start();
    void this.#sweep();
  }

  /**
   * Stops all loops in parallel, because their deadlines could otherwise add up to more
   * than a process is given to stop.
   */
  async onApplicationShutdown(): Promise<void> {
    const { access, changes, platform, logger } = this.#context;
    this.#stopping.abort();
    const stops = await Promise.allSettled(
      [this.#jobs, this.#maintenance, this.#values, this.#detector].map((loop) => loop.stop()),
    );
    for (const stop of stops)
      if (stop.status === 'rejected') logger.warn({ err: stop.reason as unknown }, 'a loop did not stop');
    await access.close();
    await changes.close();
    await platform.close();
  }

  /**
   * Drops scratch databases of dead workers. A server that is down is swept by the next worker that starts.
   */
  async #sweep(): Promise<void> {
    const { directory, logger } = this.#context;
    const servers = await directory.listServers().catch((error: unknown) => {
      logger.warn({ err: error }, 'the servers could not be read to sweep their scratch databases');
      return [];
    });
    for (const server of servers) {
      try {
        const dropped = await sweepScratch(this.#context, server);
        if (dropped > 0) logger.info({ server: server.id, dropped }, 'scratch databases swept');
        const secured = await secureServer(this.#context, server, this.#stopping.signal);
        if (secured.adopted + secured.dropped + secured.narrowed > 0)
          logger.info({ server: server.id, ...secured }, 'databases of an older version were secured');
      } catch (error) {
        logger.warn({ server: server.id, err: error }, 'a server could not be swept');
      }
    }
  }
}

@Module({})
export class WorkerModule {
  static create(parts: WorkerParts): DynamicModule {
    return { module: WorkerModule, providers: [{ provide: PARTS, useValue: parts }, WorkerLifecycle] };
  }
}
