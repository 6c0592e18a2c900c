// @ts-check
/**
 * Creates an installation of the last version that kept the platform database on the tenants' server. Then
 * moves the database with the current version, with kills during the move.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import mysql from 'mysql2/promise';
import {
  digestTable,
  listColumns,
  listTables,
  prepareCopySession,
} from '@rowhouse/local/platform/copy-tables';
import { findMariadb, findMysql } from '@rowhouse/local/servers/find-servers';
import { findFreePort } from '@rowhouse/local/processes/free-port';
import { rootDir } from '@rowhouse/local/paths';
import { createTerminalReport } from '@rowhouse/local/report';
import { makePassword, startMysqlServer } from '@rowhouse/local/servers/start-mysql-server';
import { openRandom } from '@rowhouse/schema-model/testing';
import { createConnection, createKey, deploy, expectStatus, signIn, signUp } from '../../support/control.mjs';
import { openApi } from '../../support/http.mjs';
import { waitFor } from '../../support/wait.mjs';
import { buildVersionBefore, launch } from './parts/previous-version.mjs';
import { readCount, runSuite } from '../lib/run-suite.mjs';

const KILLS = readCount('kills', 12);
const SEED = readCount('seed', 1);
const ROWS = readCount('rows', 100_000);
/**
 * The maximum time from the start of the move to the kill. A complete move of this suite's data takes about
 * as long.
 */
const KILL_WITHIN_MS = 5_000;
const SCHEMAS = ['rowhouse_global', 'rowhouse_cell'];
/**
 * Tables that processes write to on their own. All other tables change only by user actions, so their
 * contents are compared.
 */
const WRITTEN_BY_PROCESSES = new Set([
  'gateway_lease',
  'server_lease',
  'server',
  'task',
  'detect_request',
  'usage_minute',
  'key_use_day',
  'change_log',
  'change_log_head',
  'value_index',
  'session',
  'platform_setting',
]);

/**
 * @typedef {import('../../support/control.mjs').TestUser} User
 * @typedef {import('@rowhouse/local/servers/mysql-admin').MysqlAddress} MysqlAddress
 * @typedef {Record<string, { rows: number, sum: string, columns: import('@rowhouse/local/platform/copy-tables').Column[] }>} Digests the digests of tables, by name
 * @typedef {{ person: Omit<User, 'control'>, extraKey: string, connection: string, migrations: unknown[], audit: number }} Made
 * @typedef {{ name: string, created: Made, before: Digests, faults: string[], kills: number, movedMs: number, rows: number }} Trial
 */

await runSuite(async () => {
  const previous = buildVersionBefore('infra/local/platform/move-platform.mjs');
  const home = mkdtempSync(join(tmpdir(), 'rowhouse-move-'));
  const engines = /** @type {Record<string, string>} */ ({});
  try {
    const trials = [
      await moveFolder(previous.root, home, engines),
      await moveGivenServer(previous.root, home, engines),
    ];
    return {
      suite: 'platform-move',
      title: 'The platform database of the previous version moves to its own server',
      command: `pnpm test:long platform-move${process.argv.length > 2 ? ` ${process.argv.slice(2).join(' ')}` : ''}`,
      seed: SEED,
      engines,
      skips: [],
      claims: trials.flatMap(({ name, kills, faults, rows, movedMs }) => [
        {
          claim: `${name}: after ${kills} kills during the move, all data is unchanged`,
          holds: faults.length === 0,
          found: faults.length === 0 ? `${rows} rows, the last move in ${movedMs} ms` : faults.join('; '),
        },
      ]),
      notes: [
        `The platform database was created by ${previous.commit.slice(0, 8)}, with ${ROWS} more rows of usage per minute.`,
        `Each kill is a SIGKILL of the launcher, which also ends its servers, within ${KILL_WITHIN_MS} ms of the start of the move.`,
      ],
      figures: Object.fromEntries(
        trials.map(({ name, kills, rows, movedMs, faults }) => [
          name,
          { kills, rows, moved_ms: movedMs, faults },
        ]),
      ),
    };
  } finally {
    rmSync(home, { recursive: true, force: true });
    previous.remove();
  }
});

/**
 * Moves the platform database of an installation with one private server.
 * @param {string} previousRoot
 * @param {string} home
 * @param {Record<string, string>} engines
 * @returns {Promise<Trial>}
 */
