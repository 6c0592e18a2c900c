// @ts-check
/**
 * Measures a cell at full size. It measures what a poll of the detector costs with thousands of accounts that
 * have connected, and whether it still sees a session that existed for 50 ms. It measures publishing with
 * hundreds of gateways, one of which stops. It also measures the memory of each process at rest and the time
 * of its start.
 *
 * Options: `--accounts 5000`, `--sessions 10`, `--gateways 200`, `--look-seconds 20`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import mysql from 'mysql2/promise';
import {
  beginDeploy,
  createConnection,
  deploy,
  signUp,
  waitForMigration,
  waitUntilProvisioned,
} from '../../support/control.mjs';
import { openApi } from '../../support/http.mjs';
import { waitFor } from '../../support/wait.mjs';
import { readIdleMemory } from '../../support/watch-memory.mjs';
import { withProduct } from '../../support/with-product.mjs';
import { summarize } from '../../support/write-report.mjs';
import { readCount, runSuite } from '../lib/run-suite.mjs';

const ACCOUNTS = readCount('accounts', 5_000);
const SESSIONS = readCount('sessions', 10);
const GATEWAYS = readCount('gateways', 200);
const CHECK_MS = readCount('look-seconds', 20) * 1_000;
const CHECK_MS_MAX = 5;
const SEEN_MS_MAX = 1_000;
const SESSION_MS = 50;
const LEASE_MS = 5_000;
const RENEW_MS = 100;
const CALM_MS = readCount('calm', 5_000);
const PICOSECONDS_PER_MS = 1e9;

/** @typedef {import('../../support/control.mjs').TestUser} User */
/** @typedef {import('../../support/with-product.mjs').RunningProduct} RunningProduct */

await runSuite(() =>
  withProduct({ gateways: 1 }, async (product) => {
    const processes = await readProcesses(product);
    const user = await signUp(product.control, { name: 'scale', starter: 'empty' });
    await waitUntilProvisioned(product.gateways[0] ?? '', user);
    const admin = await mysql.createConnection({ ...product.mysql.admin });
    try {
      await deploy(
        user,
        'CREATE TABLE watched (id int AUTO_INCREMENT PRIMARY KEY, note varchar(40), a int, b int, c int, d int)',
      );
      const few = await measureLooks(admin);
      await connectMany(admin, product);
      const many = await measureLooks(admin);
      const seenMs = await changeQuickly(product, user);
      const publishes = await publishAmongGateways(product, user);
      return {
        suite: 'cell-scale',
        title: `One cell with ${ACCOUNTS} connected accounts and ${GATEWAYS} gateways`,
        command: `pnpm test:long cell-scale${process.argv.length > 2 ? ` ${process.argv.slice(2).join(' ')}` : ''}`,
        seed: null,
        engines: { [product.mysql.engine]: product.mysql.version },
        skips: [],
        claims: [
          {
            claim:
              `a poll of the detector takes less than ${CHECK_MS_MAX} ms of server time with ${ACCOUNTS} ` +
              'connected accounts',
            holds: many.msPerLook < CHECK_MS_MAX,
            found: `${many.msPerLook} ms over ${many.looks} polls, ${few.msPerLook} ms before`,
          },
          {
            claim: `a table changed by a session of ${SESSION_MS} ms is served within ${SEEN_MS_MAX} ms`,
            holds: Math.max(...seenMs) <= SEEN_MS_MAX,
            found: seenMs.map(Math.round).join(', '),
          },
          {
            claim: `a publish that waits for all ${GATEWAYS} gateways completes`,
            holds: publishes.allMs > 0,
            found: `${publishes.allMs} ms, ${publishes.plainMs} ms with one gateway`,
          },
          {
            claim: 'a publish waits for a stopped gateway until its lease expires, and no longer',
            holds: publishes.stoppedMs <= LEASE_MS + publishes.plainMs + 2_000,
            found: `${publishes.stoppedMs} ms`,
          },
          {
            claim: 'no request fails meanwhile, and a publish without gateway confirmation does not wait',
            holds: publishes.failed === 0 && publishes.besideMs < LEASE_MS,
            found: `${publishes.failed} of ${publishes.asked} requests; another database's publish in ${publishes.besideMs} ms`,
          },
          {
            claim: 'the next publish does not wait for the stopped gateway',
            holds: publishes.afterMs <= publishes.allMs + 2_000,
            found: `${publishes.afterMs} ms`,
          },
        ],
        notes: [
          "The cost of a poll is the server time of the detector's statements, divided by the number " +
            'of polls. A DDL statement every 300 ms makes each poll a complete one.',
          `All gateways except one are only rows of leases, renewed every ${RENEW_MS} ms with the end of the change log.`,
        ],
        figures: { processes, look_before: few, look: many, seen_ms: summarize(seenMs), publishes },
      };
    } finally {
      await admin.end();
    }
  }),
);

