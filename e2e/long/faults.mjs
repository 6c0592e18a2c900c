// @ts-check
/**
 * The faults that a running product meets, one after the other under load, with a client that knows every acknowledged write.
 *   --kills 100   --absent 60 (seconds without Redis)   --stall 12 (seconds)   --rate 100   --only kills,redis,server,clock,disk
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runClockFaults } from '../faults/clock-faults.mjs';
import { runDiskFault, withSmallDisk } from '../faults/disk-faults.mjs';
import { openLedgerTenant, stopLoads } from '../faults/fault-stage.mjs';
import { runRandomKills } from '../faults/random-kills.mjs';
import { runAbsence, runFlushes, runPoison } from '../faults/redis-faults.mjs';
import { startSecondServer } from '../faults/second-server.mjs';
import { runServerFaults } from '../faults/server-faults.mjs';
import { signUp } from '../support/control.mjs';
import { withProduct } from '../support/with-product.mjs';
import { readCount, readWords, runSuite } from './lib/run-suite.mjs';

const SEED = readCount('seed', 20260401);
const KILLS = readCount('kills', 100);
const ABSENT_MS = readCount('absent', 60) * 1_000;
const STALL_MS = readCount('stall', 12) * 1_000;
const PER_SECOND = readCount('rate', 100);
const ONLY = readWords('only');
/** Sign-ups are many from one address. */
const TEST = { ROWHOUSE_ENV: 'test' };

/** @typedef {import('../support/with-product.mjs').RunningProduct} RunningProduct */
/** @typedef {import('../faults/fault-stage.mjs').Outcome} Outcome */
/** @typedef {{ engines: Record<string, string>, outcomes: Record<string, Outcome> }} Found */

await runSuite(async () => {
  /** @type {Found} */
  const found = { engines: {}, outcomes: {} };
  if (isWanted('kills')) await withProduct({ gateways: 2, backoffMaxMs: 250, extraEnv: TEST }, (product) => endLoads(killAtRandom(product, found)));
  if (isWanted('redis') || isWanted('server')) await withProduct({ gateways: 2, backoffMaxMs: 250, extraEnv: TEST, isRedisApart: true }, (product) => endLoads(harmServers(product, found)));
  if (isWanted('disk')) await withProduct({ gateways: 2, extraEnv: TEST }, (product) => endLoads(fillDisk(product, found)));
  if (isWanted('clock')) await withWrongClocks((product, shiftFile) => endLoads(harmClocks(product, shiftFile, found)));
  const outcomes = Object.entries(found.outcomes);
  return {
    suite: 'faults',
    title: 'Faults under load: what is lost, what fails, how long it takes',
    command: `pnpm test:long faults${process.argv.length > 2 ? ` ${process.argv.slice(2).join(' ')}` : ''}`,
    seed: SEED,
    engines: found.engines,
    skips: [...(ONLY === undefined ? [] : ['what the options leave out']), ...outcomes.flatMap(([, { skips }]) => skips ?? [])],
    claims: outcomes.flatMap(([, { claims }]) => claims),
    notes: [
      `An open loop of ${PER_SECOND} requests/s over two gateways: creates, reads of what was acknowledged, increments, deletes. Every write is known as acknowledged, refused or open (no answer, or one that says that the outcome is unknown), and the database is compared with it at the end: nothing acknowledged may be missing, nothing refused may be there.`,
      'Clocks: Date is shifted inside the processes (e2e/faults/shift-clock.mjs); monotonic clocks are those of the system, as they would be.',
    ],
    figures: Object.fromEntries(outcomes.map(([name, { figures }]) => [name, figures])),
  };
});

/** None runs on, whatever came of it. @param {Promise<void>} work */
async function endLoads(work) {
  try {
    await work;
  } finally {
    await stopLoads();
  }
}

/** @param {string} name */
function isWanted(name) {
  return ONLY === undefined || ONLY.includes(name);
}

