// @ts-check
/**
 * Causes one fault after the other in a running product under load. The client records every acknowledged
 * write and checks that none is lost.
 *
 * - `--kills 100`, `--absent 60` (seconds without Redis), `--stall 12` (seconds), `--rate 100`
 * - `--only kills,redis,server,disk,clock`: some of the parts
 * - `--ledger file`: stores the results of each part in this file; parts that have already passed on the same
 * commit are skipped
 * - `--report-only`: runs nothing, and reports the contents of the file
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runClockFaults } from '../../faults/clock-faults.mjs';
import { runDiskFault, withSmallDisk } from '../../faults/disk-faults.mjs';
import { openLedgerTenant, stopLoads } from '../../faults/fault-stage.mjs';
import { runRandomKills } from '../../faults/random-kills.mjs';
import { runAbsence, runFlushes, runPoison } from '../../faults/redis-faults.mjs';
import { startSecondServer } from '../../faults/second-server.mjs';
import { runServerFaults } from '../../faults/server-faults.mjs';
import { signUp } from '../../support/control.mjs';
import { withProduct } from '../../support/with-product.mjs';
import { readCount, readWords, runSuite } from '../lib/run-suite.mjs';
import { openTrialFile } from '../lib/trial-file.mjs';

const SEED = readCount('seed', 20260401);
const KILLS = readCount('kills', 100);
const ABSENT_MS = readCount('absent', 60) * 1_000;
const STALL_MS = readCount('stall', 12) * 1_000;
const PER_SECOND = readCount('rate', 100);
const ONLY = readWords('only');
/**
 * The parts, in the order in which they run.
 * @type {readonly Part[]}
 */
const PARTS = ['kills', 'redis', 'server', 'disk', 'clock'];
/** Test mode allows many sign-ups from one address. */
const TEST = { ROWHOUSE_ENV: 'test' };

/** @typedef {import('../../support/with-product.mjs').RunningProduct} RunningProduct */
/** @typedef {import('../../faults/fault-stage.mjs').Outcome} Outcome */
/** @typedef {{ engines: Record<string, string>, outcomes: Record<string, Outcome> }} Found */
/** @typedef {'kills' | 'redis' | 'server' | 'disk' | 'clock'} Part */
/**
 * @typedef {Found & { part: Part, command: string, loadBefore: number }} Trial `command` holds the requested
 *   numbers
 */

const NUMBERS = JSON.stringify({ KILLS, ABSENT_MS, STALL_MS, PER_SECOND, SEED });
const FILE = openTrialFile(
  (/** @type {Trial} */ { outcomes, command }) => command === NUMBERS && listBroken(outcomes).length === 0,
);

await runSuite(async () => {
  /** @type {Trial[]} */
  const trials = [];
  for (const part of PARTS) {
    const retained =
      FILE.retained.find((item) => item.part === part) ??
      (FILE.isReportOnly ? FILE.earlier.findLast((item) => item.part === part) : undefined);
    const created =
      retained === undefined && isWanted(part) && !FILE.isReportOnly ? await runPart(part) : undefined;
    if (created !== undefined) FILE.note(created);
    const trial = retained ?? created;
    if (trial !== undefined) trials.push(trial);
  }
  const outcomes = trials.flatMap((trial) => Object.entries(trial.outcomes));
  const again = FILE.earlier.filter(
    (item) =>
      item.command === NUMBERS && !trials.includes(item) && trials.some(({ part }) => item.part === part),
  );
  const isComplete = PARTS.every((part) => trials.some((item) => item.part === part));
  return {
    suite: 'faults',
    commit: FILE.commit,
    title: 'Faults under load: lost writes, failed requests and recovery times',
    command: `pnpm test:long faults${process.argv.length > 2 ? ` ${process.argv.slice(2).join(' ')}` : ''}`,
    seed: SEED,
    engines: Object.assign({}, ...trials.map(({ engines }) => engines)),
    skips: [
      ...(isComplete ? [] : ['the parts that the options omit']),
      ...outcomes.flatMap(([, { skips }]) => skips ?? []),
    ],
    claims: outcomes.flatMap(([, { claims }]) => claims),
    notes: [
      `An open loop of ${PER_SECOND} requests/s runs over two gateways: creates, reads of acknowledged records, increments and deletes. Every write is recorded as acknowledged, rejected or open (no response, or one with an unknown outcome). At the end, the database is compared with the record: no acknowledged write may be missing, and no rejected write may be stored.`,
      'Clocks: Date is shifted inside the processes (e2e/faults/shift-clock.mjs); monotonic clocks are those of the system, as they would be.',
      ...(FILE.isUsed
        ? [
            'Run in parts, on one commit. ' +
              `${again.length === 0 ? 'No part had to be run again.' : `Run again: ${again.map(({ part, outcomes: before }) => `${part} (${listBroken(before).join('; ')})`).join(', ')}.`}`,
          ]
        : []),
    ],
    figures: {
      ...Object.fromEntries(outcomes.map(([name, { figures }]) => [name, figures])),
      load_before: Object.fromEntries(trials.map(({ part, loadBefore }) => [part, loadBefore])),
    },
  };
});

/** @param {Record<string, Outcome>} outcomes */
function listBroken(outcomes) {
  return Object.values(outcomes).flatMap(({ claims }) =>
    claims.filter(({ holds }) => !holds).map(({ claim, found }) => `${claim}: ${found}`),
  );
}