async function moveFolder(previousRoot, home, engines) {
  const dataDir = join(home, 'private');
  const created = await makeInstallation(previousRoot, dataDir, {});
  const program = await findMariadb(createTerminalReport());
  const open = async (/** @type {string} */ folder, /** @type {string} */ account) => {
    const { passwords } = JSON.parse(readFileSync(join(dataDir, 'state.json'), 'utf8'));
    return startMysqlServer({
      engine: 'mariadb',
      program,
      homeDir: join(dataDir, folder),
      logFile: join(home, 'look.log'),
      port: await findFreePort(),
      password: passwords[account],
    });
  };
  const old = await open('mysql', 'root');
  engines['mariadb'] = old.version;
  await fillLog(old);
  const before = await digestAll(old);
  await old.stop();
  const { kills, movedMs, faults } = await killAndMove(dataDir, {});
  const own = await open('platform', 'platform_root');
  const shared = await open('mysql', 'root');
  faults.push(
    ...(await compare(before, own)),
    ...(await listLeftovers(shared)),
    ...(await listForeigners(own)),
  );
  await Promise.all([own.stop(), shared.stop()]);
  faults.push(...(await useInstallation(dataDir, created, {})));
  return { name: 'private servers', created, before, faults, kills, movedMs, rows: sumRows(before) };
}

/**
 * Moves the platform database of an installation whose MYSQL_URL names a server of the other engine.
 * @param {string} previousRoot
 * @param {string} home
 * @param {Record<string, string>} engines
 * @returns {Promise<Trial>}
 */
async function moveGivenServer(previousRoot, home, engines) {
  const dataDir = join(home, 'given');
  const program = await findMysql(createTerminalReport());
  const provided = await startMysqlServer({
    engine: 'mysql',
    program,
    homeDir: join(home, 'given-server'),
    logFile: join(home, 'given.log'),
    port: await findFreePort(),
    password: makePassword(),
  });
  engines['mysql'] = provided.version;
  const env = { MYSQL_URL: `mysql://root:${provided.password}@127.0.0.1:${provided.port}` };
  try {
    const created = await makeInstallation(previousRoot, dataDir, env);
    await fillLog(provided);
    const before = await digestAll(provided);
    const rejected = await launch(rootDir, dataDir, {
      ...env,
      PLATFORM_MYSQL_URL: env.MYSQL_URL.replace('127.0.0.1', 'localhost'),
    });
    const isRejected = await rejected.prints('are on one database server');
    await rejected.end('SIGTERM');
    const { kills, movedMs, faults } = await killAndMove(dataDir, env);
    if (!isRejected) faults.push('one server for both was not rejected');
    const { passwords } = JSON.parse(readFileSync(join(dataDir, 'state.json'), 'utf8'));
    const own = await startMysqlServer({
      engine: 'mariadb',
      program: await findMariadb(createTerminalReport()),
      homeDir: join(dataDir, 'platform'),
      logFile: join(home, 'look.log'),
      port: await findFreePort(),
      password: passwords.platform_root,
    });
    faults.push(
      ...(await compare(before, own)),
      ...(await listLeftovers(provided)),
      ...(await listForeigners(own)),
    );
    await own.stop();
    faults.push(...(await useInstallation(dataDir, created, env)));
    return { name: 'MYSQL_URL', created, before, faults, kills, movedMs, rows: sumRows(before) };
  } finally {
    await provided.stop(5_000);
  }
}

/**
 * @param {string} root
 * @param {string} dataDir
 * @param {Record<string, string>} env
 * @returns {Promise<Made>}
 */
async function makeInstallation(root, dataDir, env) {
  const launched = await launch(root, dataDir, env);
  if (!(await launched.prints('Rowhouse is up'))) throw new Error(launched.output());
  const run = readRun(dataDir);
  const testUser = await signUp(run.control_url, { name: 'moved' });
  await deploy(testUser, 'ALTER TABLE posts ADD COLUMN moved varchar(40) NULL');
  const api = openApi(run.gateway_url, testUser.key);
  await waitFor('the column is served', async () => (await api.get('/schema')).text.includes('moved'));
  const user = { email: 'kept@example.test', username: 'kept' };
  expectStatus(await api.post('/users', user), [201], 'create a record');
  const { secret: extraKey } = await createKey(testUser, {
    name: 'extra',
    tables: { users: ['read'] },
    scopes: ['read'],
  });
  const { connection_string: connection } = await createConnection(testUser, {
    name: 'owner',
    role: 'owner',
  });
  const { migrations, audit } = await readHistory(testUser);
  await launched.end('SIGTERM');
  const { control: _control, ...rest } = testUser;
  return { person: rest, extraKey, connection, migrations, audit };
}

