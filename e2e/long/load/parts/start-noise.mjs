// @ts-check
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const ENTRY = fileURLToPath(new URL('./noise-client.mjs', import.meta.url));
const REJECTED_MS = 60_000;

/**
 * Starts clients that always have a request in flight, in a separate process.
 * @param {import('./noise-client.mjs').NoiseOrder} order
 * @returns {Promise<{ pid: number, stop: () => Promise<import('./noise-client.mjs').NoiseResult> }>} `stop`
 *   ends them and returns their responses
 */
export async function startNoise(order) {
  const child = fork(ENTRY, [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  await once(child, 'spawn');
  child.send(order);
  return {
    pid: child.pid ?? 0,
    async stop() {
      child.send('stop');
      const [result] = await Promise.race([
        once(child, 'message', { signal: AbortSignal.timeout(REJECTED_MS) }),
        once(child, 'exit').then(([code]) =>
          Promise.reject(new Error(`the overloader ended with ${String(code)}`)),
        ),
      ]);
      child.disconnect();
      return result;
    },
  };
}
