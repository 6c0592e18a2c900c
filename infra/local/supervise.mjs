import { setTimeout as sleep } from 'node:timers/promises';

const BACKOFF_FIRST_MS = 250;
const BACKOFF_MAX_MS = 10_000;
/** Up for so long, a process has earned a quick restart. */
const STEADY_AFTER_MS = 30_000;

/**
 * @typedef {object} Supervised
 * @property {string} name
 * @property {() => import('./child.mjs').Child | null} current
 * @property {(graceMs: number) => Promise<void>} stop ends it for good
 *
 * @typedef {object} SuperviseOptions
 * @property {string} name
 * @property {() => Promise<import('./child.mjs').Child>} start
 * @property {import('./report.mjs').Report} report
 * @property {() => void} onChange after each start, so that the record of processes stays true
 */

/**
 * Starts a process and starts it again, with growing pauses, whenever it dies before it is told to.
 *
 * @param {SuperviseOptions} options
 * @returns {Promise<Supervised>} once it has been started the first time
 */
export async function supervise(options) {
  const stopping = new AbortController();
  /** @type {import('./child.mjs').Child | null} */
  let child = await options.start();
  options.onChange();

  const watch = async () => {
    let backoffMs = BACKOFF_FIRST_MS;
    for (;;) {
      const startedMs = Date.now();
      if (child !== null) await child.done;
      if (stopping.signal.aborted) return;
      if (Date.now() - startedMs > STEADY_AFTER_MS) backoffMs = BACKOFF_FIRST_MS;
      options.report.warn(`${options.name} ended (${child?.ending ?? 'did not start'}); starting it again in ${backoffMs} ms`);
      await sleep(backoffMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      backoffMs = Math.min(backoffMs * 2, BACKOFF_MAX_MS);
      child = await options.start().catch((err) => {
        options.report.warn(`${options.name}: ${/** @type {Error} */ (err).message}`);
        return null;
      });
      options.onChange();
    }
  };
  const watching = watch();

  return {
    name: options.name,
    current: () => child,
    stop: async (graceMs) => {
      stopping.abort();
      if (child !== null) await child.stop(graceMs);
      await watching;
      // A start that was under way when the stop came.
      if (child !== null) await child.stop(graceMs);
    },
  };
}
