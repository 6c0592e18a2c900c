// @ts-check
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @typedef {{ app: string, cpuMs: number, elapsedMs: number, hot: string[] }} Slice */

/**
 * Reads the event loops of all processes into which `watch-loop.mjs` was loaded.
 * @param {string} folder
 */
export function openLoopMeter(folder) {
  /** @returns {{ app: string, port: number, pid: number }[]} */
  const list = () =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
  /** @param {string} path @returns {Promise<Slice[]>} */
  const askAll = async (path) => {
    const slices = await Promise.all(
      list().map(async ({ app, port }) => {
        const response = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => null);
        return response === null ? null : { app, .../** @type {any} */ (await response.json()) };
      }),
    );
    return slices.filter((slice) => slice !== null);
  };
  return {
    /**
     * Runs `callback` and returns the longest slice of each process during that time.
     * @template T
     * @param {() => Promise<T>} callback
     * @param {boolean} isProfiled
     */
    async measure(callback, isProfiled) {
      await askAll(isProfiled ? '/reset?profile' : '/reset');
      const result = await callback();
      return { result, slices: await askAll('/read') };
    },
  };
}
