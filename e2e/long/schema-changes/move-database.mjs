// @ts-check
/**
 * Moves a database of some size from server to server and back, while an open loop of requests writes to it
 * with a ledger of acknowledged writes. With a small database, the worker is killed at each step of further
 * moves.
 *
 * - `--megabytes 1024`: the size of its files
 * - `--moves 2`: the number of moves without a kill
 * - `--points move-piece,…` or `none`: the steps at which the worker is killed
 * - `--killed-megabytes 32`: the size of the files in moves with a kill
 * - `--ledger file`: each move is written there; those that passed on the same commit are not repeated
 * - `--report-only`: makes no moves, and reports the contents of the file
 * - `--rate 200`
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  claimNone,
  countAnswers,
  listFaults,
  openAdmin,
  openLedgerTenant,
  startTenantLoad,
  stopLoads,
} from '../../faults/fault-stage.mjs';
import { startSecondServer } from '../../faults/second-server.mjs';
import { expectStatus, signIn, signUp } from '../../support/control.mjs';
import { waitFor } from '../../support/wait.mjs';
import { withProduct } from '../../support/with-product.mjs';
import { summarize } from '../../support/write-report.mjs';
import { readCount, readWords, runSuite } from '../lib/run-suite.mjs';
import { openTrialFile } from '../lib/trial-file.mjs';

const MEGABYTES = readCount('megabytes', 1_024);
/** A kill costs as much time as a move of the whole database. */
const KILLED_MEGABYTES = readCount('killed-megabytes', 32);
const PER_SECOND = readCount('rate', 200);
const MOVES = readCount('moves', 2);
const ALL_POINTS = (
  'move-claimed move-place-laid move-structure move-captured move-piece move-comparing move-compare move-switching ' +
  'move-pause-begun move-locked move-brought move-switched move-opened move-before-drop'
).split(' ');
const POINTS = (readWords('points') ?? ALL_POINTS).filter((name) => name !== 'none');
const PAUSE_BAR_MS = 2_000;
const MOVE_LIMIT_MS = 1_800_000;
const NOTE_CHARS = 200;
const FILL_ROWS = 10_000;

/**
 * @typedef {import('../../support/with-product.mjs').RunningProduct} RunningProduct
 * @typedef {import('../../faults/fault-stage.mjs').Tenant} Tenant
 * @typedef {{ id: string, admin: import('../../faults/fault-stage.mjs').Admin }} End
 * @typedef {{ name: string, isKilled: boolean, bytes: number, engine: string, state: string, pauseMs: number | null, switches: number, seconds: number, requestsMs: ReturnType<typeof summarize>, answers: Record<string, number>, acknowledged: number, faults: string[], lost: string[], ghosts: string[] }} Trial
 * @typedef {{ product: RunningProduct, environment: import('../../faults/fault-stage.mjs').FaultEnvironment, pointFile: string, control: import('../../support/control.mjs').Control, ends: readonly End[] }} Stage
 */

const PLAIN = Array.from(
  { length: MOVES },
  (_, index) => `${index % 2 === 0 ? 'there' : 'and back'} ${Math.floor(index / 2) + 1}`,
);
const FILE = openTrialFile(hasPassed);

