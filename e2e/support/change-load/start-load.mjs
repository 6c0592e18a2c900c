// @ts-check
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** @typedef {import('./load-client.mjs').Asked} Asked */

const ENTRY = fileURLToPath(new URL('./load-process.mjs', import.meta.url));

/**
 * A load process that has finished and is kept for the next change. Its code is already compiled, so its
 * start does not distort the next measurement.
 * @type {import('node:child_process').ChildProcess | null}
 */
let idleChild = null;

/**
 * Sets whether the load process keeps this process alive. An idle load process must not.
 * @param {import('node:child_process').ChildProcess} child
 * @param {'ref' | 'unref'} hold
 */
function holdOn(child, hold) {
  child[hold]();
  child.channel?.[hold]();
}

/**
 * Starts the load of one golden change in a separate process. Reuses the process of the previous load if that
 * ended without errors.
 * @param {{ change: string, gateways: readonly string[], key: string, perSecond: number, prefix: string,
 *   items: number }} options `prefix` starts every mark
 */
export async function startLoad(options) {
  const child = idleChild ?? fork(ENTRY, [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  idleChild = null;
  holdOn(child, 'ref');
  /** @type {((message: any) => void)[]} */
  const waiting = [];
  /** @type {string[]} */
  const faults = [];
  const onMessage = (/** @type {any} */ message) => {
    if (message.kind === 'fault') faults.push(message.message);
    else waiting.shift()?.(message);
  };
  child.on('message', onMessage);
  /** @type {() => void} */
  let onExit = () => undefined;
  const ended = new Promise((_, reject) => {
    onExit = () => reject(new Error('the load has ended'));
    child.once('exit', onExit);
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
    /** @param {import('./load-client.mjs').Side[]} sides that clients may see from now on */
    setLive: async (...sides) => void (await order({ kind: 'live', sides })),
    /** @returns {Promise<Asked[]>} the requests since the last call */
    take: async () => (await order({ kind: 'take' })).asked,
    /** @returns {Promise<{ asked: Asked[], ledger: import('./ledger.mjs').Ledger, faults: string[] }>} */
    async stop() {
      const { asked: requested, ledger } = await order({ kind: 'stop' });
      child.off('message', onMessage);
      child.off('exit', onExit);
      // Only one idle process is kept.
      if (idleChild === null) idleChild = child;
      else child.disconnect();
      holdOn(child, 'unref');
      return { asked: requested, ledger, faults };
    },
    kill: () => void child.kill('SIGKILL'),
  };
}

/** @typedef {Awaited<ReturnType<typeof startLoad>>} Load */
