import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { stopLeftovers } from '../processes/child.mjs';
import { listInstallationPaths, removeInstallation } from '../data-folder/installation.mjs';
import { readJsonFile } from '../data-folder/json-file.mjs';
import { acquireLock } from '../processes/lock-file.mjs';
import { LauncherError } from '../report.mjs';
import { startProduct } from './start-product.mjs';
import { watchPackageManager } from './watch-package-manager.mjs';

/**
 * Starts the product, prints its addresses, and runs until a signal arrives.
 * @param {{dataDir: string, isReset: boolean, controlPort: number | undefined, gatewayPort: number | undefined, report: import('../report.mjs').Report}} options
 */
export async function runInForeground(options) {
  const { dataDir, report } = options;
  // A closed terminal or pipe must not end the launcher before its children.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const stopRequest = listenForStop(report);
  if (options.isReset) await resetInstallation(dataDir, report);
  const starting = new AbortController();
  void stopRequest.received.then(() => starting.abort());
  const product = await startProduct({
    dataDir,
    report,
    signal: starting.signal,
    ...(options.controlPort === undefined ? {} : { controlPort: options.controlPort }),
    ...(options.gatewayPort === undefined ? {} : { gatewayPort: options.gatewayPort }),
  });
  stopRequest.onSecond = () => product.kill();
  printWelcome(product, report);
  releaseMemory();
  const reason = await stopRequest.received;
  report.step(`${reason}: stopping`);
  await product.stop();
  report.step('Stopped');
  process.exit(0);
}

/** Returns memory that only the start needed to the system, because the launcher may run for days. */
function releaseMemory() {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

/**
 * A second signal within this time is ignored. The terminal sends a signal to all processes, and a package
 * manager then forwards the same signal again.
 */
const REPEATED_SIGNAL_MS = 1_000;

/**
 * Stops the product at the first SIGINT, SIGTERM or SIGHUP, and kills it at the second. A launcher run by a
 * package manager also stops when that is killed, because no signal would reach it any more.
 * @param {import('../report.mjs').Report} report
 */
function listenForStop(report) {
  const request = {
    /** @type {() => void} */
    onSecond: () => {},
    /** @type {Promise<string>} */
    received: new Promise((resolve) => {
      let firstMs = 0;
      const onSignal = (/** @type {string} */ signal) => {
        if (firstMs === 0) {
          firstMs = Date.now();
          resolve(signal);
        } else if (Date.now() - firstMs > REPEATED_SIGNAL_MS) {
          report.step('Stopping immediately');
          request.onSecond();
          process.exit(130);
        }
      };
      for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
        process.on(signal, () => onSignal(signal));
      if (process.env['npm_lifecycle_event'] !== undefined)
        watchPackageManager(() => resolve('The package manager exited'));
    }),
  };
  return request;
}

/**
 * @param {string} dataDir
 * @param {import('../report.mjs').Report} report
 */
async function resetInstallation(dataDir, report) {
  const provided = ['MYSQL_URL', 'PLATFORM_MYSQL_URL'].filter((name) => process.env[name]);
  if (provided.length > 0) {
    throw new LauncherError(
      `--reset deletes only the data folder, but ${provided.join(' and ')} is set, so other servers have data, too.`,
      {
        hint: "To delete all data, drop the schemas rowhouse_global and rowhouse_cell on the server of PLATFORM_MYSQL_URL and the tenants' databases on the server of MYSQL_URL. Then remove the data folder.",
      },
    );
  }
  const paths = listInstallationPaths(dataDir);
  const lock = await acquireLock(paths.lock);
  if (!lock.held)
    throw new LauncherError(`Rowhouse is running on ${dataDir} (process ${lock.holder.pid}).`, {
      hint: 'Stop it first.',
    });
  report.step(`Deleting everything in ${dataDir}`);
  await stopLeftovers(readJsonFile(paths.processes) ?? [], 8_000);
  removeInstallation(paths);
  lock.release();
}

/**
 * @param {import('./start-product.mjs').Product} product
 * @param {import('../report.mjs').Report} report
 */
function printWelcome({ run }, report) {
  report.step('Rowhouse is up');
  const lines = ['', `  Console    ${run.console_url}`, `  Data API   ${run.gateway_url}/v1/-`];
  if (run.demo !== null) {
    lines.push(
      `  Sign in    ${run.demo.email}  ${run.demo.password}`,
      `  Demo key   ${run.demo.api_key}`,
      `  API docs   ${run.demo.docs_url}`,
      '',
      '  Try it:',
      `  curl -H "Authorization: Bearer ${run.demo.api_key}" "${run.gateway_url}/v1/-/posts?include=user,comments,tags&limit=2"`,
    );
  }
  console.log(`${lines.join('\n')}\n\n  Ctrl-C stops everything.\n`);
}