/** @param {Pick<User, 'control' | 'development' | 'projectId'>} person */
async function readHistory({ control, development, projectId }) {
  const migrations = (
    await control.call('GET', `/api/databases/${development.id}/migrations`)
  ).json.items.map((/** @type {any} */ item) => [item.id, item.state]);
  const audit = (await control.call('GET', `/api/projects/${projectId}/audit`)).json.items.length;
  return { migrations, audit };
}

/**
 * Fills a platform database, so that it takes a while to copy.
 * @param {MysqlAddress} address
 */
async function fillLog(address) {
  const connection = await open(address);
  const [[database]] = /** @type {any} */ (
    await connection.query('SELECT * FROM rowhouse_cell.usage_minute LIMIT 1')
  );
  const names = Object.keys(database).map((name) => `\`${name}\``);
  const [tables] = /** @type {any} */ (
    await connection.query(
      `SELECT COLUMN_NAME AS name FROM information_schema.COLUMNS
        WHERE TABLE_SCHEMA = 'rowhouse_cell' AND TABLE_NAME = 'usage_minute' AND COLUMN_KEY = 'PRI' AND DATA_TYPE LIKE 'datetime%'`,
    )
  );
  const minute = tables[0]?.name;
  if (minute === undefined) throw new Error('usage_minute has no minute');
  for (let position = 0; position < ROWS; position += 5_000) {
    const rows = Array.from({ length: 5_000 }, (_, index) =>
      Object.entries(database).map(([name, value]) =>
        name === minute ? new Date(Date.UTC(2020, 0, 1, 0, position + index)) : value,
      ),
    );
    await connection.query(`INSERT INTO rowhouse_cell.usage_minute (${names.join(', ')}) VALUES ?`, [rows]);
  }
  await connection.end();
}

/** @param {string} dataDir @param {Record<string, string>} env */
async function killAndMove(dataDir, env) {
  const random = openRandom(SEED, 0);
  let kills = 0;
  let movedMs = 0;
  for (;;) {
    const launched = await launch(rootDir, dataDir, env);
    const isMoving = await launched.prints('Moving the platform database');
    if (!isMoving && !launched.output().includes('Rowhouse is up') && kills === 0)
      return { kills, movedMs, faults: [launched.output()] };
    const startedMs = performance.now();
    if (kills < KILLS && isMoving) {
      await Promise.race([sleep(random.integer(KILL_WITHIN_MS)), launched.prints('Starting control-plane')]);
      kills += 1;
      await launched.end('SIGKILL');
      continue;
    }
    const isUp = await launched.prints('Starting control-plane');
    movedMs = Math.round(performance.now() - startedMs);
    await launched.end('SIGTERM');
    return { kills, movedMs, faults: isUp ? [] : [launched.output()] };
  }
}

/**
 * Uses the account, keys and connections that a user had before the move.
 * @param {string} dataDir
 * @param {Made} created
 * @param {Record<string, string>} env
 * @returns {Promise<string[]>} the things that do not work
 */
