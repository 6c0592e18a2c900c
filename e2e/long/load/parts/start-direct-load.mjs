// @ts-check
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const ENTRY = fileURLToPath(new URL('./direct-load.mjs', import.meta.url));
/** The sessions share half of the processors, so the statements that run at the stop can take minutes. */
const STOP_MS_MAX = 300_000;

/**
 * Starts sessions that are always active, in a separate process.
 * @param {import('./direct-load.mjs').LoadOrder} order
 * @returns {Promise<{ pid: number, stop: () => Promise<import('./direct-load.mjs').LoadResult> }>}
 */
export async function startDirectLoad(order) {
  const child = fork(ENTRY, [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  await once(child, 'spawn');
  child.send(order);
  await once(child, 'message');
  return {
    pid: child.pid ?? 0,
    async stop() {
      child.send('stop');
      const [result] = await Promise.race([
        once(child, 'message', { signal: AbortSignal.timeout(STOP_MS_MAX) }),
        once(child, 'exit').then(([code]) =>
          Promise.reject(new Error(`the load ended with ${String(code)}`)),
        ),
      ]);
      return result;
    },
  };
}
