// @ts-check
/**
 * Measures how soon a gateway serves. One of two gateways is killed under load again and again. The recovery
 * is measured by its successor's first response, and by what the successor reports about its own start. CPU
 * time is reported next to the elapsed time, which on a busy machine depends on the machine.
 *
 * Options: `--kills 12`, `--rate 50`, `--pause 12` (seconds between kills).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  openLedgerTenant,
  serves,
  startTenantLoad,
  stopLoads,
  timeUntil,
} from '../../faults/fault-stage.mjs';
import { signUp, waitUntilProvisioned } from '../../support/control.mjs';
import { signalProcess, waitForSuccessor } from '../../support/processes.mjs';
import { waitFor } from '../../support/wait.mjs';
import { withProduct } from '../../support/with-product.mjs';
import { summarize } from '../../support/write-report.mjs';
import { readCount, runSuite } from '../lib/run-suite.mjs';

const KILLS = readCount('kills', 12);
const PER_SECOND = readCount('rate', 50);
const PAUSE_MS = readCount('pause', 12) * 1_000;
const READY_MS_MAX = 1_200;
const RECOVERED_MS_MAX = 1_500;
/**
 * The maximum CPU time of a start, on any machine. It is twice the time measured when this suite was written.
 */
const READY_CPU_MS_MAX = readCount('cpu', 1_100);

/** @typedef {import('../../support/with-product.mjs').RunningProduct} RunningProduct */
/** @typedef {{ respawnedMs: number, recoveredMs: number, readyMs: number, readyCpuMs: number }} Start */

await runSuite(() =>
  withProduct({ gateways: 2, extraEnv: { ROWHOUSE_ENV: 'test' } }, async (product) => {
    const environment = { ...product, admin: product.mysql.admin, platform: product.platform.admin };
    const user = await signUp(product.control, { name: 'starts', starter: 'empty' });
    await waitUntilProvisioned(product.gateways[0] ?? '', user);
    const tenant = await openLedgerTenant(environment, user);
    try {
      const load = await startTenantLoad(environment, tenant, { perSecond: PER_SECOND, prefix: 's' });
      /** @type {Start[]} */
      const starts = [];
      // The first start has no compiled code in its cache and is reported separately.
      for (let iteration = 0; iteration <= KILLS; iteration += 1) {
        await sleep(PAUSE_MS);
        starts.push(await killAndMeasure(environment, tenant.key));
        console.log(JSON.stringify(starts.at(-1)));
      }
      const { lost, ghosts, acknowledged } = await load.settle();
      const [first, ...rest] = starts;
      const figures = Object.fromEntries(
        /** @type {const} */ (['respawnedMs', 'readyMs', 'readyCpuMs', 'recoveredMs']).map((name) => [
          name,
          summarize(rest.map((item) => item[name])),
        ]),
      );
      const tell = (/** @type {string} */ name) =>
        `median ${figures[name]?.p50} ms, max ${figures[name]?.max} ms of ${rest.length}`;
      return {
        suite: 'gateway-start',
        title: 'Recovery time of a killed gateway',
        command: `pnpm test:long gateway-start${process.argv.length > 2 ? ` ${process.argv.slice(2).join(' ')}` : ''}`,
        seed: null,
        engines: { [product.mysql.engine]: product.mysql.version },
        skips: [],
        claims: [
          {
            claim: `a gateway is ready within ${READY_MS_MAX} ms of its start`,
            holds: (figures['readyMs']?.max ?? Infinity) <= READY_MS_MAX,
            found: tell('readyMs'),
          },
          {
            claim: `the start uses at most ${READY_CPU_MS_MAX} ms of CPU`,
            holds: (figures['readyCpuMs']?.p50 ?? Infinity) <= READY_CPU_MS_MAX,
            found: tell('readyCpuMs'),
          },
          {
            claim: `a gateway killed under load serves again within ${RECOVERED_MS_MAX} ms`,
            holds: (figures['recoveredMs']?.max ?? Infinity) <= RECOVERED_MS_MAX,
            found: tell('recoveredMs'),
          },
          {
            claim: 'no acknowledged write is lost, and no rejected write is stored',
            holds: lost.length + ghosts.length === 0,
            found: `${acknowledged} acknowledged`,
          },
        ],
        notes: [
          'Respawned is the time until the launcher has started another process. Ready comes from its own metrics, with the busiest databases in memory. Recovered is the time from the kill to a response with a row.',
        ],
        figures: { first: first ?? null, ...figures },
      };
    } finally {
      await stopLoads();
    }
  }),
);

/**
 * @param {import('../../faults/fault-stage.mjs').FaultEnvironment} environment
 * @param {string} key
 * @returns {Promise<Start>}
 */
async function killAndMeasure(environment, key) {
  const [base = ''] = environment.gateways;
  const killedMs = performance.now();
  const pid = await signalProcess(environment, 'gateway');
  await waitForSuccessor(environment, 'gateway', pid);
  const respawnedMs = Math.round(performance.now() - killedMs);
  const recoveredMs = await timeUntil(`${base} serves again`, () => serves(base, key), killedMs);
  const metrics = await waitFor(
    'it reports when it was ready',
    async () => {
      const text = await fetch(`${environment.metricsUrls['gateway']}/metrics`)
        .then((res) => res.text())
        .catch(() => '');
      return text.includes('process_ready_cpu_seconds{') ? text : undefined;
    },
    { timeoutMs: 30_000 },
  );
  const read = (/** @type {string} */ name) =>
    Math.round(Number(new RegExp(`^${name}\\{[^}]*\\} (\\S+)$`, 'm').exec(metrics)?.[1]) * 1_000);
  return {
    respawnedMs,
    recoveredMs,
    readyMs: read('process_ready_after_seconds'),
    readyCpuMs: read('process_ready_cpu_seconds'),
  };
}