async function useInstallation(dataDir, created, env) {
  const launched = await launch(rootDir, dataDir, env);
  if (!(await launched.prints('Rowhouse is up'))) return [launched.output()];
  const run = readRun(dataDir);
  /** @type {string[]} */
  const faults = [];
  const expectThat = (/** @type {string} */ what, /** @type {boolean} */ holds) =>
    void (holds || faults.push(`not so: ${what}`));
  const control = await signIn(run.control_url, created.person);
  const { migrations, audit } = await readHistory({ ...created.person, control });
  expectThat('the migrations are there', JSON.stringify(migrations) === JSON.stringify(created.migrations));
  expectThat('the audit trail is there', audit >= created.audit);
  for (const key of [created.person.key, created.extraKey]) {
    const response = await openApi(run.gateway_url, key).get('/users?username=kept');
    expectThat(`a key reads (${response.status})`, response.status === 200 && response.json.length === 1);
  }
  const direct = await mysql.createConnection(created.connection);
  const [rows] = await direct.query('SELECT moved FROM posts LIMIT 1');
  expectThat('the connection string works', Array.isArray(rows));
  await direct.end();
  expectThat('the demo signs in', (await signIn(run.control_url, run.demo)) !== null);
  const command = (/** @type {string} */ name, /** @type {string[]} */ args) =>
    execFileSync(process.execPath, [join(rootDir, 'infra', 'local', `${name}.mjs`), ...args], {
      encoding: 'utf8',
      env: { ...process.env, ...env, ROWHOUSE_DATA_DIR: dataDir },
    });
  expectThat('the audit chain is complete', /^Whole/m.test(command('verify-audit', [])));
  expectThat('a password is reset', /^New password/.test(command('reset-password', [created.person.email])));
  expectThat('an operator is made', command('make-operator', [run.demo.email]).includes('/api/admin'));
  expectThat('doctor finds two servers', /platform database +running: /.test(command('doctor', [])));
  await launched.end('SIGTERM');
  return faults;
}

/** @param {MysqlAddress} address */
async function open({ host, port, user, password }) {
  return mysql.createConnection({ host, port, user, password, timezone: 'Z' });
}

/**
 * @param {MysqlAddress} address
 * @param {Digests} [like] digests of the other engine, which tell which columns hold JSON; MariaDB stores
 *   JSON as text
 * @returns {Promise<Digests>}
 */
async function digestAll(address, like = {}) {
  const connection = await open(address);
  await prepareCopySession(connection);
  /** @type {Digests} */
  const digests = {};
  for (const schema of SCHEMAS) {
    for (const { name } of await listTables(connection, schema)) {
      const table = `${schema}.${name}`;
      const columns = like[table]?.columns ?? (await listColumns(connection, schema, name));
      digests[table] = { ...(await digestTable(connection, schema, name, columns)), columns };
    }
  }
  await connection.end();
  return digests;
}

/** @param {Digests} before @param {MysqlAddress} address */
async function compare(before, address) {
  const after = await digestAll(address, before);
  return Object.entries(before).flatMap(([table, { rows, sum }]) => {
    const found = after[table];
    if (found === undefined) return [`${table} is missing`];
    if (WRITTEN_BY_PROCESSES.has(table.split('.')[1] ?? ''))
      return found.rows < rows ? [`${table} lost rows`] : [];
    return found.rows === rows && found.sum === sum
      ? []
      : [`${table}: ${found.rows} rows instead of ${rows}, or others`];
  });
}

/**
 * Lists schemas and accounts of the platform that are left on the tenants' server.
 * @param {MysqlAddress} address
 */
async function listLeftovers(address) {
  return listNames(
    address,
    `SELECT SCHEMA_NAME AS name FROM information_schema.SCHEMATA WHERE SCHEMA_NAME LIKE 'rowhouse%'
      UNION ALL SELECT User FROM mysql.user WHERE User IN ('rh_migrate', 'rh_control', 'rh_worker', 'rh_gateway')`,
    'is left on the server of tenants',
  );
}

/**
 * Lists schemas and accounts of tenants that are on the platform's server.
 * @param {MysqlAddress} address
 */
async function listForeigners(address) {
  return listNames(
    address,
    `SELECT User AS name FROM mysql.user WHERE User IN ('rh_provisioner', 'rh_observer') OR User LIKE 'p%'
      UNION ALL SELECT SCHEMA_NAME FROM information_schema.SCHEMATA
        WHERE SCHEMA_NAME LIKE 'p%' AND SCHEMA_NAME <> 'performance_schema'`,
    'is on the server of the platform',
  );
}

/** @param {MysqlAddress} address @param {string} sql @param {string} what */
async function listNames(address, sql, what) {
  const connection = await open(address);
  const [rows] = await connection.query(sql);
  await connection.end();
  return /** @type {{ name: string }[]} */ (rows).map(({ name }) => `${name} ${what}`);
}

/** @param {Digests} digests */
function sumRows(digests) {
  return Object.values(digests).reduce((sum, { rows }) => sum + rows, 0);
}

/** @param {string} dataDir */
function readRun(dataDir) {
  return JSON.parse(readFileSync(join(dataDir, 'run.json'), 'utf8'));
}
