import type { Logger } from '../logging/logger.js';

type Closer = () => Promise<void> | void;

export interface Shutdown {
  /**
   * Adds a function that is called at shutdown. These functions run in reverse order, each within the time
   * that remains until the deadline.
   */
  register(name: string, closer: Closer): void;
  /** Runs all registered functions once, and then exits the process with `exitCode`. */
  stop(reason: string, exitCode?: number): Promise<void>;
}

/**
 * Ends the process in an orderly way on SIGTERM, on SIGINT or if the parent process exits. After a deadline,
 * the process is forced to end.
 */
export function createShutdown(
  logger: Logger,
  options: { readonly deadlineMs: number; readonly parentPid?: number | undefined },
): Shutdown {
  const closers: { name: string; closer: Closer }[] = [];
  let stopping: Promise<void> | undefined;

  async function runClosers(reason: string, exitCode: number): Promise<void> {
    logger.info({ reason }, 'stopping');
    const forced = setTimeout(() => {
      logger.error({ reason }, 'stop deadline passed');
      process.exit(exitCode === 0 ? 1 : exitCode);
    }, options.deadlineMs);
    forced.unref();
    for (const { name, closer } of closers.reverse()) {
      try {
        await closer();
      } catch (error) {
        logger.warn({ err: error, part: name }, 'a part did not close cleanly');
      }
    }
    logger.info({ reason }, 'stopped');
    process.exit(exitCode);
  }

  function stop(reason: string, exitCode = 0): Promise<void> {
    stopping ??= runClosers(reason, exitCode);
    return stopping;
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));
  if (options.parentPid !== undefined) watchParent(options.parentPid, () => void stop('parent gone'));
  return { register: (name, closer) => void closers.push({ name, closer }), stop };
}

/**
 * Calls `onGone` once if `parentPid` is no longer the parent of this process. It checks four times a second.
 */
function watchParent(parentPid: number, onGone: () => void): void {
  const timer = setInterval(() => {
    if (process.ppid === parentPid) return;
    clearInterval(timer);
    onGone();
  }, 250);
  timer.unref();
}