await runSuite(async () => {
  const known = new Set(FILE.retained.map(({ name }) => name));
  const expected = FILE.isReportOnly
    ? { plain: [], points: [] }
    : {
        plain: PLAIN.some((name) => !known.has(name)) ? PLAIN : [],
        points: POINTS.filter((name) => !known.has(name)),
      };
  /** @type {Trial[]} */
  const created = [];
  if (expected.plain.length + expected.points.length > 0) await makeMoves(expected, created);
  const before = FILE.isReportOnly
    ? [...FILE.earlier, ...FILE.retained]
    : FILE.retained.filter(({ name }) => expected.plain.length === 0 || !PLAIN.includes(name));
  // If a move was run several times, the last result counts.
  const trials = [...new Map([...before, ...created].map((trial) => [trial.name, trial])).values()];
  const plain = trials.filter(({ isKilled }) => !isKilled);
  const pauses = plain.map(({ pauseMs }) => pauseMs ?? Number.POSITIVE_INFINITY);
  const all = (/** @type {(trial: Trial) => string[]} */ of) =>
    trials.flatMap((trial) => of(trial).map((item) => `${trial.name}: ${item}`));
  const reported = FILE.earlier.filter(
    (item) => !trials.includes(item) && trials.some(({ name }) => item.name === name),
  );
  return {
    suite: 'move-database',
    commit: FILE.commit,
    title: 'Moving a database between servers under load',
    command: `pnpm test:long move-database${process.argv.length > 2 ? ` ${process.argv.slice(2).join(' ')}` : ''}`,
    seed: null,
    engines: { mariadb: trials[0]?.engine ?? '' },
    skips: [
      'MySQL, because e2e only has a second MariaDB server. The integration tests cover both engines',
      ...(MOVES === 2 && POINTS.length === ALL_POINTS.length ? [] : ['the moves that the options omit']),
    ],
    claims: [
      claimNone(
        'every move ends on the other server',
        [
          ...all(({ state }) => (state === 'done' ? [] : [state])),
          ...[...PLAIN, ...POINTS]
            .filter((name) => !trials.some((item) => item.name === name))
            .map((name) => `${name}: not made`),
        ],
        `${reportSizes(plain)}; ${reportSizes(trials.filter(({ isKilled }) => isKilled))} with a kill`,
      ),
      claimNone(
        'no acknowledged write is lost',
        all(({ lost }) => lost),
        `0 of ${trials.reduce((sum, item) => sum + item.acknowledged, 0)}`,
      ),
      claimNone(
        'no rejected write is stored',
        all(({ ghosts }) => ghosts),
        'none',
      ),
      claimNone(
        'no request fails, and the key stays the same',
        all(({ faults }) => faults),
        `of ${trials.reduce((sum, item) => sum + item.requestsMs.count, 0)}`,
      ),
      {
        claim: `writes are paused for less than ${PAUSE_BAR_MS} ms`,
        holds: pauses.length > 0 && Math.max(...pauses) < PAUSE_BAR_MS,
        found: plain
          .map(({ pauseMs, requestsMs }) => `${pauseMs} ms, the longest request ${requestsMs.max} ms`)
          .join('; '),
      },
    ],
    notes: [
      `${PER_SECOND} requests/s run over two gateways in an open loop: creates, reads of acknowledged records, increments and deletes.`,
      'The pause is measured by the worker, from before writes are paused until they resume. If ' +
        'the worker is killed, writes wait until the pause ends, and the move continues when the ' +
        'lease expires.',
      ...(FILE.isUsed
        ? [
            `${trials.length - created.length} of the moves are from an earlier run on the same commit. ` +
              `${reported.length === 0 ? 'None had to be repeated.' : `Repeated: ${reported.map((item) => `${item.name}: ${item.state}, ${[...item.faults, ...item.lost, ...item.ghosts].slice(0, 3).join('; ')}`).join(' | ')}.`}`,
          ]
        : []),
    ],
    figures: { trials },
  };
});

/** @param {Trial} trial */
function hasPassed({ state, faults, lost, ghosts, isKilled, pauseMs }) {
  return (
    state === 'done' &&
    faults.length + lost.length + ghosts.length === 0 &&
    (isKilled || (pauseMs ?? PAUSE_BAR_MS) < PAUSE_BAR_MS)
  );
}

/** @param {readonly Trial[]} trials */
function reportSizes(trials) {
  const sizes = trials.map(({ bytes }) => Math.round(bytes / 2 ** 20));
  return trials.length === 0
    ? 'none'
    : `${trials.length} of ${Math.min(...sizes)} to ${Math.max(...sizes)} MB`;
}

/**
 * Makes the moves. Each database is on the first server when its moves begin.
 * @param {{ plain: readonly string[], points: readonly string[] }} wanted
 * @param {Trial[]} created
 */
async function makeMoves({ plain, points }, created) {
  const pointFile = join(tmpdir(), `rowhouse-move-point-${process.pid}`);
  const extraEnv = { ROWHOUSE_ENV: 'test', FAIL_POINT_FILE: pointFile };
  await withProduct({ gateways: 2, backoffMaxMs: 250, extraEnv }, async (product) => {
    const environment = {
      ...product,
      admin: product.mysql.admin,
      platform: product.platform.admin,
      redisUrl: product.redisUrl,
    };
    const { demo } = product.run;
    if (demo === null) throw new Error('the operator is needed');
    // These tenants are created before the second server is registered, so that their databases are on the
    // first one.
    const large =
      plain.length === 0
        ? null
        : await openLedgerTenant(
            environment,
            await signUp(product.control, { name: 'mover', starter: 'empty' }),
          );
    const small =
      points.length === 0
        ? null
        : await openLedgerTenant(
            environment,
            await signUp(product.control, { name: 'killed', starter: 'empty' }),
          );
    const second = await startSecondServer(environment, demo);
    try {
      const control = await signIn(product.control, demo);
      const first = (await control.call('GET', '/api/admin/servers')).json.items.find(
        (/** @type {{ id: string }} */ item) => item.id !== second.id,
      );
      const stage = {
        product,
        environment,
        pointFile,
        control,
        ends: [
          { id: second.id, admin: second.admin },
          { id: first.id, admin: environment.admin },
        ],
      };
      if (small !== null)
        await moveToAndFro(
          stage,
          small,
          { names: points, isKilled: true, megabytes: KILLED_MEGABYTES },
          created,
        );
      if (large !== null)
        await moveToAndFro(stage, large, { names: plain, isKilled: false, megabytes: MEGABYTES }, created);
    } finally {
      await stopLoads();
      await second.stop();
    }
  });
}

