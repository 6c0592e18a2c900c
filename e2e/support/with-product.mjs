// @ts-check
/** A whole product of its own for a long suite or a benchmark, on a data folder that goes when all went well. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProduct } from '@rowhouse/local/start-product';
import { findMysql } from '@rowhouse/local/find-servers';
import { isPortFree } from '@rowhouse/local/free-port';
import { createTerminalReport } from '@rowhouse/local/report';
import { makePassword, startMysqlServer } from '@rowhouse/local/start-mysql-server';

/**
 * @typedef {import('@rowhouse/local/start-product').Product & { control: string, gateways: string[], dataDir: string, killDatabase: () => Promise<void> }} RunningProduct
 * `killDatabase`: SIGKILL; it is started again, which is not waited for
 */

/**
 * @template T
 * @param {{ gateways?: 1 | 2, workers?: 1 | 2, extraEnv?: Record<string, string>, backoffMaxMs?: number, gatewayPorts?: readonly number[], engine?: 'mariadb' | 'mysql' }} options `engine`: of the tenants and the platform
 * @param {(product: RunningProduct) => Promise<T>} use
 * @returns {Promise<T>}
 */
export async function withProduct({ gateways = 2, workers = 1, extraEnv = {}, backoffMaxMs, gatewayPorts = [], engine = 'mariadb' }, use) {
  const [controlPort, gatewayPort, secondGatewayPort] = [await choosePort(), gatewayPorts[0] ?? (await choosePort()), gatewayPorts[1] ?? (await choosePort())];
  const dataDir = mkdtempSync(join(tmpdir(), 'rowhouse-long-'));
  const mysql = engine === 'mysql' ? await startMysql(dataDir) : null;
  const env = { ...withoutServers(process.env), ...(mysql === null ? {} : { MYSQL_URL: mysql.url }) };
  const product = await startProduct({ dataDir, gateways, workers, env, extraEnv, backoffMaxMs, controlPort, gatewayPort, secondGatewayPort, report: createTerminalReport() }).catch(async (/** @type {unknown} */ err) => {
    await mysql?.stop();
    throw err;
  });
  try {
    const killDatabase = async () => {
      if (mysql !== null) return mysql.killAndStart();
      const pid = product.listProcesses().find(({ name }) => name === 'mysql')?.pid;
      if (pid !== undefined) process.kill(pid, 'SIGKILL');
    };
    const result = await use({ ...product, dataDir, killDatabase, control: product.run.control_url, gateways: product.gatewayUrls });
    await product.stop();
    await mysql?.stop();
    if (process.env['E2E_KEEP']) console.error(`The logs are kept in ${join(dataDir, 'logs')}`);
    else rmSync(dataDir, { recursive: true, force: true });
    return result;
  } catch (err) {
    await product.stop();
    await mysql?.stop();
    console.error(`The logs are kept in ${join(dataDir, 'logs')}`);
    throw err;
  }
}

/** Two suites that begin together both find the usual port free. Outgoing connections get theirs from 32768 up. */
async function choosePort() {
  for (;;) {
    const port = 12_000 + Math.floor(Math.random() * 20_000);
    if (await isPortFree(port)) return port;
  }
}

/** Private servers always: a suite turns general logs on and counts commands. @param {NodeJS.ProcessEnv} env */
function withoutServers(env) {
  const { MYSQL_URL: _mysql, REDIS_URL: _redis, ...rest } = env;
  return rest;
}

/** @param {string} dataDir */
async function startMysql(dataDir) {
  const report = createTerminalReport();
  const options = { engine: /** @type {const} */ ('mysql'), program: await findMysql(report), homeDir: join(dataDir, 'mysql-server'), logFile: join(dataDir, 'mysql.log'), port: await choosePort(), password: makePassword() };
  let server = await startMysqlServer(options);
  return {
    url: `mysql://${server.user}:${server.password}@${server.host}:${server.port}`,
    stop: () => server.stop(5_000),
    async killAndStart() {
      process.kill(server.child.pid, 'SIGKILL');
      await server.child.done;
      server = await startMysqlServer(options);
    },
  };
}
