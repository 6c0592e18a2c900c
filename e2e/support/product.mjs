// @ts-check
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The started product as tests see it: the addresses of its APIs and, for the few checks that need them, of
 * its database and Redis servers.
 * @typedef {object} TestProduct
 * @property {string} control
 * @property {[string, string]} gateways
 * @property {{ email: string, password: string, api_key: string, project_id: string, database_id: string, docs_url: string }}
 *   demo
 * @property {string} dataDir
 * @property {{ engine: string, version: string, host: string, port: number, user: string, password: string }}
 *   mysql the server of tenant databases
 * @property {{ engine: string, version: string, host: string, port: number, user: string, password: string }}
 *   platform the server of the platform database
 * @property {string} redisUrl
 * @property {Record<string, string>} metricsUrls keyed by process
 * @property {string | null} mariadbClient
 */

/** @returns {TestProduct} */
export function readProduct() {
  const text = process.env['ROWHOUSE_TEST_PRODUCT'];
  if (text === undefined)
    throw new Error(
      'ROWHOUSE_TEST_PRODUCT is not set: run the journeys with `pnpm test:e2e`, which starts the product.',
    );
  const found = JSON.parse(text);
  const [first, second] = found.gateway_urls;
  return {
    control: found.control_url,
    gateways: [first, second],
    demo: found.demo,
    dataDir: found.data_dir,
    mysql: found.mysql,
    platform: found.platform,
    redisUrl: found.redis_url,
    metricsUrls: found.metrics_urls,
    mariadbClient: found.mariadb_client,
  };
}

/**
 * Finds the `mariadb` client program and its environment. A client unpacked from a Debian package needs the
 * path of its own libraries.
 * @returns {{ path: string, env: Record<string, string> } | null}
 */
export function findMariadbClient() {
  const path = readProduct().mariadbClient;
  if (path === null) return null;
  const lib = join(dirname(dirname(path)), 'lib');
  const isOfTheSystem = dirname(path) === '/usr/bin' || !existsSync(lib);
  const folders = isOfTheSystem
    ? []
    : readdirSync(lib)
        .filter((name) => name.includes('-linux-gnu'))
        .map((name) => join(lib, name));
  return { path, env: folders.length === 0 ? {} : { LD_LIBRARY_PATH: folders.join(':') } };
}
