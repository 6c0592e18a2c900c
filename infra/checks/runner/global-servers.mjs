import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTerminalReport } from '../../local/report.mjs';
import { startTestServers } from '../../test-servers/start-test-servers.mjs';

/**
 * Starts the servers once before the integration suite. Test processes read their addresses from the
 * inherited environment.
 */
export default async function setup() {
  const { servers, stop } = await startTestServers({ report: createTerminalReport() });
  process.env['ROWHOUSE_TEST_SERVERS'] = JSON.stringify(servers);
  const file = process.env['TEST_VERSIONS_FILE'];
  if (file !== undefined)
    writeFileSync(
      file,
      JSON.stringify(Object.fromEntries(servers.engines.map((item) => [item.engine, item.version]))),
    );
  console.log(`Test servers: ${servers.engines.map((item) => `${item.engine} ${item.version}`).join(', ')}`);
  // The folder in which Node caches compiled code. It saves time, because the suites start the worker and the
  // gateway hundreds of times.
  const compiled = mkdtempSync(join(tmpdir(), 'rowhouse-compiled-'));
  process.env['NODE_COMPILE_CACHE'] = compiled;
  return async () => {
    await stop();
    rmSync(compiled, { recursive: true, force: true });
  };
}
