import { setTimeout as pause } from 'node:timers/promises';
import { queuePrefix, WAKE_QUEUE, jobNotificationId, type JobNotification } from '@rowhouse/contracts';
import type { Logger } from '@rowhouse/runtime';
import { Queue, Worker } from 'bullmq';
import { openRedis } from './redis.js';

export interface JobNotificationProducer {
  /**
   * Notifies workers that a row must be processed. Never throws, and never waits longer than 300 ms. If the
   * notification is lost, the reconciler finds the row.
   */
  notify(job: JobNotification): Promise<void>;
  close(): Promise<void>;
}

const WAKE_DEADLINE_MS = 300;
/**
 * The time in milliseconds after which the queue is read again if Redis was not available. The default delay
 * of BullMQ is 15 s.
 */
const ASK_AGAIN_MS = 500;
/**
 * The time in milliseconds after which a notification is given to another consumer, if its consumer has not
 * handled it.
 */
const HANDED_ON_MS = 5_000;

/** Creates the producer for the queue of job notifications of a cell. */
export function createJobNotificationProducer(options: {
  readonly redisUrl: string;
  readonly cellId: string;
  readonly logger: Logger;
}): JobNotificationProducer {
  const redis = openRedis(options.redisUrl, { retriesMax: 0, isQueuing: false });
  const queue = new Queue<JobNotification>(WAKE_QUEUE, {
    prefix: queuePrefix(options.cellId),
    connection: redis,
    defaultJobOptions: { removeOnComplete: true, removeOnFail: true, attempts: 1 },
  });
  queue.on('error', () => undefined);
  return {
    async notify(job) {
      const adding = queue.add(job.kind, job, { jobId: jobNotificationId(job) }).then(
        () => true,
        () => false,
      );
      const isSent = await Promise.race([adding, pause(WAKE_DEADLINE_MS, false, { ref: false })]);
      if (!isSent)
        options.logger.warn(
          { job: job.kind, id: job.id },
          'a job notification was not sent; the reconciler will find the row',
        );
    },
    async close() {
      await queue.close();
      redis.disconnect();
    },
  };
}

export interface JobNotificationConsumer {
  close(): Promise<void>;
}

/**
 * Creates the consumer for the queue of job notifications of a cell. `handle` only starts the work on the
 * row. A notification is complete when it is received, not when the work ends, so that the work does not
 * depend on Redis. Errors that `handle` throws are logged.
 */
export function createJobNotificationConsumer(options: {
  readonly redisUrl: string;
  readonly cellId: string;
  readonly concurrency: number;
  readonly logger: Logger;
  readonly handle: (job: JobNotification) => void;
}): JobNotificationConsumer {
  const redis = openRedis(options.redisUrl, { retriesMax: null, isQueuing: true });
  const worker = new Worker<JobNotification>(
    WAKE_QUEUE,
    async (job) => {
      // Any client of Redis can add jobs to the queue, so only well-formed ids are passed on.
      if (!isJobNotification(job.data)) return options.logger.warn('an invalid job notification was ignored');
      try {
        options.handle(job.data);
      } catch (error) {
        options.logger.error({ err: error, job: job.data.kind, id: job.data.id }, 'a wake-up failed');
      }
    },
    {
      prefix: queuePrefix(options.cellId),
      connection: redis,
      concurrency: options.concurrency,
      runRetryDelay: ASK_AGAIN_MS,
      lockDuration: HANDED_ON_MS,
      stalledInterval: HANDED_ON_MS,
      maxStalledCount: 100,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    },
  );
  worker.on('error', () => undefined);
  return {
    async close() {
      await worker.close(true);
      redis.disconnect();
    },
  };
}

function isJobNotification(data: unknown): data is JobNotification {
  if (typeof data !== 'object' || data === null) return false;
  const { kind, id, attempt } = data as Partial<Record<keyof JobNotification, unknown>>;
  return (
    (kind === 'migration' || kind === 'task') &&
    typeof id === 'string' &&
    id.length <= 40 &&
    Number.isSafeInteger(attempt)
  );
}
