// @ts-check
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/**
 * Starts a server of `targets/` as a separate process.
 * @param {string} name the name of its file
 * @param {string} databaseUrl
 * @param {{ cases?: readonly string[], env?: Record<string, string> }} [options] `cases` lists the supported
 *   cases
 * @returns {Promise<{ target: import('./bench-case.mjs').BenchTarget, stop: () => Promise<void> }>}
 */
export async function startTarget(name, databaseUrl, { cases, env = {} } = {}) {
  const script = fileURLToPath(new URL(`../targets/${name}.mjs`, import.meta.url));
  const child = spawn(process.execPath, [script], {
    env: { ...process.env, ...env, NODE_ENV: 'production', DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    once(child, 'exit').then(() => {
      throw new Error(`Couldn't start the server ${name}`);
    }),
  ]);
  return {
    target: {
      name,
      base: `http://127.0.0.1:${JSON.parse(line).port}`,
      key: null,
      pids: [/** @type {number} */ (child.pid)],
      ...(cases === undefined ? {} : { cases }),
    },
    stop: async () => {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
