import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { readLogTail, setprivPath } from './processes/child.mjs';
import { locateServer } from './servers/find-servers.mjs';
import { listInstallationPaths } from './data-folder/installation.mjs';
import { readJsonFile } from './data-folder/json-file.mjs';
import { defaultDataDir, findProgram, rootDir } from './paths.mjs';
import { isStillRunning, readProcessIdentity } from './processes/process-identity.mjs';
import { readSeveralRedis } from './servers/redis-servers.mjs';
import { PNPM } from './report.mjs';

/** Prints what the launcher would find on this machine. It changes nothing and prints no secret. */

/**
 * @param {string} label
 * @param {string} text
 */
function line(label, text) {
  console.log(`${label.padEnd(24)}${text}`);
}

/** @param {string} name */
function isInstalled(name) {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch {
    return false;
  }
}

/** @param {string} url */
function withoutPassword(url) {
  if (readSeveralRedis(url) !== null)
    return url.replace(/:[^:@/?]*@/, ':***@').replace(/(sentinel_password=)[^&]*/, '$1***');
  const parsed = new URL(url);
  parsed.password = parsed.password === '' ? '' : '***';
  return parsed.href;
}

function printMachine() {
  line('system', `${process.platform} ${process.arch}`);
  line('node', `${process.versions.node} (${process.execPath})`);
  line('packages', isInstalled('mysql2') ? 'installed' : `NOT INSTALLED: ${PNPM} install`);
  line(
    'built',
    existsSync(join(rootDir, 'apps', 'gateway', 'dist', 'main.js')) ? 'yes' : 'not yet; start builds it',
  );
  line(
    'ends processes',
    setprivPath === null ? 'by a watchdog process (setpriv is not installed)' : setprivPath,
  );
}

function printServers() {
  const { MYSQL_URL, PLATFORM_MYSQL_URL, REDIS_URL } = process.env;
  line(
    'database',
    MYSQL_URL ? `MYSQL_URL ${withoutPassword(MYSQL_URL)}` : describeServer(readTenantEngine()),
  );
  line(
    'platform database',
    PLATFORM_MYSQL_URL
      ? `PLATFORM_MYSQL_URL ${withoutPassword(PLATFORM_MYSQL_URL)}`
      : describeServer('mariadb', 'mariadb-platform'),
  );
  line('redis', REDIS_URL ? `REDIS_URL ${withoutPassword(REDIS_URL)}` : describeServer('redis'));
  line('chromium (tests)', findProgram(['chromium', 'chromium-browser', 'google-chrome']) ?? 'not found');
}

/**
 * Describes a server, a running one first: it may have been started with another cache or another PATH.
 * @param {'mariadb' | 'mysql' | 'redis'} server
 * @param {string} [name] the name of its process
 */
function describeServer(server, name = server) {
  const recorded = readProcesses().find((item) => item.name === name && isStillRunning(item));
  const running = recorded === undefined ? null : readProcessIdentity(recorded.pid);
  if (running !== null) return `running: ${running.commandLine.split(' ')[0]} (process ${running.pid})`;
  const located = locateServer(server);
  if (located !== null)
    return located.origin === 'unpacked' ? `unpacked: ${located.command}` : located.command;
  return findProgram(['apt-get']) === null
    ? 'NOT FOUND, and there is no apt-get to fetch it'
    : 'not found; start unpacks it into the cache';
}

/** @returns {'mariadb' | 'mysql'} the engine that a start would use for tenants' databases */
function readTenantEngine() {
  const recorded = /** @type {{engine?: 'mariadb' | 'mysql'} | null} */ (
    readJsonFile(listInstallationPaths(defaultDataDir()).state)
  )?.engine;
  return recorded ?? (process.env['ROWHOUSE_ENGINE'] === 'mysql' ? 'mysql' : 'mariadb');
}

/** @returns {{name: string, pid: number, startTime: string}[]} */
function readProcesses() {
  return readJsonFile(listInstallationPaths(defaultDataDir()).processes) ?? [];
}

function printInstallation() {
  const paths = listInstallationPaths(defaultDataDir());
  const holder = /** @type {{pid: number, startTime: string} | null} */ (readJsonFile(paths.lock));
  const run = /** @type {{console_url: string, gateway_url: string} | null} */ (readJsonFile(paths.run));
  line('data folder', paths.dataDir + (existsSync(paths.dataDir) ? '' : ' (does not exist yet)'));
  if (holder !== null && isStillRunning(holder)) line('running', `process ${holder.pid}`);
  else line('running', 'no');
  if (run !== null) line('addresses', `console ${run.console_url}, gateway ${run.gateway_url}`);
  for (const item of readProcesses())
    line(`  ${item.name}`, isStillRunning(item) ? `process ${item.pid}` : 'not running');
  const tail = readLogTail(join(paths.logs, 'prepare.log'), 3);
  if (tail !== '') line('last preparation', `\n${tail.replace(/^/gm, '  | ')}`);
}

printMachine();
printServers();
printInstallation();
