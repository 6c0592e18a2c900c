// @ts-check
/**
 * A database of some size is moved from server to server and back while an open loop of requests writes to it, with a
 * ledger of what was acknowledged; on further moves the worker is killed at each step.
 *   --megabytes 1024     --rate 200     --moves 2 without a kill     --points move-piece,… or none
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { claimNone, countAnswers, listFaults, openAdmin, openLedgerTenant, startTenantLoad, stopLoads } from '../faults/fault-stage.mjs';
import { startSecondServer } from '../faults/second-server.mjs';
import { expectStatus, signIn, signUp } from '../support/control.mjs';
import { waitFor } from '../support/wait.mjs';
import { withProduct } from '../support/with-product.mjs';
import { summarize } from '../support/write-report.mjs';
import { readCount, readWords, runSuite } from './lib/run-suite.mjs';

const MEGABYTES = readCount('megabytes', 1_024);
const PER_SECOND = readCount('rate', 200);
const MOVES = readCount('moves', 2);
const POINTS = (readWords('points') ?? [
  'move-claimed', 'move-place-laid', 'move-structure', 'move-captured', 'move-piece', 'move-comparing', 'move-compare', 'move-switching', 'move-pause-begun', 'move-locked', 'move-brought',
  'move-switched', 'move-opened', 'move-before-drop',
]).filter((name) => name !== 'none');
const PAUSE_BAR_MS = 2_000;
const MOVE_LIMIT_MS = 1_800_000;
const NOTE_CHARS = 200;
const FILL_ROWS = 20_000;

/**
 * @typedef {import('../support/with-product.mjs').RunningProduct} RunningProduct
 * @typedef {import('../faults/fault-stage.mjs').Tenant} Tenant
 * @typedef {{ point: string | null, state: string, pauseMs: number | null, switches: number, seconds: number, longestMs: number, faults: string[], lost: string[], ghosts: string[] }} Trial
 */

await runSuite(async () => {
  const pointFile = join(tmpdir(), `rowhouse-move-point-${process.pid}`);
  const extraEnv = { ROWHOUSE_ENV: 'test', FAIL_POINT_FILE: pointFile };
  const found = await withProduct({ gateways: 2, backoffMaxMs: 250, extraEnv }, async (product) => {
    try {
      return await moveToAndFro(product, pointFile);
    } finally {
      await stopLoads();
    }
  });
  const { trials, engines, bytes, quiet, moving, answers, acknowledged } = found;
  const plain = trials.filter(({ point }) => point === null);
  const pauses = plain.map(({ pauseMs }) => pauseMs ?? Number.POSITIVE_INFINITY);
  const all = (/** @type {(trial: Trial) => string[]} */ of) => trials.flatMap((trial) => of(trial).map((one) => `${trial.point ?? 'no kill'}: ${one}`));
  return {
    suite: 'move-database',
    title: 'A database that changes its server under load',
    command: `pnpm test:long move-database${process.argv.length > 2 ? ` ${process.argv.slice(2).join(' ')}` : ''}`,
    seed: null,
    engines,
    skips: ['MySQL: e2e has a second server of MariaDB alone; the integration tests move on both'],
    claims: [
      claimNone('every move ends at the other server', all(({ state }) => (state === 'done' ? [] : [state])), `${trials.length} moves of ${Math.round(bytes / 2 ** 20)} MB, ${trials.length - plain.length} with a kill`),
      claimNone('0 acknowledged writes lost', all(({ lost }) => lost), `0 of ${acknowledged}`),
      claimNone('nothing that was refused has happened', all(({ ghosts }) => ghosts), 'none'),
      claimNone('no request fails, under the same key', all(({ faults }) => faults), JSON.stringify(answers)),
      { claim: `writes are held below ${PAUSE_BAR_MS} ms`, holds: pauses.length > 0 && Math.max(...pauses) < PAUSE_BAR_MS, found: pauses.map((one) => `${one} ms`).join(', ') },
    ],
    notes: [
      `${PER_SECOND} requests/s over two gateways in an open loop: creates, reads of what was acknowledged, increments, deletes.`,
      'The pause is the worker\'s: from before writes are held until they are let go. Where the worker is killed, writes wait for their hold to end, and the move goes on when its lease has run out.',
    ],
    figures: { bytes, trials, requests_ms: { quiet: summarize(quiet), moving: summarize(moving) }, answers, acknowledged },
  };
});

