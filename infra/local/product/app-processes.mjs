import { setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readLogTail, startChild } from '../processes/child.mjs';
import { formatMysqlUrl } from '../servers/mysql-admin.mjs';
import { rootDir } from '../paths.mjs';
import { CELL_SCHEMA, GLOBAL_SCHEMA } from '../platform/platform-accounts.mjs';
import { LauncherError } from '../report.mjs';
import { sendRequest } from '../processes/send-request.mjs';

/** Standard variables that every process inherits. */
const OF_THE_MACHINE = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR'];
/**
 * The variables that the launcher passes from its own environment to processes. No other variable of its
 * environment reaches a process. docs/operate/configure.md describes each variable.
 */
export const PASSED_ON = [
  'NODE_EXTRA_CA_CERTS',
  'LLM_BASE_URL',
  'LLM_API_KEY',
  'LLM_MODEL',
  'LLM_TIMEOUT_SECONDS',
  'LLM_TOKENS_PER_DAY',
  'LLM_PRIVATE_ADDRESSES',
  'LLM_PORTS',
  'LOG_LEVEL',
  'SIGNUP',
  'ROWHOUSE_REGION',
  'DDL_LOCKED',
  'CONTROL_HOST',
  'GATEWAY_HOST',
  'METRICS_HOST',
  'TRUSTED_PROXIES',
  'ROWHOUSE_ENV',
  'GATEWAY_ADDRESS_RATE',
  'GATEWAY_ADDRESS_CONNECTIONS',
  'CONTROL_ADDRESS_RATE',
  'CONTROL_ADDRESS_CONNECTIONS',
  'OWNER_CONNECTIONS',
  'DEFAULT_ENGINE',
  'GATEWAY_ROWS_EXAMINED',
  'GATEWAY_WRITES_TOGETHER',
  'PROJECTS_PER_ACCOUNT_MAX',
  'DATABASES_PER_PROJECT_MAX',
  'FILES_GIB_MAX',
  'DIRECT_MEMORY_MB',
  'DIRECT_TEMP_DISK_MB',
  'DIRECT_STATEMENTS_PER_PROCESSOR',
  'DIRECT_IDLE_TRANSACTION_SECONDS',
  'DIRECT_TRANSACTION_SECONDS',
  'MOVE_PAUSE_MS',
  'ACCOUNT_SWEEP_MS',
];

/**
 * @typedef {object} AppContext
 * @property {import('../servers/mysql-admin.mjs').MysqlAddress} database the server of the platform database
 * @property {Record<import('../platform/platform-accounts.mjs').PlatformAccount, string>} passwords
 * @property {string} redisUrl
 * @property {import('../data-folder/installation.mjs').InstallationSecrets} secrets
 * @property {string} controlUrl
 * @property {string} gatewayUrl
 * @property {string} operatorEmail
 * @property {NodeJS.ProcessEnv} env the launcher's environment
 * @property {Record<string, string>} extraEnv set for every process; overrides everything else
 * @typedef {object} App
 * @property {string} name
 * @property {string} entry
 * @property {readonly string[]} [nodeFlags]
 * @property {number} metricsPort
 * @property {number} niceness the priority on a shared machine when every core is busy; 0 is normal, higher
 *   yields to others
 * @property {Record<string, string>} env
 */

/**
 * V8 flags that make full garbage collections rarer, because each one pauses all requests (docs/adr/0031).
 * The young generation is half as large as Node's default on a large machine. The old generation may grow by
 * 60 % before the next full collection; V8's own limit can be as low as 10 %. Pretenuring is off, so new
 * objects are never allocated directly in the old generation.
 */
export const GATEWAY_FLAGS = [
  '--max-semi-space-size=32',
  '--heap-growing-percent=60',
  '--no-allocation-site-pretenuring',
];

/**
 * Returns the variables that every process of the product gets.
 * @param {AppContext} context
 * @returns {Record<string, string>}
 */
