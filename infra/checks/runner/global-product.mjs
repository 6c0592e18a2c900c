import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort } from '../../local/processes/free-port.mjs';
import { findMariadbClient } from '../../local/servers/find-servers.mjs';
import { createTerminalReport } from '../../local/report.mjs';
import { startProduct } from '../../local/product/start-product.mjs';
import { chooseFastFolder } from '../../test-servers/start-test-servers.mjs';

/**
 * Starts the product with two gateways in a temporary folder, once before the end-to-end suite. With
 * `E2E_KEEP=1`, the folder and its logs are not deleted.
 */
export default async function setup() {
  const report = createTerminalReport();
  const dataDir = mkdtempSync(join(chooseFastFolder(), 'rowhouse-e2e-'));
  const controlPort = await findFreePort();
  const product = await startProduct({
    dataDir,
    controlPort,
    gatewayPort: await findFreePort(new Set([controlPort])),
    gateways: 2,
    extraEnv: { ROWHOUSE_ENV: 'test' },
    report,
  });
  const client = await findMariadbClient(report);
  const describe = (
    /** @type {import('../../local/servers/provide-servers.mjs').ProvidedMysql} */ { admin, engine, version },
  ) => ({ engine, version, ...admin });
  process.env['ROWHOUSE_TEST_PRODUCT'] = JSON.stringify({
    ...product.run,
    gateway_urls: product.gatewayUrls,
    data_dir: dataDir,
    mysql: describe(product.mysql),
    platform: describe(product.platform),
    redis_url: product.redisUrl,
    metrics_urls: product.metricsUrls,
    mariadb_client: client?.command ?? null,
  });
  return async () => {
    await product.stop();
    if (!process.env['E2E_KEEP'] && existsSync(dataDir)) rmSync(dataDir, { recursive: true, force: true });
  };
}
