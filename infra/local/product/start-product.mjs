import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  describeControlPlane,
  describeGateway,
  describeWorker,
  listPrepareEnv,
  startApp,
  waitUntilReady,
} from './app-processes.mjs';
import { buildInChild } from '../build/build-in-child.mjs';
import { READY_TIMEOUT_MS, setprivPath, stopLeftovers } from '../processes/child.mjs';
import { chooseEngine } from '../servers/choose-engine.mjs';
import { choosePorts } from '../data-folder/choose-ports.mjs';
import { DEMO_EMAIL, provideDemo } from './demo-project.mjs';
import {
  dropPreviousKeys,
  listInstallationPaths,
  provideSecrets,
  readState,
  takePassword,
} from '../data-folder/installation.mjs';
import { readJsonFile, writeJsonFile } from '../data-folder/json-file.mjs';
import { acquireLock } from '../processes/lock-file.mjs';
import { PLATFORM_ACCOUNTS } from '../platform/platform-accounts.mjs';
import { preparePlatform } from '../platform/prepare-platform.mjs';
import { provideMysql, providePlatformMysql, provideRedis } from '../servers/provide-servers.mjs';
import { LauncherError } from '../report.mjs';
import { runNode } from '../processes/run-program.mjs';
import { hasMysqlData } from '../servers/start-mysql-server.mjs';
import {
  formatLocalUrl,
  listGatewayNames,
  listGatewayUrls,
  listRequestedPorts,
  listWorkerNames,
} from './product-ports.mjs';
import { StopPlan } from './stop-plan.mjs';
import { supervise } from '../processes/supervise.mjs';
import { startWatchdog } from '../processes/watchdog.mjs';

/**
 * @typedef {object} StartProductOptions
 * @property {string} dataDir
 * @property {number} [controlPort] the required port; unless set, the usual one or a free one
 * @property {number} [gatewayPort]
 * @property {1 | 2 | 3} [gateways]
 * @property {number} [secondGatewayPort]
 * @property {1 | 2} [workers]
 * @property {NodeJS.ProcessEnv} [env] the launcher's environment, `process.env` by default
 * @property {Record<string, string>} [extraEnv] set for every process; overrides everything else
 * @property {boolean} [skipBuild]
 * @property {number} [backoffMaxMs] the longest pause before a process is restarted, for suites that kill
 *   processes
 * @property {AbortSignal} [signal] cancels a start in progress
 * @property {import('../report.mjs').Report} report
 * @typedef {object} RunInfo the contents of `run.json`
 * @property {string} console_url
 * @property {string} control_url
 * @property {string} gateway_url
 * @property {import('./demo-project.mjs').Demo | null} demo
 * @property {string[]} [gateway_urls] set when there is more than one gateway
 * @typedef {object} Product
 * @property {RunInfo} run
 * @property {boolean} isFirstStart
 * @property {import('../servers/provide-servers.mjs').ProvidedMysql} mysql the first server of tenants' databases
 * @property {import('../servers/provide-servers.mjs').ProvidedMysql} platform the server of the platform database
 * @property {string} redisUrl
 * @property {string[]} gatewayUrls
 * @property {Record<string, string>} metricsUrls by name of the process
 * @property {() => {name: string, pid: number}[]} listProcesses
 * @property {() => Promise<void>} stop in the order gateway, worker, control plane, Redis, databases
 * @property {() => void} kill kills everything at once
 * @typedef {Pick<Product, 'mysql' | 'platform' | 'redisUrl'>} Servers
 */

/**
 * Starts the whole product on one data folder and keeps it running.
 * @param {StartProductOptions} options
 * @returns {Promise<Product>} once every process is ready and the demo project exists
 * @throws {LauncherError} after everything it had started is stopped again
 */
export async function startProduct(options) {
  const paths = listInstallationPaths(options.dataDir);
  mkdirSync(paths.logs, { recursive: true, mode: 0o700 });
  const lock = await acquireLock(paths.lock);
  if (!lock.held) {
    throw new LauncherError(
      `Rowhouse is already running on ${options.dataDir} (process ${lock.holder.pid}).`,
      {
        hint: 'Stop it, or set ROWHOUSE_DATA_DIR to another folder.',
      },
    );
  }
  const plan = new StopPlan(paths.processes, () => lock.release());
  try {
    return await Promise.race([bringUp(options, paths, plan), rejectOnAbort(options.signal)]);
  } catch (err) {
    await plan.stop();
    throw err;
  }
}

/**
 * @param {StartProductOptions} options
 * @param {import('../data-folder/installation.mjs').InstallationPaths} paths
 * @param {StopPlan} plan
 * @returns {Promise<Product>}
 */
