import { setTimeout as sleep } from 'node:timers/promises';

const BACKOFF_FIRST_MS = 250;
const BACKOFF_MAX_MS = 10_000;
/** If a process ran longer than this, in milliseconds, it is restarted at once. */
const STEADY_AFTER_MS = 10_000;

/**
 * @typedef {import('./child.mjs').Child} Child
 * @typedef {object} Supervised
 * @property {string} name
 * @property {() => Child | null} current the current process, whether or not it is ready
 * @property {Promise<void>} started resolves or rejects with the first start
 * @property {(graceMs: number) => Promise<void>} stop ends the process without a restart
 * @typedef {object} SuperviseOptions
 * @property {string} name
 * @property {(onSpawn: (child: Child) => void) => Promise<unknown>} start calls `onSpawn` as soon as there is
 *   a process, and resolves when it serves
 * @property {import('../report.mjs').Report} report
 * @property {() => void} onChange called after each spawn, to update the record of processes
 * @property {number} [backoffMaxMs] the longest pause before a restart
 */

/**
 * Starts a process and restarts it whenever it ends before it is stopped. A process that ran longer than
 * `STEADY_AFTER_MS` restarts at once. A process that ends earlier restarts after pauses that grow. Each pause
 * is counted from the previous start, and the next one is longer only if the process ended within the pause.
 * A first start that fails is not repeated; `started` rejects with the reason.
 * @param {SuperviseOptions} options
 * @returns {Supervised}
 */
export function supervise(options) {
  const stopping = new AbortController();
  /** @type {Child | null} */
  let child = null;
  const start = () =>
    options.start((spawned) => {
      child = spawned;
      options.onChange();
      // The process was spawned while everything else was stopping.
      if (stopping.signal.aborted) void spawned.stop(1_000);
    });

  const watch = async () => {
    let backoffMs = 0;
    for (;;) {
      const startedMs = Date.now();
      await child?.done;
      if (stopping.signal.aborted) return;
      const upMs = Date.now() - startedMs;
      if (upMs > STEADY_AFTER_MS) backoffMs = 0;
      const isPause = upMs < backoffMs;
      options.report.warn(
        `${options.name} ended (${child?.ending ?? 'did not start'}); starting it again${isPause ? `, ${backoffMs} ms after its last start` : ''}`,
      );
      if (isPause) await sleep(backoffMs - upMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      if (isPause || backoffMs === 0)
        backoffMs = Math.min(
          Math.max(BACKOFF_FIRST_MS, backoffMs * 2),
          options.backoffMaxMs ?? BACKOFF_MAX_MS,
        );
      await start().catch((err) =>
        options.report.warn(`${options.name}: ${/** @type {Error} */ (err).message}`),
      );
    }
  };
  /** @type {Promise<void>} */
  let watching = Promise.resolve();
  const started = start().then(() => {
    watching = watch();
  });

  return {
    name: options.name,
    current: () => child,
    started,
    stop: async (graceMs) => {
      stopping.abort();
      await child?.stop(graceMs);
      await started.catch(() => {});
      await watching;
      await child?.stop(graceMs);
    },
  };
}
