// @ts-check
/**
 * Restarts two gateways and two workers in turn, under load and while a table is rebuilt in both directions.
 * No request fails.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runChange } from '../../support/change-load/run-change.mjs';
import { readGoldenChange } from '../../support/schemas/golden-change.mjs';
import { waitFor } from '../../support/wait.mjs';
import { signUp } from '../../support/control.mjs';
import { withProduct } from '../../support/with-product.mjs';
import { summarize } from '../../support/write-report.mjs';
import { readCount, readWords, runSuite } from '../lib/run-suite.mjs';
import { startHttpBalancer } from './parts/http-balancer.mjs';

const ROUNDS = readCount('rounds', 5);
const PER_SECOND = readCount('rate', 200);
const CHANGE = readWords('change')?.[0] ?? 'widen-key-of-family';
const ENGINES = /** @type {('mariadb' | 'mysql')[]} */ (readWords('engine') ?? ['mariadb', 'mysql']);

/** @typedef {import('../../support/change-load/run-change.mjs').ChangeResult} ChangeResult */
/** @typedef {import('../../support/with-product.mjs').RunningProduct} RunningProduct */

await runSuite(async () => {
  /** @type {Record<string, string>} */
  const engines = {};
  /** @type {(ChangeResult & { restarts: Record<string, number>, forced: string[] })[]} */
  const found = [];
  for (const engine of ENGINES) {
    await withProduct({ gateways: 2, workers: 2, engine, backoffMaxMs: 250 }, async (product) => {
      engines[engine] = product.mysql.version;
      const balancer = await startHttpBalancer(
        product.gateways.map((url, index) => ({
          url,
          readyUrl: `${product.metricsUrls[index === 0 ? 'gateway' : 'gateway-2']}/readyz`,
        })),
      );
      const restarter = startRestarter(product);
      try {
        const result = await runChange(
          {
            person: await signUp(product.control, { name: 'restarts', starter: 'empty' }),
            gateways: [balancer.url],
            dataDir: product.dataDir,
            mysql: { ...product.mysql.admin, engine },
            platform: product.platform.admin,
          },
          await readGoldenChange(CHANGE),
          {
            perSecond: PER_SECOND,
            inFlightMin: 0,
            roundsMin: 1,
            roundsMax: 1_000,
            controlMsMin: 500,
            holderMs: 0,
            isEnough: restarter.isOver,
          },
        );
        found.push({ ...result, ...(await restarter.done) });
      } finally {
        await balancer.close();
      }
    });
  }
  const requests = found.reduce((sum, item) => sum + item.changed.length + item.control.length, 0);
  const list = (/** @type {(item: ChangeResult & { forced: string[] }) => string[]} */ read) =>
    found.flatMap(read);
  const claim = (/** @type {string} */ text, /** @type {string[]} */ faults, /** @type {string} */ good) => ({
    claim: text,
    holds: faults.length === 0,
    found: faults.length === 0 ? good : `${faults.length}: ${faults.slice(0, 5).join('; ')}`,
  });
  return {
    suite: 'rolling-restart',
    title: 'Rolling restarts of gateways and workers',
    command: `pnpm test:long rolling-restart${process.argv.length > 2 ? ` ${process.argv.slice(2).join(' ')}` : ''}`,
    seed: null,
    engines,
    skips: ENGINES.length === 2 ? [] : ['the other engine'],
    claims: [
      claim(
        `no request fails during ${ROUNDS} restarts of each of two gateways and two workers`,
        list((item) => item.failed),
        `0 of ${requests}`,
      ),
      claim(
        'no acknowledged write is lost',
        list((item) => item.lost),
        '0',
      ),
      claim(
        'all invariants hold, and nothing is left over',
        list((item) => item.broken),
        `after ${found.map((item) => item.rounds).join(' and ')} changes (${CHANGE})`,
      ),
      claim(
        'each process stops by itself after its work is done',
        list((item) => item.forced),
        JSON.stringify(found.map((item) => item.restarts)),
      ),
    ],
    notes: [
      `Requests arrive at one address that passes each to a gateway whose /readyz returns 200. The processes get SIGTERM one after the other, each when the previous one is ready again. A change runs most of the time.`,
    ],
    figures: {
      changes: found.map((item) => ({
        engine: item.engine,
        changes: item.rounds,
        restarts: item.restarts,
        migration_ms: summarize(item.migrationMs),
        latency_ms: summarize(
          [...item.changed, ...item.control].map((requested) => requested.endMs - requested.dueMs),
        ),
        failed: item.failed.slice(0, 50),
      })),
    },
  };
});

/** @param {RunningProduct} product */
function startRestarter(product) {
  const names = ['gateway', 'migration-worker', 'gateway-2', 'migration-worker-2'];
  /** @type {Record<string, number>} */
  const restarts = {};
  /** @type {string[]} */
  const forced = [];
  let isFinished = false;
  const pidOf = (/** @type {string} */ name) =>
    product.listProcesses().find((item) => item.name === name)?.pid;
  const isReady = async (/** @type {string} */ name) =>
    (await fetch(`${product.metricsUrls[name]}/readyz`).catch(() => null))?.status === 200;
  const restartRounds = async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const name of names) {
        const pid = pidOf(name);
        if (pid === undefined) throw new Error(`${name} does not run`);
        process.kill(pid, 'SIGTERM');
        await waitFor(`${name} has ended`, async () => pidOf(name) !== pid, { timeoutMs: 30_000 });
        await waitFor(`${name} is ready again`, () => isReady(name), { timeoutMs: 30_000 });
        restarts[name] = (restarts[name] ?? 0) + 1;
      }
    }
    for (const name of names) {
      const lines = readFileSync(join(product.dataDir, 'logs', `${name}.log`), 'utf8')
        .split('\n')
        .filter((line) => line.includes('stop deadline passed'));
      forced.push(...lines.map((line) => `${name}: ${line}`));
    }
    return { restarts, forced };
  };
  const done = restartRounds().finally(() => {
    isFinished = true;
  });
  // The error is handled where `done` is awaited. This handler only prevents an unhandled rejection.
  done.catch(() => undefined);
  return { done, isOver: () => isFinished };
}
