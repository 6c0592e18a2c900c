// @ts-check
import { createTerminalReport } from '@rowhouse/local/report';
import { startTestServers } from '@rowhouse/test-servers/start-test-servers';

/** Starts test servers with one engine, whatever the environment names. @param {'mariadb' | 'mysql'} engine */
export function startEngine(engine) {
  const { TEST_MYSQL_URL: _given, ...env } = process.env;
  return startTestServers({ report: createTerminalReport(), env: { ...env, TEST_ENGINE: engine } });
}