/** @param {RunningProduct} product @param {string} pointFile */
async function moveToAndFro(product, pointFile) {
  const place = { ...product, admin: product.mysql.admin, redisUrl: product.redisUrl };
  const { demo } = product.run;
  if (demo === null) throw new Error('the operator is needed');
  // Before there is a second server, so that its database lies on the first.
  const owner = await signUp(product.control, { name: 'mover', starter: 'empty' });
  const tenant = await openLedgerTenant(place, owner);
  const second = await startSecondServer(place, demo);
  try {
    const bytes = await fill(tenant);
    const control = await signIn(product.control, demo);
    const servers = (await control.call('GET', '/api/admin/servers')).json.items;
    const first = servers.find((/** @type {{ id: string }} */ one) => one.id !== second.id);
    const ends = [{ id: second.id, admin: second.admin }, { id: first.id, admin: place.admin }];
    const quiet = await measureQuiet(place, tenant);
    /** @type {Trial[]} */
    const trials = [];
    /** @type {import('../faults/ledger-client.mjs').Asked[]} */
    const asked = [];
    let acknowledged = 0;
    const wanted = [...Array.from({ length: MOVES }, () => null), ...POINTS];
    for (const [at, point] of wanted.entries()) {
      const end = ends[at % 2] ?? ends[0];
      if (end === undefined) throw new Error('two servers are needed');
      if (point !== null) writeFileSync(pointFile, point);
      const load = await startTenantLoad(place, { ...tenant, admin: end.admin }, { perSecond: PER_SECOND, prefix: `m${at}-` });
      const startedMs = performance.now();
      expectStatus(await control.call('POST', `/api/admin/databases/${owner.development.id}/move`, { server: end.id }), [202], 'move');
      const move = await waitFor('the move', async () => {
        const { json } = await control.call('GET', `/api/admin/databases/${owner.development.id}/move`);
        return ['done', 'failed', 'cancelled'].includes(json.state) ? json : null;
      }, { timeoutMs: MOVE_LIMIT_MS, intervalMs: 100 });
      const checked = await load.settle();
      const taken = load.take();
      for (const one of taken) asked.push(one);
      acknowledged += checked.acknowledged;
      const trial = { point, state: move.error === null ? move.state : `${move.state}: ${move.error.code} ${move.error.detail}`, pauseMs: move.pause_ms, switches: move.switches, seconds: Math.round((performance.now() - startedMs) / 1_000), longestMs: Math.round(taken.reduce((most, { sentMs, endMs }) => Math.max(most, endMs - sentMs), 0)), faults: listFaults(taken), lost: checked.lost, ghosts: checked.ghosts };
      if (point !== null && existsSync(pointFile)) trial.faults.push('the move never came by this point');
      rmSync(pointFile, { force: true });
      trials.push(trial);
      console.log(`${point ?? 'no kill'}: ${trial.state}, pause ${trial.pauseMs} ms, ${trial.switches} tries, ${trial.seconds} s, longest ${trial.longestMs} ms, ${trial.faults.length} failed, ${trial.lost.length} lost${[...trial.faults, ...trial.lost].slice(0, 3).map((one) => `\n  ${one}`).join('')}`);
      if (move.state !== 'done') break;
    }
    return { trials, engines: { mariadb: product.mysql.version }, bytes, quiet, moving: asked.map(({ sentMs, endMs }) => endMs - sentMs), answers: countAnswers(asked), acknowledged };
  } finally {
    await second.stop();
  }
}

/** Rows beside those of the load, until the tables are so large. @param {Tenant} tenant */
async function fill(tenant) {
  const admin = await openAdmin(tenant.admin);
  // Numbers come from MariaDB's own sequence tables, which want a schema to be in.
  await admin.query(`USE ${tenant.schema}`);
  const rows = Math.ceil((MEGABYTES * 2 ** 20) / (NOTE_CHARS + 90));
  for (let done = 0; done < rows; done += FILL_ROWS) {
    await admin.query(`INSERT INTO ${tenant.schema}.entries (mark, note) SELECT CONCAT('${tenant.schema} fill ', seq), REPEAT(CHAR(97 + seq % 26), ${NOTE_CHARS}) FROM seq_${done + 1}_to_${Math.min(rows, done + FILL_ROWS)}`);
  }
  const [found] = await admin.query('SELECT SUM(FILE_SIZE) AS bytes FROM information_schema.INNODB_SYS_TABLESPACES WHERE NAME LIKE ?', [`${tenant.schema}/%`]);
  await admin.end();
  return Number(/** @type {{ bytes: number }[]} */ (found)[0]?.bytes ?? 0);
}

/** How long the same requests take while nothing moves. @param {import('../faults/fault-stage.mjs').Place} place @param {Tenant} tenant */
async function measureQuiet(place, tenant) {
  const load = await startTenantLoad(place, tenant, { perSecond: PER_SECOND, prefix: 'q-' });
  await sleep(5_000);
  await load.settle();
  return load.take().map(({ sentMs, endMs }) => endMs - sentMs);
}