/** @param {Part} part @returns {Promise<Trial>} */
async function runPart(part) {
  /** @type {Trial} */
  const found = { part, command: NUMBERS, loadBefore: loadavg()[0] ?? 0, engines: {}, outcomes: {} };
  switch (part) {
    case 'kills':
      await withProduct({ gateways: 2, backoffMaxMs: 250, extraEnv: TEST }, (product) =>
        endLoads(killAtRandom(product, found)),
      );
      break;
    case 'redis':
      await withProduct({ gateways: 2, backoffMaxMs: 250, extraEnv: TEST, isRedisApart: true }, (product) =>
        endLoads(injectRedisFaults(product, found)),
      );
      break;
    case 'server':
      await withProduct({ gateways: 2, backoffMaxMs: 250, extraEnv: TEST }, (product) =>
        endLoads(injectServerFault(product, found)),
      );
      break;
    case 'disk':
      await withProduct({ gateways: 2, extraEnv: TEST }, (product) => endLoads(fillDisk(product, found)));
      break;
    case 'clock':
      await withWrongClocks((product, shiftFile) => endLoads(injectClockFaults(product, shiftFile, found)));
  }
  return found;
}

/**
 * Ends all loads, whatever the outcome of the work.
 * @param {Promise<void>} work
 */
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

/** @param {RunningProduct} product @returns {import('../../faults/fault-stage.mjs').FaultEnvironment} */
function toFaultEnvironment(product) {
  return {
    ...product,
    admin: product.mysql.admin,
    platform: product.platform.admin,
    redisUrl: product.redisUrl,
  };
}

/** @param {RunningProduct} product @param {Found} found */
async function killAtRandom(product, found) {
  found.engines[product.mysql.engine] = product.mysql.version;
  const environment = toFaultEnvironment(product);
  const tenant = await openLedgerTenant(
    environment,
    await signUp(product.control, { name: 'kills', starter: 'empty' }),
  );
  found.outcomes['kills'] = await runRandomKills(environment, tenant, {
    kills: KILLS,
    seed: SEED,
    perSecond: PER_SECOND,
    rows: 20_000,
  });
}

/** @param {RunningProduct} product @param {Found} found */
async function injectRedisFaults(product, found) {
  const { redis } = product;
  if (redis === null) throw new Error('a Redis of its own is needed');
  found.engines[product.mysql.engine] = product.mysql.version;
  const environment = { ...toFaultEnvironment(product), redis };
  const first = await openLedgerTenant(
    environment,
    await signUp(product.control, { name: 'first', starter: 'empty' }),
  );
  const other = await openLedgerTenant(
    environment,
    await signUp(product.control, { name: 'other', starter: 'empty' }),
  );
  found.outcomes['redis emptied'] = await runFlushes(environment, first, {
    times: 20,
    perSecond: PER_SECOND,
  });
  found.outcomes['redis poisoned'] = await runPoison(environment, [first, other], { perSecond: PER_SECOND });
  found.outcomes['redis gone'] = await runAbsence(environment, first, {
    absentMs: ABSENT_MS,
    perSecond: PER_SECOND,
    revocations: 10,
  });
}

/** @param {RunningProduct} product @param {Found} found */
async function injectServerFault(product, found) {
  const { run } = product;
  if (run.demo === null) throw new Error('the operator is needed');
  found.engines[product.mysql.engine] = product.mysql.version;
  const environment = toFaultEnvironment(product);
  const first = await openLedgerTenant(
    environment,
    await signUp(product.control, { name: 'first', starter: 'empty' }),
  );
  const second = await startSecondServer(environment, run.demo);
  try {
    const victim = await second.openTenant('second');
    found.outcomes['database server'] = await runServerFaults(
      environment,
      second,
      { victim, bystander: first },
      { perSecond: PER_SECOND, stallMs: STALL_MS },
    );
  } finally {
    await second.stop();
  }
}

/** @param {(product: RunningProduct, shiftFile: string) => Promise<void>} use */
async function withWrongClocks(use) {
  const folder = mkdtempSync(join(tmpdir(), 'rowhouse-clock-'));
  const shiftFile = join(folder, 'shifts.json');
  writeFileSync(shiftFile, '{}');
  const program = fileURLToPath(new URL('../../faults/shift-clock.mjs', import.meta.url));
  try {
    await withProduct(
      {
        gateways: 2,
        workers: 2,
        extraEnv: {
          ...TEST,
          CLOCK_SHIFT_FILE: shiftFile,
          NODE_OPTIONS: `--import ${pathToFileURL(program).href}`,
        },
      },
      (product) => use(product, shiftFile),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {RunningProduct} product @param {string} shiftFile @param {Found} found */
async function injectClockFaults(product, shiftFile, found) {
  found.engines[product.mysql.engine] = product.mysql.version;
  const environment = toFaultEnvironment(product);
  const tenant = await openLedgerTenant(
    environment,
    await signUp(product.control, { name: 'clocks', starter: 'empty' }),
  );
  found.outcomes['clocks'] = await runClockFaults(environment, tenant, { shiftFile, perSecond: PER_SECOND });
}

/** @param {RunningProduct} product @param {Found} found */
async function fillDisk(product, found) {
  const environment = toFaultEnvironment(product);
  const { demo } = product.run;
  if (demo === null) throw new Error('the operator is needed');
  const outcome = await withSmallDisk(async (homeDir) => {
    const second = await startSecondServer(environment, demo, { homeDir });
    try {
      const offender = await second.openTenant('offender');
      const neighbour = await second.openTenant('neighbour');
      return await runDiskFault(environment, second, { offender, neighbour }, { perSecond: PER_SECOND });
    } finally {
      await second.stop();
    }
  });
  found.engines[product.mysql.engine] = product.mysql.version;
  found.outcomes['disk'] = outcome ?? {
    claims: [],
    figures: {},
    skips: ['the full disk: this user may not mount a small disk'],
  };
}
