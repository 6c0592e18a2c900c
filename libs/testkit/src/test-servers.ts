import type { TestMysql, TestServers } from '@rowhouse/local/start-test-servers';

export type { TestMysql, TestServers };

/** Each server is one object, because suites compare them by identity. */
let read: { readonly text: string; readonly servers: TestServers } | undefined;

/**
 * Returns the servers of this run. The global setup of the integration suite starts them, or takes
 * `TEST_MYSQL_URL` and `TEST_REDIS_URL`, before test files load.
 *
 * @throws Error outside such a run
 */
export function getTestServers(): TestServers {
  const text = process.env['ROWHOUSE_TEST_SERVERS'];
  if (text !== undefined && text === read?.text) return read.servers;
  if (text === undefined) {
    throw new Error('No test servers: run this file with --config infra/checks/vitest.int.config.mjs');
  }
  read = { text, servers: JSON.parse(text) as TestServers };
  return read.servers;
}
