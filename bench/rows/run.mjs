// @ts-check
/**
 * Measures the CPU time of this process for statements whose rows become JSON:
 * `node bench/rows/run.mjs [--turns 1000]`. It alternates between rows parsed by the driver and rows
 * converted from wire bytes, over one database server and without HTTP.
 *
 * Creates are also measured on the sessions for short writes, and on a pipelined connection where each
 * statement is committed before the next one is sent. Disk flushes of the server are counted for each path.
 * CPU time does not depend on other load of the machine, but throughput does.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findMariadb } from '@rowhouse/local/servers/find-servers';
import { findFreePort } from '@rowhouse/local/processes/free-port';
import { createTerminalReport } from '@rowhouse/local/report';
import { makePassword, startMysqlServer } from '@rowhouse/local/servers/start-mysql-server';
import { createTenantPools, DEFAULT_POOL_OPTIONS, JsonRows, runStatements } from '@rowhouse/mysql';
import { createRowSink, rowFormatOf } from '@rowhouse/rest-engine';
import mysql from 'mysql2/promise';
import { createBlog } from '../lib/create-blog.mjs';
import { seedBlog } from '../lib/seed-blog.mjs';
import { planStatement, planWrite } from '../stages/stages.mjs';

/** @typedef {import('@rowhouse/mysql').TenantPools} TenantPools */
/** @typedef {import('@rowhouse/rest-engine').Statement} Statement */

const { values } = parseArgs({ options: { turns: { type: 'string', default: '1000' } } });
const ITERATIONS = Number(values.turns);
const SIZE = { users: 1_000, posts: 10_000, comments: 1_000, tags: 10 };
const ROUNDS = 5;
const CALLERS = 32;
/** The number of sessions that a gateway has for one database and for its short writes. */
const SESSIONS = 4;
const WRITE_SESSIONS = 10;
/** The connection limit of the server, which leaves capacity for other tenants. */
const SERVER_SESSIONS = 20;
const BYTES_MAX = 64 * 2 ** 20;

/** @typedef {'driver' | 'wire' | 'short' | 'pipelined'} Executor */

/** @type {readonly { name: string, slices: number, kind: 'keyed' | 'read' | 'write', statement: (iteration: number) => Statement }[]} */
const CASES = [
  {
    name: 'one by id',
    slices: ITERATIONS * 2,
    kind: 'keyed',
    statement: (iteration) => planStatement(`/posts/${1 + ((iteration * 37) % SIZE.posts)}`, ''),
  },
  {
    name: 'list of 20',
    slices: ITERATIONS,
    kind: 'read',
    statement: (iteration) =>
      planStatement('/posts', `id__lt=${1_000 + ((iteration * 37) % 9_000)}&sort=-id&limit=20`),
  },
  {
    name: 'list of 1,000',
    slices: Math.ceil(ITERATIONS / 20),
    kind: 'read',
    statement: (iteration) =>
      planStatement('/posts', `id__lt=${1_000 + ((iteration * 37) % 9_000)}&sort=-id&limit=1000`),
  },
  {
    name: 'create',
    slices: ITERATIONS,
    kind: 'write',
    statement: (iteration) =>
      planWrite(
        'POST',
        '/comments',
        JSON.stringify({
          content: `comment ${iteration}`,
          user_id: 1 + (iteration % SIZE.users),
          post_id: 1 + (iteration % SIZE.posts),
        }),
      ),
  },
];

const homeDir = mkdtempSync(join(tmpdir(), 'rowhouse-rows-'));
const server = await startMysqlServer({
  engine: 'mariadb',
  program: await findMariadb(createTerminalReport()),
  homeDir: join(homeDir, 'mysql'),
  logFile: join(homeDir, 'mysql.log'),
  port: await findFreePort(),
  password: makePassword(),
});
try {
  const url = `mysql://${server.user}:${server.password}@${server.host}:${server.port}`;
  await createBlog(url, 'blog');
  await seedBlog(`${url}/blog`, SIZE, 1);
  const target = {
    server: {
      id: 'one',
      host: server.host,
      port: server.port,
      tls: /** @type {const} */ ('off'),
      engine: /** @type {const} */ ('mariadb'),
      connectionsMax: SERVER_SESSIONS,
    },
    account: {
      user: server.user,
      password: () => server.password,
      schema: 'blog',
      connectionsMax: SESSIONS,
      writesMax: WRITE_SESSIONS,
    },
  };
  /** @type {Record<Executor, TenantPools>} */
  const pools = {
    driver: openPools('driver'),
    wire: openPools('wire'),
    short: openPools('wire'),
    pipelined: openPools('wire'),
  };
  const admin = await mysql.createConnection(url);
  for (const item of CASES) await compareExecutors(pools, admin, target, item);
  await admin.end();
  await Promise.all(Object.values(pools).map((tenantPools) => tenantPools.close(500)));
} finally {
  await server.stop(5_000);
  rmSync(homeDir, { recursive: true, force: true });
}

