// @ts-check
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** @typedef {import('./load-client.mjs').Asked} Asked */

const ENTRY = fileURLToPath(new URL('./load-process.mjs', import.meta.url));

/**
 * Starts the load of one golden change in a process of its own.
 * @param {{ change: string, gateways: readonly string[], key: string, perSecond: number, prefix: string, items: number }} options `prefix` of the marks it makes
 */
export async function startLoad(options) {
  const child = fork(ENTRY, [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  /** @type {((message: any) => void)[]} */
  const waiting = [];
  /** @type {string[]} */
  const faults = [];
  child.on('message', (/** @type {any} */ message) => {
    if (message.kind === 'fault') faults.push(message.message);
    else waiting.shift()?.(message);
  });
  const ended = new Promise((_, reject) => {
    child.once('exit', () => reject(new Error('the load has ended')));
  });
  ended.catch(() => undefined);
  /** @param {Record<string, unknown>} message @returns {Promise<any>} */
  const order = (message) => {
    const answered = new Promise((resolve) => {
      waiting.push(resolve);
    });
    child.send(message);
    return Promise.race([answered, ended]);
  };
  await order({ kind: 'start', ...options });
  return {
    /** @param {import('./load-client.mjs').Side[]} sides that clients may meet from now on */
    setLive: async (...sides) => void (await order({ kind: 'live', sides })),
    /** @returns {Promise<Asked[]>} what was asked since the last time */
    take: async () => (await order({ kind: 'take' })).asked,
    /** @returns {Promise<{ asked: Asked[], ledger: import('./ledger.mjs').Ledger, faults: string[] }>} */
    async stop() {
      const { asked, ledger } = await order({ kind: 'stop' });
      child.disconnect();
      return { asked, ledger, faults };
    },
    kill: () => void child.kill('SIGKILL'),
  };
}

/** @typedef {Awaited<ReturnType<typeof startLoad>>} Load */
