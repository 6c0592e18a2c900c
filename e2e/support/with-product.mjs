// @ts-check
/**
 * Starts a separate product for a long suite or a benchmark. Its data folder is deleted if everything passes.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import { provideCertificate } from '@rowhouse/local/servers/certificates';
import { startProduct } from '@rowhouse/local/product/start-product';
import { findMariadb, findMysql, findRedis } from '@rowhouse/local/servers/find-servers';
import { findFreePort, openPortSource } from '@rowhouse/local/processes/free-port';
import { createTerminalReport } from '@rowhouse/local/report';
import { makePassword, startMysqlServer } from '@rowhouse/local/servers/start-mysql-server';
import { startRedis } from '@rowhouse/local/servers/start-redis';

/**
 * @typedef {{ url: string, pid: () => number, kill: () => Promise<void>, start: () => Promise<void>, stop: () => Promise<void> }}
 *   RedisApart a Redis that is not restarted automatically; only `start` starts it again
 * @typedef {import('@rowhouse/local/product/start-product').Product & { control: string, gateways: string[], dataDir: string, killDatabase: () => Promise<void>, killPlatform: () => Promise<void>, databasePid: () => number | undefined, databaseCaFile: string | null, redis: RedisApart | null }}
 *   RunningProduct `killDatabase` sends SIGKILL to the server of tenant databases. The server is restarted,
 *   without waiting for that. `killPlatform` does the same for the server of the platform database.
 *   `databaseCaFile` is its CA certificate if connections use TLS
 */

/**
 * @template T
 * @param {{ gateways?: 1 | 2 | 3, workers?: 1 | 2, extraEnv?: Record<string, string>, backoffMaxMs?: number, engine?: 'mariadb' | 'mysql', isRedisApart?: boolean, redisUrl?: string, directBind?: string, databaseTls?: boolean }}
 *   options `engine` is that of tenants and platform. `isRedisApart` gives a Redis that the suite itself
 *   stops and starts. `redisUrl` is a Redis of the suite. `directBind` is the address for direct connections
 *   over TLS. `databaseTls` makes all processes use TLS to the database
 * @param {(product: RunningProduct) => Promise<T>} use
 * @returns {Promise<T>}
 */
export async function withProduct(
  {
    gateways = 2,
    workers = 1,
    extraEnv = {},
    backoffMaxMs,
    engine = 'mariadb',
    isRedisApart = false,
    redisUrl,
    directBind,
    databaseTls = false,
  },
  use,
) {
  const dataDir = mkdtempSync(join(tmpdir(), 'rowhouse-long-'));
  // Free ports are used, because another product on this machine may use the default ones.
  const takePort = openPortSource();
  const [controlPort, gatewayPort, secondGatewayPort] = [
    await takePort(),
    await takePort(),
    await takePort(),
  ];
  const isGiven = engine === 'mysql' || databaseTls;
  const mysql = isGiven ? await startMysql(dataDir, engine, databaseTls) : null;
  const platform = isGiven ? await startMysql(dataDir, engine, databaseTls, 'platform') : null;
  const redis = isRedisApart ? await startRedisApart(dataDir) : null;
  const env = {
    ...withoutServers(process.env),
    ...mysql?.env,
    ...platform?.env,
    ...(redis === null ? {} : { REDIS_URL: redis.url }),
    ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }),
    ...(directBind === undefined ? {} : { DIRECT_BIND: directBind }),
  };
  const stopServers = () => Promise.all([mysql?.stop(), platform?.stop(), redis?.stop()]);
  const product = await startProduct({
    dataDir,
    gateways,
    workers,
    env,
    extraEnv,
    backoffMaxMs,
    controlPort,
    gatewayPort,
    secondGatewayPort,
    report: createTerminalReport(),
  }).catch(async (/** @type {unknown} */ err) => {
    await stopServers();
    throw err;
  });
  const databasePid = () => mysql?.pid() ?? product.listProcesses().find(({ name }) => name === 'mysql')?.pid;
  try {
    const killDatabase = async () => (mysql === null ? killProcess(product, 'mysql') : mysql.killAndStart());
    const killPlatform = async () =>
      platform === null ? killProcess(product, 'platform-mysql') : platform.killAndStart();
    const result = await use({
      ...product,
      dataDir,
      killDatabase,
      killPlatform,
      databasePid,
      databaseCaFile: mysql?.caFile ?? null,
      redis,
      control: product.run.control_url,
      gateways: product.gatewayUrls,
    });
    await product.stop();
    await stopServers();
    if (process.env['E2E_KEEP']) console.error(`The logs are kept in ${join(dataDir, 'logs')}`);
    else rmSync(dataDir, { recursive: true, force: true });
    return result;
  } catch (err) {
    await product.stop();
    await stopServers();
    console.error(`The logs are kept in ${join(dataDir, 'logs')}`);
    throw err;
  }
}