/** @param {'driver' | 'wire'} answersReadBy */
function openPools(answersReadBy) {
  return createTenantPools({ ...DEFAULT_POOL_OPTIONS, connectTimeoutMs: 30_000, answersReadBy });
}

/** @typedef {{ server: import('@rowhouse/mysql').PoolServer, account: import('@rowhouse/mysql').PoolAccount }} Target */

/**
 * Alternates between the code paths and prints the median of the rounds.
 * @param {Record<Executor, TenantPools>} pools
 * @param {mysql.Connection} admin
 * @param {Target} target
 * @param {(typeof CASES)[number]} item
 */
async function compareExecutors(pools, admin, target, item) {
  /** @type {readonly Executor[]} */
  const executors = item.kind === 'write' ? ['driver', 'wire', 'short', 'pipelined'] : ['driver', 'wire'];
  /** @type {Partial<Record<Executor, Figures[]>>} */
  const figures = {};
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const executor of executors) {
      const before = await readFlushes(admin);
      const found = await measure(pools[executor], target, item, executor);
      // The first round compiles the code and is not counted.
      if (round > 0)
        (figures[executor] ??= []).push({
          ...found,
          flushes: ((await readFlushes(admin)) - before) / item.slices,
        });
    }
  }
  const middle = (/** @type {Executor} */ executor, /** @type {keyof Figures} */ name) =>
    (figures[executor] ?? []).map((found) => found[name]).toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ??
    Number.NaN;
  const reportFlushes = (/** @type {Executor} */ executor) =>
    item.kind === 'write' ? `, ${middle(executor, 'flushes').toFixed(2)} flushes` : '';
  const messages = executors.map(
    (executor) =>
      `${executor} ${middle(executor, 'cpuUs').toFixed(1)} us (${(middle(executor, 'cpuUs') / middle('driver', 'cpuUs')).toFixed(2)}), ${middle(executor, 'perSecond').toFixed(0)}/s${reportFlushes(executor)}`,
  );
  console.log(`${item.name}: ${messages.join('; ')}`);
}

/**
 * Returns the disk flushes of the server since it started.
 * @param {mysql.Connection} admin
 */
async function readFlushes(admin) {
  const [rows] = await admin.query("SHOW GLOBAL STATUS LIKE 'Innodb_data_fsyncs'");
  return Number(/** @type {{ Value: string }[]} */ (rows)[0]?.Value);
}

/** @typedef {{ cpuUs: number, perSecond: number, flushes: number }} Figures */

/**
 * Returns the CPU time of this process for one statement and its text, without that of the server.
 * @param {TenantPools} pools
 * @param {Target} target
 * @param {(typeof CASES)[number]} one
 * @param {Executor} executor
 * @returns {Promise<Omit<Figures, 'flushes'>>}
 */
async function measure(pools, target, { slices: iterations, kind, statement }, executor) {
  const statements = Array.from({ length: iterations }, (_, iteration) => statement(iteration));
  const isKeyed = kind === 'keyed' || executor === 'pipelined';
  const mode = kind === 'write' ? 'write' : 'read';
  let next = 0;
  let length = 0;
  const before = process.cpuUsage();
  const startMs = performance.now();
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      for (let requested = statements[next++]; requested !== undefined; requested = statements[next++]) {
        const wantedItems = requested;
        const result = isKeyed
          ? (await pools.executor.readByKey(target, 60_000, wantedItems, () => makeSink(wantedItems))).rows
          : await runStatements(
              pools,
              target,
              { mode, waitMs: 60_000, need: executor === 'short' ? 'short' : 'long' },
              async (run) => (await run(wantedItems.sql, wantedItems.params, makeSink(wantedItems))).rows,
            );
        length += result;
      }
    }),
  );
  const { user, system } = process.cpuUsage(before);
  if (length < iterations * 50) throw new Error('The statements returned no rows');
  return {
    cpuUs: (user + system) / iterations,
    perSecond: (iterations * 1_000) / (performance.now() - startMs),
  };
}

/**
 * Creates the same row sink as the gateway.
 * @param {Statement} statement
 * @returns {import('@rowhouse/mysql').RowSink<number>} counts bytes
 */
function makeSink(statement) {
  const cells = createRowSink(statement, { numbers: 'json', textMax: BYTES_MAX });
  /** @type {JsonRows | null} */
  let rows = null;
  const { shape } = statement;
  return {
    columns: null,
    wire: (layout) =>
      shape === null ? null : (rows = new JsonRows(layout, rowFormatOf(shape, 'json'), BYTES_MAX)),
    row: (row) => cells.row(row),
    end() {
      rows?.end();
      const text =
        rows === null
          ? cells.end({ affectedRows: 0, insertId: null }).arrayText(1_000)
          : rows.arrayBytes(1_000);
      return typeof text === 'string' ? Buffer.from(text).length : text.length;
    },
  };
}
