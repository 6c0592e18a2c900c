import type { TestMysql, TestServers } from '@rowhouse/local/start-test-servers';

export type { TestMysql, TestServers };

/**
 * The servers of this run. The integration suite's global set-up starts them
 * (or takes `TEST_MYSQL_URL` and `TEST_REDIS_URL`) before any test file is loaded.
 *
 * @throws Error outside such a run
 */
export function getTestServers(): TestServers {
  const text = process.env['ROWHOUSE_TEST_SERVERS'];
  if (text === undefined) {
    throw new Error('No test servers: run this file with --config infra/checks/vitest.int.config.mjs');
  }
  return JSON.parse(text) as TestServers;
}
