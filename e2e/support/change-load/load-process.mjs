// @ts-check
/**
 * Runs the load in a separate process, so that nothing else delays it. It is an open loop: each request
 * starts at its scheduled time, whether or not earlier requests have been answered. It communicates with its
 * parent by messages (`start-load.mjs`).
 */
import { limitPace } from '../../long/lib/pace.mjs';
import { readGoldenChange } from '../schemas/golden-change.mjs';
import { createLedger } from './ledger.mjs';
import { ACTS } from './load-acts.mjs';
import { createLoadClient, readClock } from './load-client.mjs';

/**
 * @typedef {{ kind: 'start', change: string, gateways: string[], key: string, perSecond: number, prefix: string, items: number } | { kind: 'live', sides: import('./load-client.mjs').Side[] } | { kind: 'take' } | { kind: 'stop' }}
 *   LoadOrder
 */

/**
 * @type {{ client: import('./load-client.mjs').LoadClient, ledger: import('./ledger.mjs').Ledger, stop: () => Promise<void> } | null}
 */
let load = null;

process.on('message', (message) => void applyCommand(/** @type {LoadOrder} */ (message)));
// The parent is gone.
process.on('disconnect', () => process.exit(0));

/** @param {LoadOrder} order */
async function applyCommand(order) {
  if (order.kind === 'start') {
    load = await startLoad(order);
    return reply({ kind: 'started' });
  }
  if (load === null) throw new Error(`${order.kind} before the start`);
  if (order.kind === 'live') load.client.setLive(order.sides);
  if (order.kind === 'stop') {
    const { client, ledger, stop } = load;
    await stop();
    reply({ kind: 'stopped', asked: client.take(), ledger });
  } else {
    reply({ kind: order.kind, asked: order.kind === 'take' ? load.client.take() : [], atMs: readClock() });
  }
}

/** @param {unknown} message */
function reply(message) {
  process.send?.(message);
}

/** @param {Extract<LoadOrder, { kind: 'start' }>} order */
async function startLoad({ change: name, gateways, key, perSecond, prefix, items }) {
  const change = await readGoldenChange(name);
  const client = createLoadClient({ gateways, key, shapes: change.shapes, refusals: change.refusals });
  const ledger = createLedger();
  const deck = Object.values(ACTS).flatMap(({ weight, run }) => Array.from({ length: weight }, () => run));
  const startedMs = readClock();
  const running = new Set();
  let isStopped = false;
  const pace = limitPace({
    perSecond,
    until: () => isStopped,
    fire(index) {
      const run = deck[Math.floor(Math.random() * deck.length)];
      const work = run?.({
        client,
        ledger,
        items,
        isAlone: change.pins === 'alone',
        dueMs: startedMs + ((index + 1) * 1_000) / perSecond,
        number: index,
        prefix,
      })
        .catch((err) => reply({ kind: 'fault', message: String(err?.stack ?? err) }))
        .finally(() => running.delete(work));
      running.add(work);
    },
  });
  return {
    client,
    ledger,
    async stop() {
      isStopped = true;
      await pace;
      await Promise.all(running);
      client.close();
    },
  };
}