/**
 * Returns the seconds from the start of each process until it served, and its memory at rest in MiB.
 * @param {RunningProduct} product
 */
async function readProcesses(product) {
  /** @type {Record<string, { ready_seconds: number, rss_mib: number, heap_mib: number }>} */
  const found = {};
  for (const [name, url] of Object.entries(product.metricsUrls)) {
    const text = await (await fetch(`${url}/metrics`)).text();
    const ready = /^process_ready_after_seconds(?:\{[^}]*\})? (\S+)$/m.exec(text)?.[1];
    const { rss, heap } = await readIdleMemory(url, CALM_MS);
    found[name] = { ready_seconds: Math.round(Number(ready) * 1_000) / 1_000, rss_mib: rss, heap_mib: heap };
  }
  return found;
}

/**
 * Returns the statement time of the observer for each poll, while DDL runs.
 * @param {mysql.Connection} admin
 */
async function measureLooks(admin) {
  const read = async () => {
    const [rows] = /** @type {[{ ms: string, looks: string }[], unknown]} */ (
      await admin.query(
        `SELECT SUM(e.SUM_TIMER_WAIT) / ${PICOSECONDS_PER_MS} AS ms, SUM(IF(e.EVENT_NAME = 'statement/sql/show_status', e.COUNT_STAR, 0)) AS looks
       FROM performance_schema.threads t JOIN performance_schema.events_statements_summary_by_thread_by_event_name e ON e.THREAD_ID = t.THREAD_ID
       WHERE t.PROCESSLIST_USER = 'rh_observer' AND e.COUNT_STAR > 0`,
      )
    );
    return { ms: Number(rows[0]?.ms), looks: Number(rows[0]?.looks) };
  };
  await admin.query('CREATE DATABASE IF NOT EXISTS gate_mover');
  const before = await read();
  for (const endMs = performance.now() + CHECK_MS; performance.now() < endMs; await sleep(300))
    await admin.query('CREATE OR REPLACE VIEW gate_mover.moved AS SELECT 1 AS one');
  const after = await read();
  await admin.query('DROP DATABASE gate_mover');
  const checkCount = after.looks - before.looks;
  return { looks: checkCount, msPerLook: Math.round(((after.ms - before.ms) / checkCount) * 100) / 100 };
}

/**
 * Creates accounts that have each had a session.
 * @param {mysql.Connection} admin
 * @param {RunningProduct} product
 */
async function connectMany(admin, product) {
  const { host, port } = product.mysql.admin;
  for (let index = 0; index < ACCOUNTS; index += 1) {
    await admin.query(`CREATE USER seen${index}@'%' IDENTIFIED BY 'seen'`);
    await (await mysql.createConnection({ host, port, user: `seen${index}`, password: 'seen' })).end();
  }
}

/**
 * Changes the schema by sessions that end at once. Returns the milliseconds from the end of each to the first
 * schema with its change.
 * @param {RunningProduct} product
 * @param {User} user
 */
async function changeQuickly(product, user) {
  const api = openApi(product.gateways[0] ?? '', user.key);
  const { connection_string: connectionString } = await createConnection(user, {
    name: 'quick',
    role: 'owner',
  });
  const waits = [];
  for (let iteration = 0; iteration < SESSIONS; iteration += 1) {
    const session = await mysql.createConnection(connectionString);
    const openedMs = performance.now();
    await session.query(`ALTER TABLE watched ADD COLUMN quick${iteration} int`);
    await sleep(Math.max(0, SESSION_MS - (performance.now() - openedMs)));
    session.destroy();
    const goneMs = performance.now();
    await waitFor(
      'the column is live',
      async () => (await api.get('/schema')).text.includes(`quick${iteration}`),
      { timeoutMs: 30_000, intervalMs: 5 },
    );
    waits.push(performance.now() - goneMs);
    await sleep(500);
  }
  return waits;
}