async function bringUp(options, paths, plan) {
  const isFirstStart = readJsonFile(paths.run) === null;
  await stopLeftovers(readJsonFile(paths.processes) ?? [], 8_000);
  if (setprivPath === null) startWatchdog(paths.processes);
  const state = await prepareState(options, paths);
  const { secrets, isNew } = provideSecrets(paths);
  const servers = await bringUpServers(options, paths, state, plan);
  const context = createContext(options, state, servers, secrets);
  await bringUpPlatform(options, paths, state, servers, context);
  if (isNew) options.report.note(`Back up ${paths.secrets}. Without this file the data cannot be read.`);
  const apps = listApps(options, state, context);
  await startApps(apps, paths, plan, options);
  const run = await bringUpDemo(options, paths, state, context);
  return {
    run,
    isFirstStart,
    ...servers,
    gatewayUrls: listGatewayUrls(options, state),
    metricsUrls: Object.fromEntries(apps.map((app) => [app.name, `http://127.0.0.1:${app.metricsPort}`])),
    listProcesses: () => plan.listProcesses(),
    stop: () => plan.stop(),
    kill: () => plan.kill(),
  };
}

/**
 * @param {StartProductOptions} options
 * @param {import('../data-folder/installation.mjs').InstallationState} state
 * @param {Servers} servers
 * @param {import('../data-folder/installation.mjs').InstallationSecrets} secrets
 * @returns {import('./app-processes.mjs').AppContext}
 */
function createContext({ env = process.env, extraEnv = {} }, state, { platform, redisUrl }, secrets) {
  return {
    database: platform.admin,
    passwords: readPlatformPasswords(state),
    redisUrl,
    secrets,
    controlUrl: env['CONTROL_PUBLIC_URL'] ?? formatLocalUrl(state, 'control'),
    gatewayUrl: env['GATEWAY_PUBLIC_URL'] ?? formatLocalUrl(state, 'gateway'),
    operatorEmail: env['ROWHOUSE_OPERATOR_EMAIL'] ?? DEMO_EMAIL,
    env,
    extraEnv,
  };
}

/**
 * Prepares the platform database. Then removes the previous master keys from the secrets, because the
 * preparation has re-encrypted everything with the current key.
 * @param {StartProductOptions} options
 * @param {import('../data-folder/installation.mjs').InstallationPaths} paths
 * @param {import('../data-folder/installation.mjs').InstallationState} state
 * @param {Servers} servers
 * @param {import('./app-processes.mjs').AppContext} context
 */
async function bringUpPlatform({ report }, paths, state, { mysql, platform }, context) {
  await preparePlatform({
    mysql,
    platform,
    hasPlatform: state.hasPlatform === true,
    context,
    serverPasswords: {
      provisioner: takePassword(state, 'rh_provisioner'),
      observer: takePassword(state, 'rh_observer'),
    },
    serverFile: paths.server,
    logFile: join(paths.logs, 'prepare.log'),
    report,
  });
  if (state.hasPlatform !== true) writeJsonFile(paths.state, Object.assign(state, { hasPlatform: true }));
  if ((context.secrets.previousMasterKeys ?? []).length === 0) return;
  context.secrets = dropPreviousKeys(paths, context.secrets);
  report.note(
    `The master key has changed. Back up ${paths.secrets} again, because the old key no longer works.`,
  );
}

/**
 * @param {StartProductOptions} options
 * @param {import('../data-folder/installation.mjs').InstallationState} state
 * @param {import('./app-processes.mjs').AppContext} context
 */
function listApps(options, state, context) {
  const port = (/** @type {string} */ name) => /** @type {number} */ (state.ports[name]);
  return [
    describeControlPlane(context, port('control'), port('control_metrics')),
    ...listWorkerNames(options).map((name, index) =>
      describeWorker(context, index + 1, port(`${name}_metrics`)),
    ),
    ...listGatewayNames(options).map((name, index) =>
      describeGateway(context, index + 1, port(name), port(`${name}_metrics`)),
    ),
  ];
}

/**
 * Creates the demo project if sign-ups are allowed, and writes the addresses to `run.json`.
 * @param {StartProductOptions} options
 * @param {import('../data-folder/installation.mjs').InstallationPaths} paths
 * @param {import('../data-folder/installation.mjs').InstallationState} state
 * @param {import('./app-processes.mjs').AppContext} context
 */
async function bringUpDemo(options, paths, state, context) {
  const isDemoWanted = (context.env['SIGNUP'] ?? 'open') === 'open' || existsSync(paths.demo);
  const makeOperator = context.operatorEmail === DEMO_EMAIL ? () => makeDemoOperator(context, paths) : null;
  const demo = isDemoWanted
    ? await provideDemo({
        controlUrl: formatLocalUrl(state, 'control'),
        gatewayUrl: formatLocalUrl(state, 'gateway'),
        file: paths.demo,
        makeOperator,
        report: options.report,
      })
    : null;
  const run = describeRun(context, listGatewayUrls(options, state), demo);
  writeJsonFile(paths.run, run);
  return run;
}

