// @ts-check
/**
 * `node bench/rows/run.mjs [--turns 1000]`: CPU of this process for statements whose rows become JSON, read by the driver
 * and straight from the wire, in turns over one database server and without HTTP. CPU time does not mind a busy machine.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findMariadb } from '@rowhouse/local/find-servers';
import { findFreePort } from '@rowhouse/local/free-port';
import { createTerminalReport } from '@rowhouse/local/report';
import { makePassword, startMysqlServer } from '@rowhouse/local/start-mysql-server';
import { createTenantPools, DEFAULT_POOL_OPTIONS, JsonRows, runKeyed, runStatements } from '@rowhouse/mysql';
import { createRowSink, rowFormatOf } from '@rowhouse/rest-engine';
import mysql from 'mysql2/promise';
import { seedBlog } from '../lib/seed-blog.mjs';
import { planStatement } from '../stages/stages.mjs';

/** @typedef {import('@rowhouse/mysql').TenantPools} TenantPools */
/** @typedef {import('@rowhouse/rest-engine').Statement} Statement */

const { values } = parseArgs({ options: { turns: { type: 'string', default: '1000' } } });
const TURNS = Number(values.turns);
const SIZE = { users: 1_000, posts: 10_000, comments: 1_000, tags: 10 };
const ROUNDS = 5;
const AT_ONCE = 8;
const BYTES_MAX = 64 * 2 ** 20;

/** @type {readonly { name: string, turns: number, isKeyed: boolean, statement: (turn: number) => Statement }[]} */
const CASES = [
  { name: 'one by id', turns: TURNS * 2, isKeyed: true, statement: (turn) => planStatement(`/posts/${1 + ((turn * 37) % SIZE.posts)}`, '') },
  { name: 'list of 20', turns: TURNS, isKeyed: false, statement: (turn) => planStatement('/posts', `id__lt=${1_000 + ((turn * 37) % 9_000)}&sort=-id&limit=20`) },
  { name: 'list of 1,000', turns: Math.ceil(TURNS / 20), isKeyed: false, statement: (turn) => planStatement('/posts', `id__lt=${1_000 + ((turn * 37) % 9_000)}&sort=-id&limit=1000`) },
];

const homeDir = mkdtempSync(join(tmpdir(), 'rowhouse-rows-'));
const server = await startMysqlServer({ engine: 'mariadb', program: await findMariadb(createTerminalReport()), homeDir: join(homeDir, 'mysql'), logFile: join(homeDir, 'mysql.log'), port: await findFreePort(), password: makePassword() });
try {
  const url = `mysql://${server.user}:${server.password}@${server.host}:${server.port}`;
  await layBlog(url);
  await seedBlog(`${url}/blog`, SIZE, 1);
  const target = {
    server: { id: 'one', host: server.host, port: server.port, tls: /** @type {const} */ ('off'), engine: /** @type {const} */ ('mariadb'), connectionsMax: AT_ONCE },
    account: { user: server.user, password: () => server.password, schema: 'blog', connectionsMax: AT_ONCE },
  };
  const roads = [/** @type {const} */ ('driver'), /** @type {const} */ ('wire')].map((road) => ({ road, target, pools: createTenantPools({ ...DEFAULT_POOL_OPTIONS, connectTimeoutMs: 30_000, answersReadBy: road }) }));
  for (const one of CASES) {
    /** @type {Record<string, number[]>} */
    const figures = { driver: [], wire: [] };
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const { road, pools } of roads) {
        const cpuUs = await measure(pools, target, one);
        // The first round compiles.
        if (round > 0) figures[road]?.push(cpuUs);
      }
    }
    const [driver = Number.NaN, wire = Number.NaN] = [figures['driver'], figures['wire']].map((list) => (list ?? []).toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)]);
    console.log(`${one.name}: ${driver.toFixed(1)} us by the driver, ${wire.toFixed(1)} us from the wire (${(wire / driver).toFixed(2)})`);
  }
  await Promise.all(roads.map(({ pools }) => pools.close(500)));
} finally {
  await server.stop(5_000);
  rmSync(homeDir, { recursive: true, force: true });
}

/** @param {string} url */
async function layBlog(url) {
  const ddl = readFileSync(new URL('../../apps/control-plane/src/starters/blog.sql', import.meta.url), 'utf8');
  const connection = await mysql.createConnection({ uri: url, multipleStatements: true });
  await connection.query(`CREATE DATABASE blog; USE blog; ${ddl}`);
  await connection.end();
}

/**
 * CPU of this process for one statement and its text, in us; the server's is not in it.
 * @param {TenantPools} pools
 * @param {{ server: import('@rowhouse/mysql').PoolServer, account: import('@rowhouse/mysql').PoolAccount }} target
 * @param {(typeof CASES)[number]} one
 */
async function measure(pools, target, { turns, isKeyed, statement }) {
  const statements = Array.from({ length: turns }, (_, turn) => statement(turn));
  let next = 0;
  let length = 0;
  const before = process.cpuUsage();
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    for (let asked = statements[next++]; asked !== undefined; asked = statements[next++]) {
      const wanted = asked;
      const result = isKeyed
        ? (await runKeyed(pools, target, 60_000, wanted, () => makeSink(wanted))).rows
        : await runStatements(pools, target, { mode: 'read', waitMs: 60_000 }, async (run) => (await run(wanted.sql, wanted.params, makeSink(wanted))).rows);
      length += result;
    }
  }));
  const { user, system } = process.cpuUsage(before);
  if (length < turns * 50) throw new Error('the statements gave no rows');
  return (user + system) / turns;
}

/** As the gateway has it. @param {Statement} statement @returns {import('@rowhouse/mysql').RowSink<number>} bytes */
function makeSink(statement) {
  const cells = createRowSink(statement, { numbers: 'json', textMax: BYTES_MAX });
  /** @type {JsonRows | null} */
  let rows = null;
  const { shape } = statement;
  return {
    columns: null,
    wire: (layout) => (shape === null ? null : (rows = new JsonRows(layout, rowFormatOf(shape, 'json'), BYTES_MAX))),
    row: (row) => cells.row(row),
    end() {
      rows?.end();
      const text = rows === null ? cells.end({ affectedRows: 0, insertId: null }).arrayText(1_000) : rows.arrayBytes(1_000);
      return typeof text === 'string' ? Buffer.from(text).length : text.length;
    },
  };
}