function listCommonEnv(context) {
  return {
    LOG_LEVEL: 'info',
    ROWHOUSE_ENV: 'production',
    ...pickSet(context.env, [...OF_THE_MACHINE, ...PASSED_ON]),
    NODE_ENV: 'production',
    ROWHOUSE_CELL: 'c1',
    REDIS_URL: context.redisUrl,
    ROWHOUSE_MASTER_KEY: context.secrets.masterKey,
    ROWHOUSE_MASTER_KEY_PREVIOUS: (context.secrets.previousMasterKeys ?? []).join(','),
    CONTROL_PUBLIC_URL: context.controlUrl,
    GATEWAY_PUBLIC_URL: context.gatewayUrl,
    PARENT_PID: String(process.pid),
  };
}

/**
 * Returns the named variables that are set.
 * @param {NodeJS.ProcessEnv} env
 * @param {readonly string[]} names
 * @returns {Record<string, string>}
 */
function pickSet(env, names) {
  return Object.fromEntries(
    names.flatMap((name) => (env[name] === undefined ? [] : [[name, String(env[name])]])),
  );
}

/**
 * Returns whether a URL names this machine.
 * @param {string} url
 */
function isLoopback(url) {
  return URL.canParse(url) && /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(new URL(url).hostname);
}

/**
 * Returns the path of the bundle. With ROWHOUSE_UNBUNDLED=1 it is the unbundled entry module, for developers
 * who change or inspect modules while they are loaded.
 * @param {AppContext} context
 * @param {string} app
 */
function findEntry({ env, extraEnv }, app) {
  const isBundled = (extraEnv['ROWHOUSE_UNBUNDLED'] ?? env['ROWHOUSE_UNBUNDLED']) !== '1';
  return isBundled ? `apps/${app}/dist/bundle/main.cjs` : `apps/${app}/dist/main.js`;
}

/**
 * @param {AppContext} context
 * @param {import('../platform/platform-accounts.mjs').PlatformAccount} account
 * @param {string} schema
 */
function formatPlatformUrl(context, account, schema) {
  return formatMysqlUrl({ ...context.database, user: account, password: context.passwords[account] }, schema);
}

/**
 * @param {AppContext} context
 * @param {number} port
 * @param {number} metricsPort
 * @returns {App}
 */
export function describeControlPlane(context, port, metricsPort) {
  return {
    name: 'control-plane',
    entry: 'apps/control-plane/dist/main.js',
    metricsPort,
    niceness: 5,
    env: {
      ...listCommonEnv(context),
      PLATFORM_GLOBAL_URL: formatPlatformUrl(context, 'rh_control', GLOBAL_SCHEMA),
      PLATFORM_CELL_URL: formatPlatformUrl(context, 'rh_control', CELL_SCHEMA),
      ROWHOUSE_PEPPER: context.secrets.pepper,
      ROWHOUSE_SERVER_PUBLIC_KEY: context.secrets.serverPublicKey,
      ROWHOUSE_OPERATOR_EMAIL: context.operatorEmail,
      SIGNUP: context.env['SIGNUP'] ?? 'open',
      // Without a mail server, the log is the only place for links that set a password or accept an
      // invitation.
      MAIL_LOG_LINKS: String(isLoopback(context.controlUrl)),
      ...pickSet(context.env, ['SMTP_URL', 'MAIL_FROM', 'MAIL_LOG_LINKS']),
      CONTROL_HOST: context.env['CONTROL_HOST'] ?? '127.0.0.1',
      CONTROL_PORT: String(port),
      CONSOLE_DIR: join(rootDir, 'apps', 'console', 'dist'),
      METRICS_PORT: String(metricsPort),
      ...context.extraEnv,
    },
  };
}

/**
 * @param {AppContext} context
 * @param {number} ordinal from 1
 * @param {number} port
 * @param {number} metricsPort
 * @returns {App}
 */
export function describeGateway(context, ordinal, port, metricsPort) {
  const name = ordinal === 1 ? 'gateway' : `gateway-${ordinal}`;
  return {
    name,
    entry: findEntry(context, 'gateway'),
    nodeFlags: GATEWAY_FLAGS,
    metricsPort,
    niceness: 0,
    env: {
      ...listCommonEnv(context),
      PLATFORM_CELL_URL: formatPlatformUrl(context, 'rh_gateway', CELL_SCHEMA),
      ROWHOUSE_PEPPER: context.secrets.pepper,
      GATEWAY_HOST: context.env['GATEWAY_HOST'] ?? '127.0.0.1',
      GATEWAY_PORT: String(port),
      METRICS_PORT: String(metricsPort),
      ...context.extraEnv,
    },
  };
}