/** @param {RunningProduct} product @param {User} user */
async function publishAmongGateways(product, user) {
  const other = await signUp(product.control, { name: 'beside', starter: 'empty' });
  await waitUntilProvisioned(product.gateways[0] ?? '', other);
  const api = openApi(product.gateways[0] ?? '', user.key);
  /**
   * Drops a column. The column is hidden first, so every gateway has to confirm that it no longer returns the
   * column.
   */
  const dropColumn = (/** @type {string} */ name) =>
    timed(() => deployConfirmed(user, `ALTER TABLE watched DROP COLUMN ${name}`));
  const plainMs = await dropColumn('a');
  const writer = await keepGateways(product);
  const allMs = await dropColumn('b');
  const counts = { asked: 0, failed: 0 };
  let isFinished = false;
  const asking = (async () => {
    while (!isFinished) {
      counts.asked += 1;
      if ((await api.get('/watched?limit=1')).status !== 200) counts.failed += 1;
      await sleep(10);
    }
  })();
  writer.stopOne();
  const [stoppedMs, besideMs] = await Promise.all([
    dropColumn('c'),
    timed(() => deploy(other, 'CREATE TABLE beside (id int AUTO_INCREMENT PRIMARY KEY)')),
  ]);
  const afterMs = await dropColumn('d');
  isFinished = true;
  await asking;
  await writer.close();
  return { plainMs, allMs, stoppedMs, besideMs, afterMs, ...counts };
}

/**
 * Deploys and confirms the plan. The first deploy needs a confirmation, because it reverts changes that
 * direct sessions made.
 * @param {User} user
 * @param {string} sql
 */
async function deployConfirmed(user, sql) {
  const { state, error } = await waitForMigration(user.control, await beginDeploy(user, sql));
  if (state !== 'published') throw new Error(`the migration ended ${state}: ${JSON.stringify(error)}`);
}

/**
 * Simulates gateways by their lease rows, which it updates as if each gateway applied every change.
 * @param {RunningProduct} product
 */
async function keepGateways(product) {
  const platform = await mysql.createConnection({ ...product.platform.admin });
  const rows = Array.from(
    { length: GATEWAYS },
    (_, index) =>
      `('c1', 'fake${index}', 1, 0, '[]', '', UTC_TIMESTAMP(3), UTC_TIMESTAMP(3) + INTERVAL ${LEASE_MS * 1_000} MICROSECOND)`,
  );
  await platform.query(
    `INSERT INTO rowhouse_cell.gateway_lease (cell_id, gateway_id, epoch, applied_through_seq, exceptions, address, renewed_at, expires_at) VALUES ${rows.join(', ')}`,
  );
  let stopped = '';
  let isFinished = false;
  const keeping = (async () => {
    while (!isFinished) {
      await platform.query(
        `UPDATE rowhouse_cell.gateway_lease l, rowhouse_cell.change_log_head h SET l.applied_through_seq = h.last_seq, l.renewed_at = UTC_TIMESTAMP(3), l.expires_at = UTC_TIMESTAMP(3) + INTERVAL ${LEASE_MS * 1_000} MICROSECOND
        WHERE h.cell_id = l.cell_id AND l.gateway_id LIKE 'fake%' AND l.gateway_id <> ?`,
        [stopped],
      );
      await sleep(RENEW_MS);
    }
  })();
  return {
    stopOne: () => void (stopped = 'fake0'),
    async close() {
      isFinished = true;
      await keeping;
      await platform.query("DELETE FROM rowhouse_cell.gateway_lease WHERE gateway_id LIKE 'fake%'");
      await platform.end();
    },
  };
}

/** @param {() => Promise<unknown>} callback */
async function timed(callback) {
  const startMs = performance.now();
  await callback();
  return Math.round(performance.now() - startMs);
}