/**
 * Makes the demo account an operator and confirms its address. The address receives no mail, so it cannot be
 * confirmed by a link.
 * @param {import('./app-processes.mjs').AppContext} context
 * @param {import('../data-folder/installation.mjs').InstallationPaths} paths
 */
function makeDemoOperator(context, paths) {
  const args = ['apps/control-plane/dist/admin/make-operator.js', '--email', DEMO_EMAIL];
  return runNode(
    args,
    listPrepareEnv(context, 'rh_control'),
    join(paths.logs, 'prepare.log'),
    'Making the demo account the operator failed.',
  );
}

/**
 * @param {import('./app-processes.mjs').AppContext} context
 * @param {string[]} gatewayUrls
 * @param {import('./demo-project.mjs').Demo | null} demo
 * @returns {RunInfo}
 */
function describeRun(context, gatewayUrls, demo) {
  return {
    console_url: context.controlUrl,
    control_url: context.controlUrl,
    gateway_url: context.gatewayUrl,
    // An earlier start with other ports may have written this URL.
    demo:
      demo === null
        ? null
        : { ...demo, docs_url: `${context.gatewayUrl}/v1/-/docs/${demo.docs_url.split('/').at(-1)}` },
    ...(gatewayUrls.length > 1 ? { gateway_urls: gatewayUrls } : {}),
  };
}

/**
 * Chooses the ports and passwords of this installation and writes them to disk before anything uses them.
 * @param {StartProductOptions} options
 * @param {import('../data-folder/installation.mjs').InstallationPaths} paths
 */
async function prepareState(options, paths) {
  const state = readState(paths);
  const engine = chooseEngine(options.env ?? process.env, {
    engine: state.engine,
    hasData: hasMysqlData(paths.mysql),
    dataDir: paths.dataDir,
  });
  if (engine !== state.engine && !(options.env ?? process.env)['MYSQL_URL']) state.engine = engine;
  await choosePorts(state, listRequestedPorts(options), options.report);
  for (const account of [
    'root',
    'platform_root',
    'redis',
    'rh_provisioner',
    'rh_observer',
    ...PLATFORM_ACCOUNTS,
  ])
    takePassword(state, account);
  writeJsonFile(paths.state, state);
  return state;
}

/** @param {import('../data-folder/installation.mjs').InstallationState} state */
function readPlatformPasswords(state) {
  const passwords = Object.fromEntries(
    PLATFORM_ACCOUNTS.map((account) => [account, takePassword(state, account)]),
  );
  return /** @type {Record<import('../platform/platform-accounts.mjs').PlatformAccount, string>} */ (
    passwords
  );
}

/**
 * Starts databases and Redis while the compiler works.
 * @param {StartProductOptions} options
 * @param {import('../data-folder/installation.mjs').InstallationPaths} paths
 * @param {import('../data-folder/installation.mjs').InstallationState} state
 * @param {StopPlan} plan
 */
async function bringUpServers(options, paths, state, plan) {
  const { report, env = process.env } = options;
  /** @type {import('../servers/provide-servers.mjs').ProvideOptions} */
  const provide = {
    paths,
    state,
    env,
    report,
    onChange: () => plan.record(),
    onProcess: (name, process) => plan.add(name, process),
  };
  // All of these promises are awaited even if one rejects, so that nothing is started after the shutdown has
  // begun.
  const building = options.skipBuild ? undefined : buildInChild(report);
  const [built, mysql, platform, redisUrl] = await Promise.allSettled([
    building,
    provideMysql(provide),
    providePlatformMysql(provide),
    provideRedis(provide),
  ]);
  if (built.status === 'rejected') throw built.reason;
  if (mysql.status === 'rejected') throw mysql.reason;
  if (platform.status === 'rejected') throw platform.reason;
  if (redisUrl.status === 'rejected') throw redisUrl.reason;
  return { mysql: mysql.value, platform: platform.value, redisUrl: redisUrl.value };
}

/**
 * @param {readonly import('./app-processes.mjs').App[]} apps
 * @param {import('../data-folder/installation.mjs').InstallationPaths} paths
 * @param {StopPlan} plan
 * @param {StartProductOptions} options
 */
async function startApps(apps, paths, plan, { report, backoffMaxMs }) {
  report.step(`Starting ${apps.map((app) => app.name).join(', ')}`);
  await Promise.all(
    apps.map(async (app) => {
      const start = async (/** @type {(child: import('../processes/child.mjs').Child) => void} */ onSpawn) =>
        onSpawn(await startApp(app, paths.logs));
      const supervised = supervise({
        name: app.name,
        start,
        report,
        onChange: () => plan.record(),
        backoffMaxMs,
      });
      plan.add(app.name, supervised);
      await supervised.started;
      await waitUntilReady(app, supervised, READY_TIMEOUT_MS);
    }),
  );
}

/**
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<never>}
 */
function rejectOnAbort(signal) {
  return new Promise((_, reject) => {
    const stop = () => reject(new LauncherError('Stopped before Rowhouse was running.'));
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop, { once: true });
  });
}