/**
 * @param {AppContext} context
 * @param {number} ordinal from 1
 * @param {number} metricsPort
 * @returns {App}
 */
export function describeWorker(context, ordinal, metricsPort) {
  return {
    name: ordinal === 1 ? 'migration-worker' : `migration-worker-${ordinal}`,
    entry: findEntry(context, 'migration-worker'),
    metricsPort,
    niceness: 10,
    env: {
      ...listCommonEnv(context),
      PLATFORM_CELL_URL: formatPlatformUrl(context, 'rh_worker', CELL_SCHEMA),
      ROWHOUSE_SERVER_PRIVATE_KEY: context.secrets.serverPrivateKey,
      METRICS_PORT: String(metricsPort),
      ...context.extraEnv,
    },
  };
}

/**
 * Returns the environment of the two commands that prepare the platform database.
 * @param {AppContext} context
 * @param {import('../platform/platform-accounts.mjs').PlatformAccount} account
 * @returns {Record<string, string>}
 */
export function listPrepareEnv(context, account) {
  return {
    ...listCommonEnv(context),
    PLATFORM_GLOBAL_URL: formatPlatformUrl(context, account, GLOBAL_SCHEMA),
    PLATFORM_CELL_URL: formatPlatformUrl(context, account, CELL_SCHEMA),
    ROWHOUSE_PEPPER: context.secrets.pepper,
    ROWHOUSE_SERVER_PUBLIC_KEY: context.secrets.serverPublicKey,
    METRICS_PORT: '0',
    ...context.extraEnv,
  };
}

/**
 * Returns the app's Node flags, without those that its NODE_OPTIONS set. Node lets the command line override
 * NODE_OPTIONS.
 * @param {Pick<App, 'env' | 'nodeFlags'>} app
 */
export function listNodeFlags({ env, nodeFlags = [] }) {
  const provided = (env['NODE_OPTIONS'] ?? '').split(' ').map((option) => option.split('=')[0]);
  return nodeFlags.filter((flag) => !provided.includes(flag.split('=')[0]));
}

/**
 * @param {App} app
 * @param {string} logsDir
 */
export async function startApp(app, logsDir) {
  const child = await startChild({
    name: app.name,
    command: process.execPath,
    args: ['--enable-source-maps', ...listNodeFlags(app), join(rootDir, app.entry)],
    // The cache of compiled code reduces the work of a start by 20 %.
    env: { NODE_COMPILE_CACHE: join(dirname(logsDir), 'compile-cache'), ...app.env },
    cwd: rootDir,
    logFile: join(logsDir, `${app.name}.log`),
  });
  lowerPriority(child.pid, app.niceness);
  return child;
}

/** @param {number} pid @param {number} niceness 0 keeps the current priority */
function lowerPriority(pid, niceness) {
  try {
    if (niceness > 0) setPriority(pid, niceness);
  } catch {
    // The process has already ended, or the system does not allow the change. The process also works with its
    // normal priority.
  }
}

/**
 * Waits until `/readyz` answers 200. A process that is not ready answers with the reason, and the last reason
 * is reported.
 * @param {App} app
 * @param {import('../processes/supervise.mjs').Supervised} supervised
 * @param {number} timeoutMs
 * @throws {LauncherError} with the log's last lines when the process ends or does not become ready in time
 */
export async function waitUntilReady(app, supervised, timeoutMs) {
  const deadlineMs = Date.now() + timeoutMs;
  const first = supervised.current();
  let reason = 'it did not respond';
  while (Date.now() < deadlineMs) {
    if (first?.exited)
      throw new LauncherError(`${app.name} did not start (${first.ending}).`, {
        logTail: readLogTail(first.logFile),
      });
    const response = await sendRequest(`http://127.0.0.1:${app.metricsPort}/readyz`, {
      timeoutMs: 2_000,
    }).catch(() => null);
    if (response?.status === 200) return;
    if (response !== null) reason = response.text;
    await sleep(50);
  }
  throw new LauncherError(`${app.name} was not ready after ${timeoutMs / 1000} s: ${reason}`, {
    logTail: first === null ? '' : readLogTail(first.logFile),
  });
}