/** @param {RunningProduct} product @returns {import('../faults/fault-stage.mjs').Place} */
function toPlace(product) {
  return { ...product, admin: product.mysql.admin, redisUrl: product.redisUrl };
}

/** @param {RunningProduct} product @param {Found} found */
async function killAtRandom(product, found) {
  found.engines[product.mysql.engine] = product.mysql.version;
  const place = toPlace(product);
  const tenant = await openLedgerTenant(place, await signUp(product.control, { name: 'kills', starter: 'empty' }));
  found.outcomes['kills'] = await runRandomKills(place, tenant, { kills: KILLS, seed: SEED, perSecond: PER_SECOND, rows: 20_000 });
}

/** @param {RunningProduct} product @param {Found} found */
async function harmServers(product, found) {
  const { redis, run } = product;
  if (redis === null || run.demo === null) throw new Error('a Redis of its own and the operator are needed');
  found.engines[product.mysql.engine] = product.mysql.version;
  const place = { ...toPlace(product), redis };
  const first = await openLedgerTenant(place, await signUp(product.control, { name: 'first', starter: 'empty' }));
  if (isWanted('redis')) {
    const other = await openLedgerTenant(place, await signUp(product.control, { name: 'other', starter: 'empty' }));
    found.outcomes['redis emptied'] = await runFlushes(place, first, { times: 20, perSecond: PER_SECOND });
    found.outcomes['redis poisoned'] = await runPoison(place, [first, other], { perSecond: PER_SECOND });
    found.outcomes['redis gone'] = await runAbsence(place, first, { absentMs: ABSENT_MS, perSecond: PER_SECOND, revocations: 10 });
  }
  if (!isWanted('server')) return;
  const second = await startSecondServer(place, run.demo);
  try {
    const victim = await second.openTenant('second');
    found.outcomes['database server'] = await runServerFaults(place, second, { victim, bystander: first }, { perSecond: PER_SECOND, stallMs: STALL_MS });
  } finally {
    await second.stop();
  }
}

/** @param {(product: RunningProduct, shiftFile: string) => Promise<void>} use */
async function withWrongClocks(use) {
  const folder = mkdtempSync(join(tmpdir(), 'rowhouse-clock-'));
  const shiftFile = join(folder, 'shifts.json');
  writeFileSync(shiftFile, '{}');
  const program = fileURLToPath(new URL('../faults/shift-clock.mjs', import.meta.url));
  try {
    await withProduct({ gateways: 2, workers: 2, extraEnv: { ...TEST, CLOCK_SHIFT_FILE: shiftFile, NODE_OPTIONS: `--import ${pathToFileURL(program).href}` } }, (product) => use(product, shiftFile));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {RunningProduct} product @param {string} shiftFile @param {Found} found */
async function harmClocks(product, shiftFile, found) {
  found.engines[product.mysql.engine] = product.mysql.version;
  const place = toPlace(product);
  const tenant = await openLedgerTenant(place, await signUp(product.control, { name: 'clocks', starter: 'empty' }));
  found.outcomes['clocks'] = await runClockFaults(place, tenant, { shiftFile, perSecond: PER_SECOND });
}

/** @param {RunningProduct} product @param {Found} found */
async function fillDisk(product, found) {
  const place = toPlace(product);
  const { demo } = product.run;
  if (demo === null) throw new Error('the operator is needed');
  const outcome = await withSmallDisk(async (homeDir) => {
    const second = await startSecondServer(place, demo, { homeDir });
    try {
      const offender = await second.openTenant('offender');
      const neighbour = await second.openTenant('neighbour');
      return await runDiskFault(place, second, { offender, neighbour }, { perSecond: PER_SECOND });
    } finally {
      await second.stop();
    }
  });
  found.engines[product.mysql.engine] = product.mysql.version;
  found.outcomes['disk'] = outcome ?? { claims: [], figures: {}, skips: ['the disk that fills up: this user may not mount a small one'] };
}
