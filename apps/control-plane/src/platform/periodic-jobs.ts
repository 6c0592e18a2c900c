import type { Logger } from '@rowhouse/runtime';

export interface PeriodicJob {
  /** Identifies the job in the log. */
  readonly name: string;
  readonly everyMs: number;
  /** Whether the first run starts immediately. Otherwise it starts after the first interval. */
  readonly startsNow?: boolean;
  run(): Promise<unknown>;
}

/**
 * Runs each job at its interval. A job that is still running is skipped. A failed job is logged and runs
 * again after its interval. Returns a function that stops the timers.
 */
export function startPeriodicJobs(jobs: readonly PeriodicJob[], logger: Pick<Logger, 'warn'>): () => void {
  const timers = jobs.map((job) => {
    let isRunning = false;
    const run = async (): Promise<void> => {
      if (isRunning) return;
      isRunning = true;
      try {
        await job.run();
      } catch (error) {
        logger.warn({ err: error, job: job.name }, 'a periodic job failed');
      } finally {
        isRunning = false;
      }
    };
    if (job.startsNow === true) void run();
    return setInterval(() => void run(), job.everyMs).unref();
  });
  return () => timers.forEach((timer) => clearInterval(timer));
}