/** @param {import('@rowhouse/local/product/start-product').Product} product @param {string} name */
function killProcess(product, name) {
  const pid = product.listProcesses().find((item) => item.name === name)?.pid;
  if (pid !== undefined) process.kill(pid, 'SIGKILL');
}

/**
 * Removes the addresses of given servers. A suite needs private servers, because it enables general logs and
 * counts commands.
 * @param {NodeJS.ProcessEnv} env
 */
function withoutServers(env) {
  const { MYSQL_URL: _mysql, PLATFORM_MYSQL_URL: _platform, REDIS_URL: _redis, ...rest } = env;
  return rest;
}

/**
 * @param {string} dataDir
 * @param {'mariadb' | 'mysql'} engine
 * @param {boolean} hasTls
 * @param {'tenants' | 'platform'} [role]
 */
async function startMysql(dataDir, engine, hasTls, role = 'tenants') {
  const name = role === 'platform' ? 'mysql-platform' : 'mysql';
  const variable = role === 'platform' ? 'PLATFORM_MYSQL_URL' : 'MYSQL_URL';
  const report = createTerminalReport();
  const program = await (engine === 'mysql' ? findMysql(report) : findMariadb(report));
  const certificate = hasTls
    ? provideCertificate(join(dataDir, 'database-tls'), ['localhost', '127.0.0.1'])
    : null;
  // This process also connects to the server, so it adds the certificate here. Node 24 reads
  // NODE_EXTRA_CA_CERTS only at startup.
  if (certificate !== null)
    tls.setDefaultCACertificates([...tls.getCACertificates('default'), certificate.caPem]);
  const options = {
    engine,
    program,
    role,
    homeDir: join(dataDir, `${name}-server`),
    logFile: join(dataDir, `${name}.log`),
    port: await findFreePort(),
    password: makePassword(),
    ...(certificate === null ? {} : { direct: { bind: '127.0.0.1', certificate } }),
  };
  let server = await startMysqlServer(options);
  return {
    env: {
      [variable]: `mysql://${server.user}:${server.password}@${server.host}:${server.port}`,
      ...(certificate === null ? {} : { MYSQL_TLS: 'required', NODE_EXTRA_CA_CERTS: certificate.caFile }),
    },
    caFile: certificate?.caFile ?? null,
    pid: () => server.child.pid,
    stop: () => server.stop(5_000),
    async killAndStart() {
      process.kill(server.child.pid, 'SIGKILL');
      await server.child.done;
      server = await startMysqlServer(options);
    },
  };
}

/** @param {string} dataDir @returns {Promise<RedisApart>} */
async function startRedisApart(dataDir) {
  const options = {
    program: await findRedis(createTerminalReport()),
    homeDir: join(dataDir, 'redis-apart'),
    logFile: join(dataDir, 'redis-apart.log'),
    port: await findFreePort(),
    password: makePassword(),
  };
  let server = await startRedis(options);
  return {
    url: server.url,
    pid: () => server.child.pid,
    stop: () => server.stop(2_000),
    async kill() {
      process.kill(server.child.pid, 'SIGKILL');
      await server.child.done;
    },
    async start() {
      server = await startRedis(options);
    },
  };
}
