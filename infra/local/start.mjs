import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { defaultDataDir, rootDir } from './paths.mjs';
import { createTerminalReport, LauncherError, PNPM } from './report.mjs';

const HELP = `${PNPM} start [--reset]

Starts Rowhouse on this machine and keeps it running until Ctrl-C.

  --reset   delete everything in the data folder first

Environment: ROWHOUSE_DATA_DIR (.rowhouse), CONTROL_PORT (4000), GATEWAY_PORT (4100),
ROWHOUSE_ENGINE (mariadb, or mysql for tenants' databases),
MYSQL_URL (tenants' databases), PLATFORM_MYSQL_URL (the platform database, on another
server) and REDIS_URL (servers to use instead of private ones),
LLM_BASE_URL, LLM_API_KEY, LLM_MODEL`;

/**
 * Checks that packages are installed. The package manager installs them before it runs this, but runs it even
 * when that failed.
 * @throws {LauncherError}
 */
function checkPreconditions() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    throw new LauncherError(`Node ${process.versions.node} is too old; Rowhouse needs 20.19 or later.`);
  const require = createRequire(import.meta.url);
  const missing = ['mysql2'].filter((name) => !canResolve(require, name));
  if (!existsSync(join(rootDir, 'node_modules', '.bin', 'tsc'))) missing.push('typescript');
  if (missing.length > 0) {
    throw new LauncherError(`The packages are not installed (${missing.join(', ')} missing).`, {
      hint: `Run this command and check its output: ${PNPM} install`,
    });
  }
}

/**
 * @param {NodeJS.Require} require
 * @param {string} name
 */
function canResolve(require, name) {
  try {
    require.resolve(name);
    return true;
  } catch {
    return false;
  }
}

/** @param {string | undefined} text */
function parsePort(text) {
  if (text === undefined || text === '') return undefined;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new LauncherError(`${text} is not a port number.`);
  return port;
}

async function main() {
  const args = process.argv.slice(2).filter((arg) => arg !== '--');
  if (args.includes('--help') || args.includes('-h')) {
    console.log(HELP);
    return;
  }
  const unknown = args.filter((arg) => arg !== '--reset');
  if (unknown.length > 0) throw new LauncherError(`Unknown argument: ${unknown.join(' ')}`, { hint: HELP });
  checkPreconditions();
  const dataDir = resolve(defaultDataDir());
  const { runInForeground } = await import('./product/run-in-foreground.mjs');
  await runInForeground({
    dataDir,
    isReset: args.includes('--reset'),
    controlPort: parsePort(process.env['CONTROL_PORT']),
    gatewayPort: parsePort(process.env['GATEWAY_PORT']),
    report: createTerminalReport(),
  });
}

try {
  await main();
} catch (err) {
  if (!(err instanceof LauncherError)) throw err;
  console.error(`\n${err.message}`);
  if (err.logTail) console.error(`\nThe last lines of its log:\n${err.logTail.replace(/^/gm, '  | ')}`);
  if (err.hint) console.error(`\n${err.hint}`);
  process.exit(1);
}
