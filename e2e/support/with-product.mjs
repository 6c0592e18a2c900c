// @ts-check
/** A whole product of its own for a long suite or a benchmark, on a data folder that goes when all went well. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProduct } from '@rowhouse/local/start-product';
import { createTerminalReport } from '@rowhouse/local/report';

/**
 * @typedef {import('@rowhouse/local/start-product').Product & { control: string, gateways: string[] }} RunningProduct
 */

/**
 * @template T
 * @param {{ gateways?: 1 | 2, extraEnv?: Record<string, string>, backoffMaxMs?: number, gatewayPorts?: readonly number[] }} options
 * @param {(product: RunningProduct) => Promise<T>} use
 * @returns {Promise<T>}
 */
export async function withProduct({ gateways = 2, extraEnv = {}, backoffMaxMs, gatewayPorts = [] }, use) {
  const dataDir = mkdtempSync(join(tmpdir(), 'rowhouse-long-'));
  const env = withoutServers(process.env);
  const product = await startProduct({ dataDir, gateways, env, extraEnv, backoffMaxMs, gatewayPort: gatewayPorts[0], secondGatewayPort: gatewayPorts[1], report: createTerminalReport() });
  try {
    const result = await use({ ...product, control: product.run.control_url, gateways: product.gatewayUrls });
    await product.stop();
    rmSync(dataDir, { recursive: true, force: true });
    return result;
  } catch (err) {
    await product.stop();
    console.error(`The logs are kept in ${join(dataDir, 'logs')}`);
    throw err;
  }
}

/** Private servers always: a suite turns general logs on and counts commands. @param {NodeJS.ProcessEnv} env */
function withoutServers(env) {
  const { MYSQL_URL: _mysql, REDIS_URL: _redis, ...rest } = env;
  return rest;
}