/**
 * @param {Stage} stage
 * @param {Tenant} tenant
 * @param {{ names: readonly string[], isKilled: boolean, megabytes: number }} options
 * @param {Trial[]} created
 */
async function moveToAndFro(stage, tenant, { names, isKilled, megabytes }, created) {
  const bytes = await fill(tenant, megabytes);
  if (!isKilled) console.log(`quiet: ${JSON.stringify(await measureQuiet(stage.environment, tenant))}`);
  for (const [index, name] of names.entries()) {
    const end = stage.ends[index % 2];
    if (end === undefined) throw new Error('two servers are needed');
    const trial = {
      name,
      isKilled,
      bytes,
      engine: stage.product.mysql.version,
      ...(await moveOnce(stage, { ...tenant, admin: end.admin }, end.id, {
        point: isKilled ? name : null,
        prefix: `${isKilled ? 'k' : 'm'}${index}-`,
      })),
    };
    created.push(trial);
    FILE.note(trial);
    console.log(
      `${name}: ${trial.state}, pause ${trial.pauseMs} ms, ${trial.switches} tries, ${trial.seconds} s, longest ${trial.requestsMs.max} ms, ${trial.faults.length} failed, ${trial.lost.length} lost${[
        ...trial.faults,
        ...trial.lost,
      ]
        .slice(0, 3)
        .map((item) => `\n  ${item}`)
        .join('')}`,
    );
    if (trial.state !== 'done') break;
  }
}

/**
 * @param {Stage} stage
 * @param {Tenant} tenant as it is after the move
 * @param {string} serverId
 * @param {{ point: string | null, prefix: string }} options
 */
async function moveOnce({ environment, pointFile, control }, tenant, serverId, { point, prefix }) {
  if (point !== null) writeFileSync(pointFile, point);
  const load = await startTenantLoad(environment, tenant, { perSecond: PER_SECOND, prefix });
  const startedMs = performance.now();
  const path = `/api/admin/databases/${tenant.person.development.id}/move`;
  expectStatus(await control.call('POST', path, { server: serverId }), [202], 'move');
  const move = await waitFor(
    'the move',
    async () => {
      const { json } = await control.call('GET', path);
      return ['done', 'failed', 'cancelled'].includes(json.state) ? json : null;
    },
    { timeoutMs: MOVE_LIMIT_MS, intervalMs: 100 },
  );
  const { acknowledged, lost, ghosts } = await load.settle();
  const taken = load.take();
  const faults = listFaults(taken);
  if (point !== null && existsSync(pointFile)) faults.push('the move never reached this point');
  rmSync(pointFile, { force: true });
  return {
    state: move.error === null ? move.state : `${move.state}: ${move.error.code} ${move.error.detail}`,
    pauseMs: move.pause_ms,
    switches: move.switches,
    seconds: Math.round((performance.now() - startedMs) / 1_000),
    requestsMs: summarize(taken.map(({ sentMs, endMs }) => endMs - sentMs)),
    answers: countAnswers(taken),
    acknowledged,
    faults,
    lost,
    ghosts,
  };
}

/**
 * Adds rows to those of the load, until the files of the database have this size.
 * @param {Tenant} tenant
 * @param {number} megabytes
 */
async function fill(tenant, megabytes) {
  const admin = await openAdmin(tenant.admin);
  // The numbers come from MariaDB's own sequence tables, which need a current schema.
  await admin.query(`USE ${tenant.schema}`);
  for (let done = 0; ; done += FILL_ROWS) {
    await admin.query(
      `INSERT INTO ${tenant.schema}.entries (mark, note) SELECT CONCAT('${tenant.schema} fill ', seq), REPEAT(CHAR(97 + seq % 26), ${NOTE_CHARS}) FROM seq_${done + 1}_to_${done + FILL_ROWS}`,
    );
    const [found] = await admin.query(
      'SELECT SUM(FILE_SIZE) AS bytes FROM information_schema.INNODB_SYS_TABLESPACES WHERE NAME LIKE ?',
      [`${tenant.schema}/%`],
    );
    const bytes = Number(/** @type {{ bytes: number }[]} */ (found)[0]?.bytes ?? 0);
    if (bytes < megabytes * 2 ** 20) continue;
    await admin.end();
    return bytes;
  }
}

/**
 * Measures the same requests while nothing moves.
 * @param {import('../../faults/fault-stage.mjs').FaultEnvironment} environment
 * @param {Tenant} tenant
 */
async function measureQuiet(environment, tenant) {
  const load = await startTenantLoad(environment, tenant, { perSecond: PER_SECOND, prefix: 'q-' });
  await sleep(5_000);
  await load.settle();
  return summarize(load.take().map(({ sentMs, endMs }) => endMs - sentMs));
}
