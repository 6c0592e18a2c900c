import { accessSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { provideCertificate } from '@rowhouse/local/servers/certificates';
import { findMariadb, findMysql, findRedis } from '@rowhouse/local/servers/find-servers';
import { findFreePort } from '@rowhouse/local/processes/free-port';
import { parseMysqlUrl, readEngine } from '@rowhouse/local/servers/mysql-admin';
import { makePassword, startMysqlServer } from '@rowhouse/local/servers/start-mysql-server';
import { startRedis } from '@rowhouse/local/servers/start-redis';

/**
 * Describes the servers of a test run. Test processes get it as JSON in `ROWHOUSE_TEST_SERVERS`.
 * @typedef {object} TestMysql
 * @property {'mariadb' | 'mysql'} engine
 * @property {string} version
 * @property {string} host
 * @property {number} port
 * @property {string} user
 * @property {string} password
 * @property {number | null} adminPort where workers log in even when the main port is full
 * @property {string | null} caPem the authority of its certificate; null for a given server, whose authority
 *   is not known
 * @typedef {object} TestServers
 * @property {TestMysql} mysql the server of suites that work with any engine
 * @property {TestMysql[]} engines every engine of this run, for suites that run on each
 * @property {string[]} skipped why a requested engine is missing
 * @property {string} redisUrl
 */

/**
 * Starts the servers that the run needs. `TEST_MYSQL_URL` and `TEST_REDIS_URL` name existing servers to use
 * instead. `TEST_ENGINE` is `mariadb` (default), `mysql` or `both`.
 * `TEST_SERVER_FLAGS` holds more flags for the started database servers, separated by spaces.
 * @param {{report: import('@rowhouse/local/report').Report, env?: NodeJS.ProcessEnv}} options
 * @returns {Promise<{servers: TestServers, stop: () => Promise<void>}>}
 */
export async function startTestServers({ report, env = process.env }) {
  const homeDir = mkdtempSync(join(chooseFastFolder(), 'rowhouse-test-'));
  /** @type {(() => Promise<void>)[]} */
  const stops = [];
  const stop = async () => {
    await Promise.all(stops.map((item) => item()));
    rmSync(homeDir, { recursive: true, force: true });
  };
  try {
    const { engines, skipped } = await startEngines(report, homeDir, env, stops);
    const mysql = engines[0];
    if (mysql === undefined) throw new Error(`No database server for the tests: ${skipped.join('; ')}`);
    return {
      servers: { mysql, engines, skipped, redisUrl: await provideRedis(report, homeDir, env, stops) },
      stop,
    };
  } catch (err) {
    await stop();
    throw err;
  }
}

/**
 * @param {import('@rowhouse/local/report').Report} report
 * @param {string} homeDir
 * @param {NodeJS.ProcessEnv} env
 * @param {(() => Promise<void>)[]} stops
 */
async function startEngines(report, homeDir, env, stops) {
  const expected = env['TEST_ENGINE'] ?? 'mariadb';
  /** @type {TestMysql[]} */
  const engines = [];
  /** @type {string[]} */
  const skipped = [];
  const provided = env['TEST_MYSQL_URL'];
  if (provided) {
    const address = parseMysqlUrl(provided);
    engines.push({ ...(await readEngine(address)), ...address, adminPort: null, caPem: null });
  }
  for (const engine of /** @type {const} */ (['mariadb', 'mysql'])) {
    const isWanted = expected === engine || expected === 'both';
    if (!isWanted || engines.some((item) => item.engine === engine) || (provided && expected !== 'both'))
      continue;
    try {
      engines.push(await startEngine(engine, report, homeDir, stops, env['TEST_SERVER_FLAGS']));
    } catch (err) {
      const reason = `${engine}: ${/** @type {Error} */ (err).message}`;
      skipped.push(reason);
      report.warn(`SKIPPED ENGINE ${reason}`);
    }
  }
  return { engines, skipped };
}

/**
 * @param {'mariadb' | 'mysql'} engine
 * @param {import('@rowhouse/local/report').Report} report
 * @param {string} homeDir
 * @param {(() => Promise<void>)[]} stops
 * @param {string} [flags] separated by spaces
 * @returns {Promise<TestMysql>}
 */
async function startEngine(engine, report, homeDir, stops, flags = '') {
  const program = engine === 'mariadb' ? await findMariadb(report) : await findMysql(report);
  const certificate = provideCertificate(join(homeDir, 'tls'), ['localhost', '127.0.0.1']);
  const adminPort = await findFreePort();
  const server = await startMysqlServer({
    engine,
    program,
    adminPort,
    homeDir: join(homeDir, engine),
    logFile: join(homeDir, `${engine}.log`),
    port: await findFreePort(new Set([adminPort])),
    password: makePassword(),
    direct: { bind: '127.0.0.1', certificate },
    flags: flags.split(' ').filter((flag) => flag !== ''),
  });
  stops.push(() => server.stop(5_000));
  const { version, host, port, user, password } = server;
  return { engine, version, host, port, user, password, adminPort, caPem: certificate.caPem };
}

/**
 * Starts one more server of an engine, for suites that need two.
 * @param {'mariadb' | 'mysql'} engine
 * @param {import('@rowhouse/local/report').Report} report
 * @returns {Promise<{mysql: TestMysql, stop: () => Promise<void>}>}
 */
export async function startOtherEngine(engine, report) {
  const homeDir = mkdtempSync(join(chooseFastFolder(), 'rowhouse-other-'));
  /** @type {(() => Promise<void>)[]} */
  const stops = [() => Promise.resolve(rmSync(homeDir, { recursive: true, force: true }))];
  const stop = async () => {
    for (const item of [...stops].reverse()) await item();
  };
  try {
    return { mysql: await startEngine(engine, report, homeDir, stops), stop };
  } catch (err) {
    await stop();
    throw err;
  }
}

/**
 * @param {import('@rowhouse/local/report').Report} report
 * @param {string} homeDir
 * @param {NodeJS.ProcessEnv} env
 * @param {(() => Promise<void>)[]} stops
 */
async function provideRedis(report, homeDir, env, stops) {
  if (env['TEST_REDIS_URL']) return env['TEST_REDIS_URL'];
  const redis = await startRedis({
    program: await findRedis(report),
    homeDir: join(homeDir, 'redis'),
    logFile: join(homeDir, 'redis.log'),
    port: await findFreePort(),
    password: makePassword(),
  });
  stops.push(() => redis.stop(2_000));
  return redis.url;
}

/**
 * Returns a folder in memory when there is enough of it, because the suites create and drop many small
 * tables.
 */
export function chooseFastFolder() {
  const memory = '/dev/shm';
  try {
    accessSync(memory, constants.W_OK | constants.X_OK);
  } catch {
    return tmpdir();
  }
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > 2 * 2 ** 30 ? memory : tmpdir();
}
